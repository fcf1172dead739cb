#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What can be judged without building: shell, spelling, licences, file sizes.
set -euo pipefail
cd "$(dirname "$0")/.."
fail=0

known()
{
	git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -printf '%P\n'
}

complain()
{
	echo "lint: $*" >&2
	fail=1
}

mapfile -t files < <(known | sort -u | while read -r f; do [[ ! -f $f ]] || echo "$f"; done)

shell=()
for file in "${files[@]}"; do
	case $file in
	*.bash | *.sh | bootstrap | .ci/run) shell+=("$file") ;;
	*.bats | *.guest) ;;
	*) ! head -n 1 "$file" | grep -qaE '^#!.*\b(ba)?sh$' || shell+=("$file") ;;
	esac
done
shellcheck -x "${shell[@]}" || fail=1

codespell --quiet-level=2 --ignore-words-list=parm,parms,fo,ot,te,ist \
	"${files[@]}" || fail=1

for file in "${files[@]}"; do
	case $file in
	COPYING | tests/data/* | docs/results/*.txt | .gitignore | *.json | m4/ax_*) continue ;;
	esac
	head -n 5 "$file" | grep -qa 'SPDX-License-Identifier' || grep -qa '^+.*SPDX\|^Subject: ' "$file" ||
		complain "$file: no SPDX-License-Identifier in the first lines"
done

# A file that has grown past one subject.
for file in "${files[@]}"; do
	lines=$(wc -l <"$file")
	case $file in
	*.[ch]) ((lines <= 450)) || complain "$file: $lines lines; split it by subject" ;;
	*.bash | *.sh | testbed/qbed-lab) ((lines <= 280)) || complain "$file: $lines lines; split it by subject" ;;
	esac
done

! grep -nE '[[:space:]]+$' -- "${files[@]}" 2>/dev/null | grep -vE '^(COPYING|[^:]*\.patch|tests/data/)' |
	grep -v '^Binary' | head -n 10 | grep . || complain "white space at the end of lines"

((!fail))
