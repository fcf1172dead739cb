# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The work that is measured, W(N), in the words of each way:
#
#            hub                       leaf1 .. leafN
#      h1 ---------- veth, 8+8 queues ---------- eth0   mq, 8 children
#      hN ------------------------------------- eth0   (tbf, or netem)
#
# An address on each end, all up, lo too.

QUEUES=8

# work_child: the qdisc of a queue: netem where the kernel has it
work_child()
{
	if [[ ${BENCH_CHILD:-} == netem ]]; then
		echo 'netem limit 1000 delay 6ms'
	else
		echo 'tbf rate 10mbit burst 10k latency 10ms'
	fi
}

# work_net I: the first three bytes of the addresses of link I
work_net()
{
	echo "10.$(($1 / 256)).$(($1 % 256))"
}

# work_topology N: for qbed
work_topology()
{
	local i
	echo 'netns hub'
	for ((i = 1; i <= $1; i++)); do
		echo "netns leaf$i"
	done
	for ((i = 1; i <= $1; i++)); do
		echo "link hub:h$i leaf$i:eth0 queues $QUEUES"
	done
	for ((i = 1; i <= $1; i++)); do
		echo "addr hub:h$i $(work_net $i).1/24"
		echo "addr leaf$i:eth0 $(work_net $i).2/24"
		echo "qdisc leaf$i:eth0 root handle 1: mq"
		echo "qdisc leaf$i:eth0 parent 1:* $(work_child)"
	done
}

# work_link I: what ip says after "ip" to make the pair in place
work_link()
{
	echo "link add name h$1 netns hub numtxqueues $QUEUES numrxqueues $QUEUES type veth" \
		"peer name eth0 netns leaf$1 numtxqueues $QUEUES numrxqueues $QUEUES"
}

# work_tc: the lines of a leaf for tc
work_tc()
{
	local q child
	child=$(work_child)
	echo 'qdisc add dev eth0 root handle 1: mq'
	for ((q = 1; q <= QUEUES; q++)); do
		echo "qdisc add dev eth0 parent 1:$q $child"
	done
}

# work_loop N: one process per command
work_loop()
{
	local i line
	echo 'set -e; ip netns add hub; ip -n hub link set lo up'
	for ((i = 1; i <= $1; i++)); do
		echo "ip netns add leaf$i"
		echo "ip -n leaf$i link set lo up"
		echo "ip $(work_link $i)"
		echo "ip -n hub addr add $(work_net $i).1/24 dev h$i"
		echo "ip -n leaf$i addr add $(work_net $i).2/24 dev eth0"
		echo "ip -n hub link set h$i up"
		echo "ip -n leaf$i link set eth0 up"
		work_tc | sed "s/^/tc -n leaf$i /"
	done
}

# work_files FROM TO DIR TAG: what -batch reads: TAG.netns and TAG.links for all, hub and leaves
work_files()
{
	local i dir=$3 tag=$4
	work_tc >"$dir/tc"
	for ((i = $1; i <= $2; i++)); do
		echo "netns add leaf$i" >&3
		work_link $i >&4
		echo "addr add $(work_net $i).1/24 dev h$i" >&5
		echo "link set h$i up" >&5
		printf 'link set lo up\naddr add %s.2/24 dev eth0\nlink set eth0 up\n' "$(work_net $i)" \
			>"$dir/leaf$i"
	done 3>"$dir/$tag.netns" 4>"$dir/$tag.links" 5>"$dir/$tag.hub"
}

# work_batch N DIR: ip -batch, then one ip -batch and one tc -batch per leaf
work_batch()
{
	local i dir=$2
	work_files 1 "$1" "$dir" all
	echo 'set -e; ip netns add hub; ip -n hub link set lo up'
	echo "ip -batch $dir/all.netns"
	echo "ip -batch $dir/all.links"
	echo "ip -n hub -batch $dir/all.hub"
	for ((i = 1; i <= $1; i++)); do
		echo "ip -n leaf$i -batch $dir/leaf$i"
		echo "tc -n leaf$i -batch $dir/tc"
	done
}

# work_best_job FROM TO DIR TAG: a half: qdiscs before the links are up, and no mount namespace
# of its own for each process, as "ip -n" makes it
work_best_job()
{
	local i
	work_files "$@"
	echo "set -e; ip -batch $3/$4.netns; ip -batch $3/$4.links"
	echo "nsenter --net=/run/netns/hub ip -batch $3/$4.hub"
	for ((i = $1; i <= $2; i++)); do
		echo "nsenter --net=/run/netns/leaf$i tc -batch $3/tc"
		echo "nsenter --net=/run/netns/leaf$i ip -batch $3/leaf$i"
	done
}

# work_best N DIR: two jobs
work_best()
{
	work_best_job 1 "$(($1 / 2))" "$2" one >"$2/one.sh"
	work_best_job "$(($1 / 2 + 1))" "$1" "$2" two >"$2/two.sh"
	echo 'set -e; ip netns add hub; ip -n hub link set lo up'
	echo "sh $2/one.sh & one=\$!"
	echo "sh $2/two.sh"
	# shellcheck disable=SC2016 # for the script that is written
	echo 'wait $one'
}

# work_down_loop N: namespaces deleted one by one
work_down_loop()
{
	local i
	echo 'set -e; ip netns del hub'
	for ((i = 1; i <= $1; i++)); do
		echo "ip netns del leaf$i"
	done
}
