# SPDX-License-Identifier: GPL-2.0-or-later
#
# Filters of a topology: to a class, to an ifb; made, found, missed, and made again. What needs
# matchall, flower or skbedit is in tests/guest/topo-netem.bats.

load topo

tree=('qdisc tx:eth1 root handle 1: htb default 20' 'class tx:eth1 parent 1: classid 1:10 htb rate 10mbit'
	'class tx:eth1 parent 1: classid 1:20 htb rate 10mbit')
to_class='filter tx:eth1 parent 1: protocol ip prio 1 u32 match ip dport 80 0xffff flowid 1:10'
to_ifb='filter tx:eth1 egress protocol ip u32 match ip dport 82 0xffff action mirred egress redirect dev ifb-eth1'

# sent CLASS: packets that went through a class of tx:eth1
sent()
{
	inside tc -n tx -s class show dev eth1 | awk -v class="$1" '$3 == class { on = 1 } on && /Sent/ { print $4; exit }'
}

@test "a filter steers to a class" {
	topology t "${addresses[@]}" "${tree[@]}" "$to_class"
	run -0 inside qbed topo up t
	assert_output ''
	assert_equal "$(sent 1:10)" 0
	inside ip netns exec tx bash -c 'echo x >/dev/udp/10.0.1.2/80; echo x >/dev/udp/10.0.1.2/80'
	assert_equal "$(sent 1:10)" 2
	inside ip netns exec tx bash -c 'echo x >/dev/udp/10.0.1.2/81'
	assert_equal "$(sent 1:10)" 2
}

@test "a filter sends what leaves to the ifb of an ingress, whose own filter is there too" {
	topology t "${addresses[@]}" 'ingress tx:eth1 handle 1: htb default 20' \
		'class tx:ifb-eth1 parent 1: classid 1:20 htb rate 10mbit' "$to_ifb" \
		'filter tx:ifb-eth1 parent 1: protocol ip u32 match ip dport 82 0xffff flowid 1:20'
	run -0 inside qbed topo up -v t
	assert_line --regexp '^ingress tx:eth1 filter (u32|matchall) to ifb-eth1$'
	assert_line --regexp '^filter tx:eth1 egress protocol ip pref 49152 u32 .* match 00000052/0000ffff at 20 .*Egress Redirect to device ifb-eth1'
	assert_line --regexp '^filter tx:ifb-eth1 parent 1: protocol ip pref 49152 u32 .*flowid 1:20'
	run -0 inside tc -n tx -j qdisc show dev eth1 ingress
	assert_output --partial '"kind":"clsact"'
	inside ip netns exec tx bash -c 'echo x >/dev/udp/10.0.1.2/82'
	run -0 inside sh -c 'ip -n tx -s -j link show ifb-eth1 | jq ".[0].stats64.rx.packets + .[0].stats64.tx.packets > 0"'
	assert_output true
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# unchanged'
	inside qbed topo down t
	nothing_of_ours
}

@test "check names a filter that is gone, another one, and one more by hand" {
	topology t "${tree[@]}" "$to_class" 'filter rx:eth1 ingress protocol ip u32 match ip dport 9 0xffff action mirred ingress redirect dev eth1'
	inside qbed topo up t
	run -0 inside qbed topo check t
	inside tc -n tx filter del dev eth1 parent 1: protocol ip prio 1
	run -2 inside qbed topo check t
	assert_line --regexp '^- filter tx:eth1 parent 1: protocol ip pref 1 u32 .*flowid 1:10'
	inside tc -n tx filter add dev eth1 parent 1: protocol ip prio 1 u32 match ip dport 80 0xffff flowid 1:20
	run -2 inside qbed topo check t
	assert_line --regexp '^\+ filter tx:eth1 parent 1: protocol ip pref 1 u32 .*flowid 1:20'
	run -0 inside qbed topo up -v t
	assert_line --index 0 '# made again'
	run -0 inside qbed topo check t
	inside tc -n rx filter add dev eth1 ingress prio 7 protocol ip u32 match u32 0 0 action mirred ingress redirect dev eth1
	run -2 inside qbed topo check t
	assert_line --regexp '^\+ filter rx:eth1 ingress protocol ip pref 7 u32 '
	refute_line --regexp '^-'
	inside tc -n rx qdisc del dev eth1 clsact
	run -2 inside qbed topo check t
	assert_line --partial '- qdisc rx:eth1 parent ffff:fff1 clsact'
	assert_line --regexp '^- filter rx:eth1 ingress '
	inside qbed topo up t
	run -0 inside qbed topo check t
}

@test "a document with filters is taken again, under another prefix too" {
	topology t "${tree[@]}" "$to_class" 'ingress tx:eth1 pfifo limit 5' "$to_ifb"
	inside qbed topo up --prefix p- t
	run -0 inside qbed topo show --json --prefix p- t
	printf '%s\n' "$output" >t.json
	run -0 jq -c '.links[0].filters[] | [.parent, .kind, .pref, .options.flowid, .options.actions[0].to_dev]' t.json
	assert_output '["egress","u32",49152,null,"ifb-eth1"]
["1:","u32",1,"1:10",null]'
	run -0 inside qbed topo up -v t.json
	assert_line --index 0 '# unchanged'
	inside qbed topo down t.json
	nothing_of_ours
	inside qbed topo up t.json
	run -0 inside qbed topo check t.json
}

@test "wrong words, devices and classes of a filter are told by their place, before anything is made" {
	topology t "${tree[@]}" 'filter tx:eth1 parent 1: protocol ip u32 match ip foo 3 flowid 1:10'
	run -1 inside qbed topo up t
	assert_line 'qbed: t:7:51: u32: match: unknown word "foo" after "ip"'
	topology t 'filter tx:eth1 egress matchall action mirred egress redirect dev eth2'
	run -1 inside qbed topo up --dry-run t
	assert_line 'qbed: t:4:66: "eth2": no line makes that device where the filter is'
	topology t 'filter tx:eth1 ingress dev eth1 matchall action drop'
	run -1 inside qbed topo up t
	assert_line --partial 'qbed: t:4: "dev": the device is "tx:eth1" already'
	topology t 'filter tx:eth1 ingress protocol ip'
	run -1 inside qbed topo up t
	assert_line --partial 't:4: a classifier is needed: '
	topology t "${tree[@]}" "${to_class/1:10/1:30}"
	run -0 inside qbed topo up --dry-run t
	assert_line 'qbed: warning: t:7: filter u32: no line "class" makes the class 1:30'
	nothing_of_ours
}

@test "a classifier or action that the kernel lacks is exit 4 with its option, and nothing stays" {
	topology t 'filter tx:eth1 egress matchall action skbedit queue_mapping 1'
	run inside qbed topo up t
	((status == 0)) && skip 'this kernel has both'
	assert_equal "$status" 4
	assert_line --regexp 't:4: filter tx:eth1 egress .*: this kernel lacks CONFIG_NET_(CLS_MATCHALL|ACT_SKBEDIT)'
	nothing_of_ours
}

@test "a filter that the kernel refuses takes all of the topology back" {
	topology t 'qdisc tx:eth1 root handle 1: mq' 'filter tx:eth1 parent 1: protocol ip u32 match u32 0 0 flowid 1:1'
	run -2 inside qbed topo up t
	assert_line --partial 't:5: filter tx:eth1 parent 1: protocol ip u32 match u32 0 0 flowid 1:1: '
	nothing_of_ours
}
