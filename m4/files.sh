#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes files.am, the lists of files that Makefile.am includes: each list is
# a pattern over what git knows. A tarball carries the result.
set -eu
cd "$(dirname "$0")/.."

known=$(git ls-files --cached --others --exclude-standard | sort -u | while read -r file; do
	[ ! -e "$file" ] || echo "$file"
done)

# list NAME PATTERN [EXCEPT]: NAME = the known files that match
list()
{
	printf '\n%s =' "$1"
	echo "$known" | grep -E "$2" | grep -vE "${3:-^$}" | while read -r file; do
		printf ' \\\n\t%s' "$file"
	done
	printf '\n'
}

{
	echo "# Written by m4/files.sh; see there."
	list helper_sources '^tc-helpers/.*\.[ch]$' '^tc-helpers/main\.c$'
	list guest_programs '^testbed/guest/.*\.c$' | sed 's/\.c\( \\\)\?$/\1/'
	list unit_tests '^tests/unit/test-.*\.c$' | sed 's/\.c\( \\\)\?$/\1/'
	list fuzz_tests '^tests/fuzz/fuzz-.*\.c$' | sed 's/\.c\( \\\)\?$/\1/'
	list bats_tests '^tests/bats/.*\.bats$'
	list guest_tests '^tests/guest/.*\.guest$'
	list man_sources '^docs/man/.*\.scd$'
	list lab_scripts '^testbed/(qbed-lab|demo|matrix|guest/init|experiments/[^/]*/run)$'
	list lab_data '^(testbed|kernel-patches)/' \
		'^testbed/(qbed-lab|demo|matrix|guest/init|experiments/[^/]*/run)$|\.c$|/\.gitignore$'
	# whatever no list above names is only carried along in a tarball
	list other_files '.' \
		'^(configure\.ac|Makefile\.am|tc-helpers/.*\.[ch]|docs/man/.*|testbed/.*|kernel-patches/.*|tests/(unit/test|fuzz/fuzz)-.*\.c)$'
} >files.am.tmp
# an unchanged list stays as old as it is, so that nothing is made again
if cmp -s files.am.tmp files.am; then
	rm files.am.tmp
else
	mv files.am.tmp files.am
fi
