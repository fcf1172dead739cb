# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the lab says, and where. Results go to stdout; everything here goes to stderr.
# Exit codes of the lab are those of qbed.

readonly LAB_OK=0 LAB_USAGE=1 LAB_FAILED=2 LAB_CANNOT=4

lab_color=auto
lab_verbose=0
lab_progress_shown=

# lab_color_on: true if stderr takes colours (--color, NO_COLOR, terminal)
lab_color_on()
{
	case $lab_color in
	always)	return 0 ;;
	never)	return 1 ;;
	esac
	[[ -t 2 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]
}

# lab_say KIND COLOUR MSG...: one message, on a line of its own
lab_say()
{
	local kind=$1 colour=$2
	shift 2
	lab_progress_end
	if [[ -n $kind ]] && lab_color_on; then
		printf 'qbed-lab: \033[%sm%s\033[0m: %s\n' "$colour" "$kind" "$*" >&2
	else
		printf 'qbed-lab: %s%s\n' "${kind:+$kind: }" "$*" >&2
	fi
}

lab_info() { lab_say '' '' "$@"; }
lab_warn() { lab_say warning 33 "$@"; }
lab_error() { lab_say error 31 "$@"; }
lab_debug() { if (( lab_verbose )); then lab_say debug 36 "$@"; fi; }

# lab_die CODE MSG...: print MSG and end with CODE (1 usage, 2 failed, 4 cannot)
lab_die()
{
	local code=$1
	shift
	lab_error "$@"
	exit "$code"
}

# lab_usage VERB MSG...: a fault in the command line; name the word that is wrong
lab_usage()
{
	local verb=$1
	shift
	lab_die 1 "${verb:+$verb: }$* (see 'qbed-lab${verb:+ $verb} --help')"
}

# lab_progress MSG...: a line that the next message replaces; silent unless stderr is a terminal
lab_progress()
{
	[[ -t 2 ]] || return 0
	printf '\r\033[K%s' "$*" >&2
	lab_progress_shown=1
}

lab_progress_end()
{
	[[ -n $lab_progress_shown ]] || return 0
	printf '\r\033[K' >&2
	lab_progress_shown=
}

# lab_printable: without what would do things to a terminal; a guest may print anything
lab_printable()
{
	tr -d '\000-\010\013-\037\177'
}

# lab_show_file LABEL FILE [LINES]: the last lines of a log, indented, to stderr
lab_show_file()
{
	local label=$1 file=$2 lines=${3:-12}
	[[ -s $file ]] || return 0
	lab_progress_end
	printf '    --- %s ---\n' "$label" >&2
	tail -n "$lines" -- "$file" | lab_printable | sed 's/^/    /' >&2
}
