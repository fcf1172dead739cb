# SPDX-License-Identifier: GPL-2.0-or-later
#
# -vv: every message of rtnetlink, decoded, on standard error.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

load sandbox

setup()
{
	sandbox_start
	sandbox_veth q 2
}

teardown()
{
	sandbox_stop
}

@test "-vv shows a qdisc's request and the kernel's answer on standard error only" {
	inside qbed -vv qdisc -n q add dev eth1 root handle 1: tbf rate 1mbit burst 10kb limit 20kb \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	assert_equal "$(<"$BATS_TEST_TMPDIR/out")" ''
	run -0 cat "$BATS_TEST_TMPDIR/err"
	assert_line --regexp '^q: -> RTM_NEWQDISC flags REQUEST\|ACK\|EXCL\|CREATE seq [0-9]+ ifindex [0-9]+ handle 1: parent root info 0$'
	assert_line '    TCA_KIND "tbf"'
	assert_line '        TCA_TBF_BURST 10Kb'
	assert_line --regexp '^        TCA_TBF_PARMS .* rate\.rate 1Mbit .* limit 20Kb '
	assert_line --regexp '^q: <- NLMSG_ERROR flags CAPPED seq [0-9]+ error 0$'
}

@test "-v -v and --verbose --verbose are -vv; once is not enough" {
	run -0 --separate-stderr inside qbed qdisc -v -n q -v show dev eth1
	[[ $stderr == *'q: -> RTM_GETQDISC'* ]]
	run -0 --separate-stderr inside qbed --verbose qdisc -n q --verbose show dev eth1
	[[ $stderr == *'q: -> RTM_GETQDISC'* ]]
	run -0 --separate-stderr inside qbed -v qdisc -n q show dev eth1
	assert_equal "$stderr" ''
}

@test "-vv leaves the JSON as it is" {
	run -0 --separate-stderr inside qbed -vv --json qdisc -n q show dev eth1
	jq -e '.[0].kind' <<<"$output"
	[[ $stderr == *'q: <- RTM_NEWQDISC'*'TCA_KIND "'* ]]
}

@test "-vv shows a refusal with the kernel's words" {
	run -2 inside qbed -vv class -n q del dev eth1 classid 7:1
	assert_line --regexp '^q: -> RTM_DELTCLASS .* handle 7:1 parent none info 0$'
	assert_line --regexp '^q: <- NLMSG_ERROR flags CAPPED(\|ACK_TLVS)? seq [0-9]+ error (No such file or directory|Invalid argument)$'
}

@test "-vv shows filters with their matches and actions" {
	inside qbed qdisc -n q add dev eth1 root handle 1: htb
	run -0 inside qbed -vv filter -n q add dev eth1 parent 1: protocol ip prio 3 \
		u32 match ip dport 80 0xffff flowid 1:10 action mirred egress redirect dev lo
	assert_line --regexp '^q: -> RTM_NEWTFILTER .* parent 1: info prio 3 protocol 0x0800$'
	assert_line --regexp '^        TCA_U32_SEL .* key 0x00000050/0x0000ffff at 20$'
	assert_line '                TCA_ACT_KIND "mirred"'
	assert_line --regexp '^                    TCA_MIRRED_PARMS .* eaction 1 ifindex 1$'
}

@test "-vv shows every line of a batch, in the namespace that it is for" {
	inside ip netns add r
	run -0 inside qbed -vv batch - <<-'END'
		tc -n q qdisc add dev eth1 root handle 1: pfifo limit 3
		ip -n r link set lo up
	END
	assert_line --regexp '^q: -> RTM_NEWQDISC .* handle 1: parent root info 0$'
	assert_line '    TCA_OPTIONS limit 3'
	assert_line --regexp '^r: -> RTM_NEWLINK '
}

@test "-vv of a topology shows each message once, and none has an attribute without a name" {
	printf '%s\n' 'netns a' 'netns b' 'link a:v b:w queues 2' 'addr a:v 10.0.0.1/24' \
		'addr b:w fd00::2/64' 'route a default via 10.0.0.2' 'qdisc a:v root handle 1: mq' \
		'qdisc a:v parent 1:* tbf rate 1mbit burst 10kb limit 10kb' >"$BATS_TEST_TMPDIR/t"
	run -0 inside qbed -vv topo up "$BATS_TEST_TMPDIR/t"
	assert_equal "$(grep -c '^a: -> RTM_NEWQDISC' <<<"$output")" 3
	assert_equal "$(grep -c '^            VETH_INFO_PEER' <<<"$output")" 1
	# what is sent ends where the first answer begins
	run awk '/ <- / { on = 0 } / -> / { on = 1 } on && /attribute [0-9]|hex:/' <<<"$output"
	assert_output ''
}
