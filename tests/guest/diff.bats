# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same words to tc(8) and to qbed: the same requests, seen by the kernel's own tap, and the
# same state, with two versions of tc. See diff.bash; what may differ is in docs/differences.md.

bats_require_minimum_version 1.5.0
load diff

setup_file()
{
	: >"$BATS_FILE_TMPDIR/used"
}

setup()
{
	diff_dir=$BATS_TEST_TMPDIR
	diff_tables=$BATS_TEST_DIRNAME/../data/tc-lines
	diff_rules=$BATS_TEST_DIRNAME/../data/differences.md
	diff_jq=$BATS_TEST_DIRNAME/diff.jq
	diff_log=
	diff_used=$BATS_FILE_TMPDIR/used
	diff_tcs=(tc)
	if command -v tc-other >/dev/null; then
		diff_tcs+=(tc-other)
	fi
}

teardown()
{
	ip netns del t 2>/dev/null || :
	ip netns del q 2>/dev/null || :
}

# same KIND: TAP shows how many lines were compared
same()
{
	local how=diff_kernel
	# tc before 6.6 knows cbq, and kernels before 6.3 and 6.1.80 do
	if [[ $1 == cbq ]]; then
		diff_tcs=(tc)
		tc qdisc add dev lo root cbq bandwidth 10mbit avpkt 1000 2>/dev/null || how=diff_words
		tc qdisc del dev lo root 2>/dev/null || :
	fi
	# it has CBQ, and a taprio that panics when some of these lines have been taken back
	if [[ $1 == taprio && $(uname -r) == 6.1.8 ]]; then
		how=diff_words
	fi
	"$how" "$1" "${diff_tcs[@]}" >"$diff_dir/said" || {
		cat "$diff_dir/said"
		return 1
	}
	sed 's/^/# /' "$diff_dir/said" >&3
}

@test "bfifo is what it is with tc" { same bfifo; }
@test "cake is what it is with tc" { same cake; }
@test "cbq is what it is with tc" { same cbq; }
@test "codel is what it is with tc" { same codel; }
@test "drr is what it is with tc" { same drr; }
@test "etf is what it is with tc" { same etf; }
@test "mqprio is what it is with tc" { same mqprio; }
@test "taprio is what it is with tc" { same taprio; }
@test "fq is what it is with tc" { same fq; }
@test "fq_codel is what it is with tc" { same fq_codel; }
@test "hfsc is what it is with tc" { same hfsc; }
@test "htb is what it is with tc" { same htb; }
@test "mq is what it is with tc" { same mq; }
@test "netem is what it is with tc" { same netem; }
@test "pfifo is what it is with tc" { same pfifo; }
@test "pfifo_head_drop is what it is with tc" { same pfifo_head_drop; }
@test "prio is what it is with tc" { same prio; }
@test "tbf is what it is with tc" { same tbf; }

@test "every table of lines has a test" {
	local table
	for table in "$diff_tables"/*; do
		[[ $table != */README ]] || continue
		grep -qF "{ same ${table##*/}; }" "$BATS_TEST_FILENAME"
	done
}

@test "two versions of tc were compared with" {
	command -v tc-other >/dev/null || skip "the machine that made the image could not fetch a second iproute2"
	[[ $(diff_version tc) != "$(diff_version tc-other)" ]]
}

@test "every difference that is listed was seen" {
	command -v tc-other >/dev/null || skip "some are of one version of tc only"
	[[ $(uname -r) != 6.1.8 ]] || skip "of taprio the words were compared and not what is left"
	run -0 diff_unused
	if [[ -n $output ]]; then
		echo "$output"
		return 1
	fi
}
