# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares what tc and qbed sent and left. In: $kind, $version (of tc), $mode; $cases, $rules as
# text; $t, $q requests; $tq, $qq qdiscs; $tc, $qc classes (text). Out, lines: "bad<tab>TEXT" for a
# difference that no rule lists, "used<tab>ID WHAT" for a rule that one matched, "ran<tab>TEXT".

# "6.15" as a number that can be compared
def version_number: split(".") | (.[0] | tonumber) * 1000 + (.[1] | tonumber);

def applies_to($version):
	if . == "*" then true
	elif startswith("<") then ($version | version_number) < (.[1:] | version_number)
	elif startswith(">=") then ($version | version_number) >= (.[2:] | version_number)
	else error("\(.): *, <VERSION or >=VERSION") end;

# The table of docs/differences.md
def rules:
	[$rules | split("\n")[] | select(startswith("| ")) | ltrimstr("|") | split("|")
	 | map(gsub("^ +| +$"; "") | gsub("`"; "")) | select(length >= 8 and .[0] != "id")
	 | { id: .[0], kinds: (.[1] | split(" ")), where: .[2], tc: .[3], qbed: .[4],
	     against: .[5], lines: .[6] }
	 | if .tc == "*" and .qbed == "*" and .lines != "marked"
	   then error("\(.id): any value on both sides hides faults: mark the lines") else . end
	 | select((.kinds | index("*")) or (.kinds | index($kind)))
	 | select(.against | applies_to($version))];

def value_fits($rule): if $rule == "*" then . != "-" else . == $rule end;
def place_fits($rule):
	if $rule | contains("*")
	then ($rule | split("*")) as $part | startswith($part[0]) and endswith($part[1])
	else . == $rule end;

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

# What is left on a device as { "qdisc PARENT.options.limit": "5" }
def flat($what; $words):
	reduce (to_entries[] | .key as $i | (.value | masked($words)) as $item
		| $item | paths(scalars) as $p
		| { k: "\($what) \($i) \($p | map(tostring) | join("."))", v: getpath($p) | tojson }) as $e
	({}; .[$e.k] = $e.v);

def state($qdiscs; $classes; $words):
	($qdiscs // [] | map(del(.dev)) | sort_by(.parent // "", .handle) | flat("qdisc"; $words))
	+ ($classes | flat("class"; $words));

# Text in which a class of the device "mark" stands before those of each device: a list per device
def by_mark:
	"class htb f0:1 " as $mark | split("\n")
	| reduce (.[] | select(length > 0)) as $line ([];
		if $line | startswith($mark) then . + [[]] else .[-1] += [$line] end)
	| map(sort | map({ text: . }));

# What differs between two flat objects
def differences($a; $b):
	[($a + $b | keys[]) | select($a[.] != $b[.])
	 | { where: ., tc: ($a[.] // "-"), qbed: ($b[.] // "-") }];

def verdict($requests; $lines):
	if ($requests | length) < $lines then "unsent"
	else $requests[-1].errno | if . == 0 then "ok" else "errno \(.)" end end;

def requests($t; $q):
	[range([$t, $q] | map(length) | max) as $i
	 | differences($t[$i].attrs // {}; $q[$i].attrs // {})[]];

# "qdisc 0 options.limit" is "state.options.limit" in a rule
def place: if test("^(qdisc|class) [0-9]+ ") then sub("^(qdisc|class) [0-9]+ "; "state.") else . end;

def show: if length > 70 then "\(.[:60])... (\(length) characters)" else . end;

def judge($case; $rules):
	(.where | place) as $where | . as $d
	| ([$rules[] | select((.where as $w | $where | place_fits($w))
	   and (.tc as $v | $d.tc | value_fits($v)) and (.qbed as $v | $d.qbed | value_fits($v))
	   and (.lines == "all" or (.id as $id | $case.marks | index($id))))][0] // null) as $rule
	| if $rule then { used: $rule.id, row: "\($rule.id) \($rule.where)" }
	  else { bad: "\(.where): tc \(.tc | show), qbed \(.qbed | show)" } end;

def one($case; $rules; $t; $q; $ts; $qs):
	verdict($t; $case.lines) as $tv | verdict($q; $case.lines) as $qv
	| ($case.marks | index("refused")) as $refused
	| [ (if $refused and $tv != "ok" and $qv != "ok" then empty
	     elif $tv != $qv then { where: "verdict", tc: $tv, qbed: $qv }
	     else requests($t; $q)[], differences($ts; $qs)[] end | judge($case; $rules)),
	    (if $tv == $qv and $tv == "ok" and $refused
	     then { bad: "marked as refused and taken" } else empty end),
	    (if $tv == $qv and ($refused | not)
	        and ($tv == "unsent" or ($mode == "kernel" and $tv != "ok"))
	     then { bad: "\($tv) on both sides and not marked as refused" } else empty end),
	    (if $mode == "kernel" and any(($t, $q)[:-1][]; .errno != 0)
	     then { bad: "a set-up line was refused" } else empty end) ]
	| (map(.used // empty) | unique) as $used | (map(.row // empty) | unique) as $rows
	| (map(.bad // empty)
	   + [($case.marks - ["refused"] - $used)[] as $mark
	      | if any($rules[]; .id == $mark) then "marked \"\($mark)\" and nothing of it shown"
	        else empty end]) as $bad
	| ($rows[] | "used\t\(.)"), ($bad[] | "bad\t\($case.words): \(.)");

rules as $rules | ($t[0] | by_dev) as $t | ($q[0] | by_dev) as $q
| ($tq[0] | group_by(.dev) | map({ (.[0].dev): . }) | add // {}) as $tq
| ($qq[0] | group_by(.dev) | map({ (.[0].dev): . }) | add // {}) as $qq
| ($tc | by_mark) as $tc | ($qc | by_mark) as $qc
| (cases[] | . as $case | (1000 + .n | tostring) as $index | "d\(.n)" as $dev
   | one($case; $rules; $t[$index] // []; $q[$index] // [];
         state($tq[$dev]; $tc[.n - 1]; $case.words); state($qq[$dev]; $qc[.n - 1]; $case.words))),
  "ran\t\(cases | length) lines"
