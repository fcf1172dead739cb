# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The differential test: the same words to tc and to qbed, each in a namespace of its own, must
# send the same requests and leave the same state, but for what docs/differences.md lists.
# tests/data/tc-lines/README says how a table is written.
#
#   every case of a table has a device of its own, dN of index 1000 + N, so that one
#   "tc -batch" applies a whole table and one "tc -j show" tells what is left:
#
#	namespace t          namespace q
#	d1 d2 d3 ...         d1 d2 d3 ...        the same indices on both sides
#	nlmon0               nlmon0              what was sent (or tc-log.so, preloaded)
#
# Variables: diff_dir, a scratch directory; diff_tables, diff_rules, diff_jq: the files;
# diff_log: path of tc-log.so, empty to use nlmon.

# diff_parse TABLE: sets up $diff_dir: cases (N<tab>marks<tab>lines<tab>words), batch, links
diff_parse()
{
	awk -v dir="$diff_dir" '
	function line(words, n,    object, verb)
	{
		object = "qdisc"
		verb = "add"
		if (match(words, /^(qdisc|class) /)) {
			object = substr(words, 1, RLENGTH - 1)
			words = substr(words, RLENGTH + 1)
		}
		if (match(words, /^(add|change|replace|del) /)) {
			verb = substr(words, 1, RLENGTH - 1)
			words = substr(words, RLENGTH + 1)
		}
		print object, verb, "dev d" n, words >dir "/batch"
	}
	/^#/ || NF == 0 { next }
	$1 == "-" { nsetup = 0; fresh = 1; next }
	$1 == "+" {
		if (!fresh)
			nsetup = 0
		fresh = 1
		sub(/^\+ /, "")
		setup[++nsetup] = $0
		next
	}
	{
		fresh = 0
		marks = ""
		while ($1 ~ /^@/) {
			marks = marks " " substr($1, 2)
			sub(/^@[^ ]+ /, "")
		}
		n++
		for (i = 1; i <= nsetup; i++)
			line(setup[i], n)
		line($0, n)
		print "qdisc next" >dir "/batch"
		print "link add d" n " index " 1000 + n " numtxqueues 8 type ifb" >dir "/links"
		print "class show dev mark\nclass show dev d" n >dir "/classes"
		print n "\t" substr(marks, 2) "\t" nsetup + 1 "\t" $0 >dir "/cases"
	}' "$1"
}

# diff_net NS
diff_net()
{
	ip netns add "$1"
	ip -n "$1" -batch "$diff_dir/links"
	if [[ -z $diff_log ]]; then
		ip -n "$1" link add nlmon0 type nlmon
		ip -n "$1" link set nlmon0 up
	fi
}

# diff_mark NS: a device with a class that is told from others by its number
diff_mark()
{
	ip -n "$1" link add mark type ifb
	tc -n "$1" -batch - <<-'END'
	qdisc add dev mark root handle f0: htb
	class add dev mark parent f0: classid f0:1 htb rate 8mbit
	END
}

# diff_in NS COMMAND...: run there, what it sends appended to $diff_dir/NS.raw
diff_in()
{
	local ns=$1 code=0
	shift
	if [[ -n $diff_log ]]; then
		nsenter --net="/run/netns/$ns" -- env LD_PRELOAD="$diff_log" TC_LOG="$diff_dir/$ns.raw" \
			ASAN_OPTIONS=verify_asan_link_order=0 "$@" || code=$?
	else
		nsenter --net="/run/netns/$ns" -- tc-capture nlmon nlmon0 "$diff_dir/part" "$@" || code=$?
		(( code != 120 )) || return 120
		cat "$diff_dir/part" >>"$diff_dir/$ns.raw"
	fi
	return "$code"
}

# diff_apply_tc TC NS: the batch; tc-feed starts tc again when it ends at a word
diff_apply_tc()
{
	diff_in "$2" tc-feed "$diff_dir/batch" "$1" -force -batch - >"$diff_dir/$2.out" 2>"$diff_dir/$2.err"
}

# diff_apply_qbed NS: the batch; the lines between the cases fail here as well
diff_apply_qbed()
{
	local code=0
	diff_in "$1" qbed batch --force "$diff_dir/batch" >"$diff_dir/$1.out" 2>"$diff_dir/$1.err" || code=$?
	(( code != 120 ))
}

