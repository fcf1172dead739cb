# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same words to tc(8) and to qbed send the same requests, whether this kernel knows the kind or
# not. The guest's tests have two versions of tc, and kernels that know them all.

bats_require_minimum_version 1.5.0

setup()
{
	export diff_dir=$BATS_TEST_TMPDIR
	export diff_tables=$QBED_SRCDIR/tests/data/tc-lines
	export diff_rules=$QBED_SRCDIR/docs/differences.md
	export diff_jq=$QBED_SRCDIR/tests/guest/diff.jq
	export diff_log=$QBED_BINDIR/tests/tools/tc-log.so
	export diff_used=$BATS_TEST_TMPDIR/used
	PATH=$QBED_BINDIR/tests/tools:$PATH:/usr/sbin:/sbin
	# ifb can do without its module's own devices; a machine without it cannot run this
	unshare -Urn ip link add d1 type ifb 2>/dev/null || skip "this kernel has no ifb"
}

# same KIND
same()
{
	# shellcheck disable=SC2016 # for the inner shell
	timeout 120 unshare -Urnm bash -euo pipefail -c '
		mount -t tmpfs none /run
		mkdir /run/netns
		. "$1"
		diff_words "$2" tc' diff "$QBED_SRCDIR/tests/guest/diff.bash" "$1" 3>&-
}

@test "bfifo is sent as tc sends it" { same bfifo; }
@test "cake is sent as tc sends it" { same cake; }
@test "cbq is sent as tc sends it, by a tc that has it" {
	run tc qdisc add dev lo root cbq help
	# iproute2 dropped it; a word of ours and not one of tc's is then all there is to say
	[[ $output == 'Unknown qdisc "cbq"'* ]] || same cbq
}
@test "codel is sent as tc sends it" { same codel; }
@test "drr is sent as tc sends it" { same drr; }
@test "etf is sent as tc sends it" { same etf; }
@test "mqprio is sent as tc sends it" { same mqprio; }
@test "taprio is sent as tc sends it" { same taprio; }
@test "fq is sent as tc sends it" { same fq; }
@test "fq_codel is sent as tc sends it" { same fq_codel; }
@test "hfsc is sent as tc sends it" { same hfsc; }
@test "htb is sent as tc sends it" { same htb; }
@test "mq is sent as tc sends it" { same mq; }
@test "netem is sent as tc sends it" { same netem; }
@test "pfifo is sent as tc sends it" { same pfifo; }
@test "pfifo_head_drop is sent as tc sends it" { same pfifo_head_drop; }
@test "prio is sent as tc sends it" { same prio; }
@test "tbf is sent as tc sends it" { same tbf; }

@test "every table of lines has a test" {
	local table
	for table in "$diff_tables"/*; do
		[[ $table != */README ]] || continue
		grep -qw "same ${table##*/}" "$BATS_TEST_FILENAME"
	done
}
