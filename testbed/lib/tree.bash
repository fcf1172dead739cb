# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What a kernel is built from is a git tree id, wherever it came from: an arm of a base, patches
# on a base, or a revision of a developer's own repository. Patches are applied to an index of
# the repository in the cache; no work tree is needed.

# lab_base_arms BASE: arms that its series names, one a line ("boot" is none)
lab_base_arms()
{
	sed '/^#/d; /^[[:space:]]*$/d; s/[[:space:]].*//; s/,/\n/g' \
		"$lab_kernel_patches/$1/series" | sort -u | grep -vxF boot
}

# lab_arm_patches BASE ARM: files of the arm's patches, in order; "-" in a series is none
lab_arm_patches()
{
	local base=$1 arm=$2 arms patch
	while read -r arms patch; do
		[[ -n $arms && $arms != '#'* && $patch != - && ,$arms, == *,$arm,* ]] || continue
		printf '%s\n' "$lab_kernel_patches/$base/$patch"
	done <"$lab_kernel_patches/$base/series"
}

# lab_patch_titles FILE...: their subjects without [PATCH], one a line; the name of a file that has none.
# A file may hold several mails.
lab_patch_titles()
{
	(( $# )) || return 0
	perl -MEncode=decode,encode -0777 -ne '
		my $any;
		for my $mail (split /^(?=From [0-9a-f]{40} )/m) {
			my ($head) = $mail =~ /\A(.*?)(?:\n\n|\z)/s;
			next unless $head =~ /^Subject:[ \t]*(.*(?:\n[ \t].*)*)/m;
			my $title = encode("UTF-8", decode("MIME-Header", $1 =~ s/\n//gr));
			print $title =~ s/^\s*(?:\[[^]]*\]\s*)*//r, "\n";
			$any = 1;
		}
		print $ARGV =~ s{.*/}{}r, "\n" unless $any;
	' -- "$@"
}

# lab_arm_tree BASE ARM: tree id of the base with the arm's patches
lab_arm_tree()
{
	local base=$1 arm=$2 patches
	lab_base_get "$base" package >/dev/null
	lab_base_arms "$base" | grep -xF -- "$arm" >/dev/null ||
		lab_die "$LAB_USAGE" "base $base has no arm '$arm' (known: $(lab_base_arms "$base" | paste -sd' '))"
	mapfile -t patches < <(lab_arm_patches "$base" "$arm")
	lab_series_tree "$base" "${patches[@]}"
}

# lab_series_tree BASE [PATCH...]: tree id of the pristine base with these patches on top
lab_series_tree()
{
	local commit
	commit=$(lab_base_commit "$1")
	lab_tree_apply "$(lab_git rev-parse "$commit^{tree}")" "${@:2}"
}

# lab_tree_apply TREE [PATCH...]: tree id of TREE with the patches, which must apply with no fuzz.
# What came of the same bytes before is remembered: reading a kernel's index takes a second.
lab_tree_apply()
{
	local tree=$1 index log patch objects memo applied
	shift
	if (( $# == 0 )); then
		printf '%s\n' "$tree"
		return 0
	fi
	memo=$(printf '%s\n' "$tree" | cat -- - "$@" | sha256sum) ||
		lab_die "$LAB_FAILED" "a patch of $* cannot be read"
	memo=$lab_cache/sources.git/qbed/applied.${memo%% *}
	if [[ -s $memo ]] && applied=$(<"$memo") && lab_git cat-file -e "$applied^{tree}" 2>/dev/null; then
		printf '%s\n' "$applied"
		return 0
	fi
	index=$(lab_scratch)
	log=$index.log
	objects=$(lab_tree_objects "$tree")
	(
		# shellcheck disable=SC2030 # for this subshell alone
		export GIT_INDEX_FILE=$index GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects
		lab_git read-tree "$tree"
		for patch in "$@"; do
			lab_git apply --cached --whitespace=nowarn -- \
				"$(readlink -m -- "$patch")" 2>"$log" ||
				lab_die "$LAB_FAILED" "$patch: does not apply: $(lab_why "$log")"
		done
		lab_git write-tree >"$index.tree"
	) || exit
	cat -- "$index.tree"
	cp -- "$index.tree" "$memo.$BASHPID"
	mv -- "$memo.$BASHPID" "$memo"
	rm -f -- "$index" "$log" "$index.tree"
}

# lab_tree_boot BASE TREE: tree id of TREE with the patches that ease booting it in the lab; TREE
# itself if they do not apply to it
lab_tree_boot()
{
	local base=$1 tree=$2 patches booted
	mapfile -t patches < <(lab_arm_patches "$base" boot)
	if booted=$(lab_tree_apply "$tree" "${patches[@]}" 2>/dev/null); then
		lab_tree_note "$booted" "$(lab_tree_objects "$tree")"
		printf '%s\n' "$booted"
	else
		lab_info "tree ${tree:0:12}: is built without the boot aid of base $base, which does not apply: slow to boot"
		printf '%s\n' "$tree"
	fi
}

# lab_tree_note TREE OBJECTS: remember where the objects of a user's tree are
lab_tree_note()
{
	local note=$lab_cache/sources.git/qbed/tree.$1
	[[ -n $2 ]] || return 0
	printf '%s\n' "$2" >"$note.$BASHPID"
	mv -- "$note.$BASHPID" "$note"
}

# lab_tree_objects TREE: where they are, or nothing if they are ours
lab_tree_objects()
{
	local note=$lab_cache/sources.git/qbed/tree.$1
	[[ ! -e $note ]] || cat -- "$note"
}

# lab_rev_tree DIR REV: tree id of a revision of the user's own repository, or of its work tree as
# it is ("worktree": what git add -A would add). That repository is read only; where its objects
# are is noted, so that lab_kernel_build finds them.
lab_rev_tree()
{
	local dir=$1 rev=$2 objects top index log tree
	lab_sources_init
	log=$(lab_scratch)
	objects=$(git -C "$dir" rev-parse --path-format=absolute --git-path objects 2>"$log") ||
		lab_die "$LAB_USAGE" "--tree $dir: $(lab_why "$log")"
	if [[ $rev == worktree ]]; then
		top=$(git -C "$dir" rev-parse --show-toplevel 2>"$log") ||
			lab_die "$LAB_USAGE" "--tree $dir: has no work tree"
		index=$(lab_scratch)
		# A copy of its index, so that files that did not change are not read. New objects
		# go to our repository; git is not told where the user's are, as it would renew
		# the time stamps of those that it finds there.
		cp -- "$(git -C "$top" rev-parse --path-format=absolute --git-path index)" "$index" \
			2>/dev/null || :
		tree=$(
			# shellcheck disable=SC2031 # none from outside
			export GIT_INDEX_FILE=$index GIT_OBJECT_DIRECTORY=$lab_cache/sources.git/objects
			export GIT_OPTIONAL_LOCKS=0
			git -C "$top" -c core.fsmonitor=false -c core.splitIndex=false add -A . &&
				git -C "$top" write-tree --missing-ok
		) 2>"$log" || lab_die "$LAB_FAILED" "--tree $dir: the work tree cannot be read: $(lab_why "$log")"
		rm -f -- "$index"
	else
		tree=$(git -C "$dir" rev-parse -q --verify --end-of-options "$rev^{tree}" 2>"$log") ||
			lab_die "$LAB_USAGE" "--tree $dir: no revision '$rev'"
	fi
	lab_tree_note "$tree" "$objects"
	printf '%s\n' "$tree"
}