# diff_state TC NS: what TC shows there, $diff_dir/NS.qdiscs and .classes. Classes as text, which
# has no device's name (and tc 6.1 knows no other): a class of the device "mark" is before each.
# tc writes an hfsc's default class into its JSON as text (7.1 does not), and of a cbq less than half,
# as text as well: so a cbq's text is taken.
diff_state()
{
	local out=$diff_dir/$2.qdiscs
	nsenter --net="/run/netns/$2" -- "$1" -j qdisc show |
		sed -E 's/"options":\{default ([0-9a-f]+) \}/"options":{"default":"0x\1"}/g' >"$out"
	if grep -q '"kind":"cbq"' "$out"; then
		nsenter --net="/run/netns/$2" -- "$1" qdisc show | jq -R -n '[inputs |
			capture("^qdisc (?<kind>[^ ]+) (?<handle>[^ ]+) dev (?<dev>[^ ]+) ((root|parent (?<parent>[^ ]+)) )?(?<text>.*)")]' \
			>"$out"
	fi
	nsenter --net="/run/netns/$2" -- "$1" -batch "$diff_dir/classes" >"$diff_dir/$2.classes"
}

# diff_version TC: "6.1"
diff_version()
{
	"$1" -V | sed -E 's/.*iproute2-([0-9]+\.[0-9]+).*/\1/'
}

# diff_judge MODE KIND VERSION: fails, and says what differs and is not listed; what is listed and
# was seen is added to $diff_used
diff_judge()
{
	local result=$diff_dir/result
	# gojq, if that is what jq is, is twice as fast without its collector, in 400 MiB
	GOGC=off jq -n -r --arg mode "$1" --arg kind "$2" --arg version "$3" \
		--rawfile cases "$diff_dir/cases" --rawfile rules "$diff_rules" \
		--slurpfile t "$diff_dir/t.requests" --slurpfile q "$diff_dir/q.requests" \
		--slurpfile tq "$diff_dir/t.qdiscs" --slurpfile qq "$diff_dir/q.qdiscs" \
		--rawfile tc "$diff_dir/t.classes" --rawfile qc "$diff_dir/q.classes" \
		-f "$diff_jq" >"$result"
	sed -n 's/^used\t//p' "$result" >>"$diff_used"
	sed -n "s/^bad\t/tc $3: /p" "$result" | awk "NR <= 100"
	sed -n "s/^ran\t/$2, tc $3: /p" "$result"
	grep -q '^ran' "$result" && ! grep -q '^bad' "$result"
}

# diff_kernel KIND TC...: the requests that reach the kernel, its answers, and what they leave
diff_kernel()
{
	local kind=$1 tc bad=0
	shift
	diff_parse "$diff_tables/$kind"
	diff_net q
	diff_mark q
	diff_apply_qbed q
	tc-capture decode "$diff_dir/q.raw" >"$diff_dir/q.requests"
	for tc; do
		diff_net t
		diff_mark t
		diff_apply_tc "$tc" t
		tc-capture decode "$diff_dir/t.raw" >"$diff_dir/t.requests"
		diff_state "$tc" t
		diff_state "$tc" q
		diff_judge kernel "$kind" "$(diff_version "$tc")" || bad=1
		ip netns del t
		rm -f "$diff_dir"/t.*
	done
	ip netns del q
	return "$bad"
}

# diff_words KIND TC...: the requests alone; the kernel may lack the kind
diff_words()
{
	local kind=$1 tc bad=0
	shift
	diff_parse "$diff_tables/$kind"
	tc-words <"$diff_dir/batch" >"$diff_dir/q.raw" 2>"$diff_dir/q.err"
	tc-capture decode "$diff_dir/q.raw" >"$diff_dir/q.requests"
	touch "$diff_dir"/{t,q}.{qdiscs,classes}
	for tc; do
		diff_net t
		diff_apply_tc "$tc" t
		tc-capture decode "$diff_dir/t.raw" >"$diff_dir/t.requests"
		diff_judge words "$kind" "$(diff_version "$tc")" || bad=1
		ip netns del t
		rm -f "$diff_dir"/t.raw
	done
	return "$bad"
}

# diff_unused: rows of the list that no case has shown, "ID WHAT"
diff_unused()
{
	awk -F ' *[|] *' -v used="$diff_used" '
		BEGIN {
			while ((getline row <used) > 0)
				seen[row]
		}
		NF > 8 && $2 != "id" && $2 !~ /^-+$/ && !(($2 " " $4) in seen) { print $2, $4 }' "$diff_rules"
}
