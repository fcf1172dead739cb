# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares what tc and qbed sent and left. In: $kind, $version (of tc), $mode; $cases, $rules as
# text; $t, $q requests; $tq, $qq qdiscs; $tc, $qc classes (text). Out, lines: "bad<tab>TEXT" for a
# difference that no rule lists, "used<tab>ID WHAT" for a rule that one matched, "ran<tab>TEXT".
# In $mode "words" the kernel's part does not count.

# "6.15" as a number that can be compared
def version_number: split(".") | (.[0] | tonumber) * 1000 + (.[1] | tonumber);

def applies_to($version):
	if . == "*" then true
	elif startswith("<") then ($version | version_number) < (.[1:] | version_number)
	elif startswith(">=") then ($version | version_number) >= (.[2:] | version_number)
	else error("\(.): *, <VERSION or >=VERSION") end;

# The table of docs/differences.md: "exact" by what it is about, "wild" with a "*" in that
def rules:
	[$rules | split("\n")[] | select(startswith("| ")) | ltrimstr("| ") | split(" | ")
	 | select(length >= 8 and .[0] != "id")
	 | { id: .[0], kinds: (.[1] | split(" ")), what: .[2],
	     tc: .[3], qbed: .[4], against: .[5], lines: .[6] }
	 | if .tc == "*" and .qbed == "*" and .lines != "marked"
	   then error("\(.id): any value on both sides hides faults: mark the lines") else . end
	 | select(.against | applies_to($version))]
	| { ids: map(.id), exact: (map(select(.what | contains("*") | not)) | group_by(.what)
		| map({ (.[0].what): . }) | add // {}),
	    wild: map(select(.what | contains("*")) | . + (.what | split("*") | { head: .[0], tail: .[1] })) };

def value_fits($rule): if $rule == "*" then . != "-" else . == $rule end;
def cases:
	$cases | split("\n") | map(select(length > 0) | split("\t")
	| { n: (.[0] | tonumber), marks: (.[1] | split(" ")), lines: (.[2] | tonumber),
	    words: .[3] });

def by_dev: reduce .[] as $r ({}; .[$r.dev | tostring] += [$r]);

# Handles that the kernel chose (8001: and on), and a seed that nobody asked for, differ each time.
def masked($words):
	if $words | test("\\b[89a-f][0-9a-f]{3}:") then .
	else walk(if type == "string" then gsub("\\b[89a-f][0-9a-f]{3}:"; "chosen:") else . end) end
	| if $words | test("\\bseed ") then . else walk(if type == "object" then del(.seed) else . end) end;

# What is left on a device as { "pfifo 1: root options.limit": "5" }, the kind in front
def flat($words):
	reduce (.[] | masked($words) as $item | $item | paths(scalars) as $p
		| { k: "\(.kind) \(.handle) \(.parent // "root") \($p | map(tostring) | join("."))",
		    v: getpath($p) | tostring }) as $e
	({}; .[$e.k] = $e.v);

def state($words):
	(.qdiscs // [] | map(del(.dev)) | flat($words)) + (.classes // [] | flat($words));

# Text in which a class of the device "mark" stands before those of each device: a list per device
def by_mark:
	"class htb f0:1 " as $mark | split("\n")
	| reduce (.[] | select(length > 0)) as $line ([];
		if $line | startswith($mark) then . + [[]] else .[-1] += [$line] end)
	| map(map((split(" ")) as $w | { kind: $w[1], handle: $w[2], parent: "class", text: . }));

# What differs between two flat objects
def differences($a; $b):
	($a + $b | keys[]) | select($a[.] != $b[.])
	| { where: ., tc: ($a[.] // "-"), qbed: ($b[.] // "-") };

# "pfifo 1: root options.limit" is "state.options.limit" of pfifo in a rule. Most are the same as they
# stand, and need not be taken apart.
def state_differences($a; $b; $words):
	if $a == $b then empty
	else differences($a | state($words); $b | state($words)) | (.where | split(" ")) as $part
	     | . + { kind: $part[0], where: "state.\($part[3])", at: "\($part[0]) \($part[1]) " } end;

def verdict($requests; $lines):
	if ($requests | length) < $lines then "unsent"
	elif $mode == "words" then "sent"
	else $requests[-1].errno | if . == 0 then "ok" else "errno \(.)" end end;

def request_differences($t; $q):
	range([$t, $q] | map(length) | max) as $i
	| (($t[$i].attrs.kind // $q[$i].attrs.kind) // "") as $kind
	| if $t[$i].attrs == $q[$i].attrs then empty
	  else differences($t[$i].attrs // {}; $q[$i].attrs // {}) | . + { kind: $kind } end;

def show: if length > 70 then "\(.[:60])... (\(length) characters)" else . end;

def judge($case; $rules):
	. as $d
	| first(($rules.exact[.where][]?,
	         ($rules.wild[] | select(.head as $h | .tail as $t
	          | $d.where | startswith($h) and endswith($t)))
	         | select(((.kinds | index($d.kind)) or .kinds[0] == "*")
	           and (.tc as $v | $d.tc | value_fits($v)) and (.qbed as $v | $d.qbed | value_fits($v))
	           and (.lines == "all" or (.id as $id | $case.marks | index($id))))
	         | { used: .id, row: "\(.id) \(.what)" }),
	        { bad: "\(.at // "")\(.where): tc \(.tc | show), qbed \(.qbed | show)" });

# Of one line: what is wrong with the table, and with its marks
def table_faults($case; $t; $q; $verdict):
	($case.marks | index("asked")) as $asked
	| (($case.marks | index("refused")) // $asked) as $refused
	| if $asked and $verdict == "unsent" then { bad: "marked as asked and unsent" }
	  elif $refused and $verdict == "ok" then { bad: "marked as refused and taken" }
	  elif ($refused | not) and $verdict != "ok" and $verdict != "sent"
	  then { bad: "\($verdict) on both sides and not marked as refused" }
	  else empty end,
	  if $mode == "kernel" and any(($t, $q)[:-1][]; .errno != 0)
	  then { bad: "a set-up line was refused" } else empty end;

def stale_marks($case; $rules; $used):
	if $mode == "words" then empty
	else ($case.marks - ["refused"] - $used)[] as $mark
	     | select($rules.ids | index($mark)) | "marked \"\($mark)\" and nothing of it shown" end;

def one($case; $rules; $t; $q; $ts; $qs):
	verdict($t; $case.lines) as $tv | verdict($q; $case.lines) as $qv
	| [ (if $tv == $qv then request_differences($t; $q), state_differences($ts; $qs; $case.words)
	     elif ($case.marks | index("refused")) and
	          ($mode == "words" or ($tv != "ok" and $qv != "ok")) then empty
	     else { kind: $kind, where: "verdict", tc: $tv, qbed: $qv } end | judge($case; $rules)),
	    if $tv == $qv then table_faults($case; $t; $q; $tv) else empty end ]
	| (map(.used // empty) | unique) as $used
	| (map(.row // empty) | unique[] | "used\t\(.)"),
	  (map(.bad // empty)[], stale_marks($case; $rules; $used) | "bad\t\($case.words): \(.)");

rules as $rules | ($t[0] | by_dev) as $t | ($q[0] | by_dev) as $q
| (if $mode == "words" then {} else $tq[0] | group_by(.dev) | map({ (.[0].dev): . }) | add end) as $tq
| (if $mode == "words" then {} else $qq[0] | group_by(.dev) | map({ (.[0].dev): . }) | add end) as $qq
| ($tc | by_mark) as $tc | ($qc | by_mark) as $qc
| (cases[] | (1000 + .n | tostring) as $index | "d\(.n)" as $dev
   | one(.; $rules; $t[$index] // []; $q[$index] // [];
         { qdiscs: $tq[$dev], classes: $tc[.n - 1] }; { qdiscs: $qq[$dev], classes: $qc[.n - 1] })),
  "ran\t\(cases | length) lines"
