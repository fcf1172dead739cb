# SPDX-License-Identifier: GPL-2.0-or-later
#
# The patches of every base: they apply with git am and no fuzz to the pristine source, they are in
# the style of the kernel, and every step of a series compiles.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

setup()
{
	patches=$root/kernel-patches
	lab_functions
}

# series_names BASE: arms of its series, and "boot"
series_names()
{
	lab_base_arms "$1"
	printf 'boot\n'
}

# series_patches BASE: files of all its patches
series_patches()
{
	local arm
	for arm in $(series_names "$1"); do
		lab_arm_patches "$1" "$arm"
	done | sort -u
}

# series_repo BASE DIR FILE...: a repository whose HEAD is the base, with the files that the patches
# touch and no others in its work tree
series_repo()
{
	local base=$1 dir=$2 commit
	shift 2
	commit=$(lab_base_commit "$base")
	git init -q "$dir"
	printf '%s\n' "$lab_cache/sources.git/objects" >"$dir/.git/objects/info/alternates"
	git -C "$dir" config user.name 'qbed tests'
	git -C "$dir" config user.email tests@localhost
	git -C "$dir" config core.sparseCheckout true
	sed -nE 's,^(---|\+\+\+) [ab]/,/,p' "$@" | sort -u >"$dir/.git/info/sparse-checkout"
	git -C "$dir" update-ref HEAD "$commit"
	git -C "$dir" read-tree -m -u HEAD
}

@test "every arm of every base applies with git am to the pristine source" {
	local base arm dir files
	for base in $(lab_bases); do
		for arm in $(series_names "$base"); do
			dir=$BATS_TEST_TMPDIR/$base-$arm
			mapfile -t files < <(lab_arm_patches "$base" "$arm")
			# stock
			(( ${#files[@]} )) || continue
			series_repo "$base" "$dir" "${files[@]}"
			run -0 git -C "$dir" am "${files[@]}"
			# what the lab builds is what git am gives
			[[ $arm == boot ]] ||
				assert_equal "$(git -C "$dir" rev-parse 'HEAD^{tree}')" "$(lab_arm_tree "$base" "$arm")"
		done
	done
}

@test "series and directory name the same patches" {
	local base
	for base in $(lab_bases); do
		# one of another base's directory is in that one's series
		run -0 diff <(series_patches "$base" | grep -vF /../) \
			<(find "$patches/$base" -name '*.patch' | sort)
	done
}

@test "checkpatch --strict has nothing to say about any patch" {
	local base patch dir
	for base in $(lab_bases); do
		# outside of any repository, where it would look for commits
		dir=$BATS_TEST_TMPDIR/$base
		mkdir -p "$dir"
		lab_git archive "$(lab_base_commit "$base")" scripts/checkpatch.pl scripts/spelling.txt \
			scripts/const_structs.checkpatch | tar -x -C "$dir"
		for patch in $(series_patches "$base"); do
			cd "$dir"
			run -0 perl scripts/checkpatch.pl --strict --no-tree "$patch"
			assert_output --partial 'total: 0 errors, 0 warnings, 0 checks'
		done
	done
}

@test "every patch says where it comes from and keeps to 75 columns" {
	local patch
	for patch in "$patches"/*/*.patch; do
		run -0 grep -cE '^Upstream-Status: (Backport|Inappropriate|Pending|Submitted) \[.+\]$' "$patch"
		assert_output 1
		run -0 grep -c '^Signed-off-by: ' "$patch"
		run -0 awk 'seen && length > 75 && !/^Signed-off-by:/ { print } /^$/ { seen = 1 } /^---$/ { exit }' "$patch"
		assert_output ''
		# a test aid says so in its title and in its first words
		if [[ ${patch##*/} == test-aid-* ]]; then
			run -0 grep -c '^Subject: \[PATCH\] test-aid: ' "$patch"
			run -0 grep -c '^Not for merging' "$patch"
		elif grep -q '^Upstream-Status: Backport' "$patch"; then
			run -0 grep -cE '^Link: https://git.kernel.org/linus/[0-9a-f]{40}$' "$patch"
		fi
	done
}

@test "every step of every series compiles" {
	local base arm files file tree touched
	for base in $(lab_bases); do
		for arm in $(series_names "$base"); do
			tree=$(lab_git rev-parse "$(lab_base_commit "$base")^{tree}")
			mapfile -t files < <(lab_arm_patches "$base" "$arm")
			for file in "${files[@]}"; do
				tree=$(lab_tree_apply "$tree" "$file")
				mapfile -t touched < <(sed -nE 's,^\+\+\+ b/(.*)\.c$,\1.o,p' "$file")
				run -0 lab_tree_compile "$base" "$tree" plain "${touched[@]}"
				refute_output --partial warning:
			done
		done
	done
}
