# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel's own tests of tc (tdc), with tc(8) and with qbed in its place: each case must end as it
# does with tc. What may differ is listed, case by case, in docs/differences.md.

bats_load_library bats-support
bats_load_library bats-assert
bats_require_minimum_version 1.5.0

setup_file()
{
	: >"$BATS_FILE_TMPDIR/used"
}

setup()
{
	cd /tdc 2>/dev/null || skip 'no tdc here: it comes with a kernel base'
}

# verdicts FILE [TC]: "ID ok" or "ID not ok", one a line
verdicts()
{
	PYTHONDONTWRITEBYTECODE=1 python3 ./tdc.py -f "$1" ${2:+-p "$2"} 2>&1 |
		sed -nE 's/^(ok|not ok) [0-9]+ ([0-9a-f]{4}) .*/\2 \1/p'
}

# listed: "ID VERDICT-OF-TC VERDICT-OF-QBED", as the table has them
listed()
{
	awk -F ' *[|] *' 'NF == 6 && $2 ~ /^[0-9a-f]{4}$/ { print $2 "|" $3 "|" $4 }' \
		"$BATS_TEST_DIRNAME/../data/differences.md"
}

# same_verdicts NAME: those of tc-tests/NAME.json
same_verdicts()
{
	local file=tc-tests/$1.json theirs ours id verdict their bad=0
	theirs=$(verdicts "$file")
	ours=$(verdicts "$file" /tdc/bin/tc)
	# TAP shows how many there were
	printf '# %s: %s cases, %s ok with tc\n' "$1" "$(wc -l <<<"$theirs")" \
		"$(grep -cv 'not ok' <<<"$theirs")" >&3
	[ "$(wc -l <<<"$theirs")" -eq "$(grep -c '"id"' "$file")" ]
	while read -r id verdict; do
		their=$(sed -n "s/^$id //p" <<<"$theirs")
		[[ $their != "$verdict" ]] || continue
		if listed | grep -qxF "$id|$their|$verdict"; then
			echo "$id" >>"$BATS_FILE_TMPDIR/used"
			continue
		fi
		printf '%s: %s with tc, %s with qbed\n' "$id" "${their:-nothing}" "$verdict"
		bad=1
	done <<<"$ours"
	assert_equal "$(wc -l <<<"$ours")" "$(wc -l <<<"$theirs")"
	return "$bad"
}

@test "netem" {
	same_verdicts qdiscs/netem
}

@test "tbf" {
	same_verdicts qdiscs/tbf
}

@test "htb" {
	same_verdicts qdiscs/htb
}

@test "hfsc" {
	same_verdicts qdiscs/hfsc
}

@test "fq" {
	same_verdicts qdiscs/fq
}

@test "fq_codel" {
	same_verdicts qdiscs/fq_codel
}

@test "prio" {
	same_verdicts qdiscs/prio
}

@test "drr" {
	same_verdicts qdiscs/drr
}

@test "mq" {
	same_verdicts qdiscs/mq
}

@test "what docs/differences.md lists of tdc was seen" {
	assert_equal "$(listed | cut -d'|' -f1 | grep -vxF -f "$BATS_FILE_TMPDIR/used" || :)" ''
}
