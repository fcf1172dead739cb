# SPDX-License-Identifier: GPL-2.0-or-later
#
# The main use of the lab: a developer's own tree. A repository is made up in which a commit makes
# the retire timer late, and git bisect has to find it. Builds kernels, each an incremental build of
# one file.

bats_load_library bats-support
bats_load_library bats-assert
load lab

bats_require_minimum_version 1.5.0

# change NAME SED-EXPRESSION: one more commit, with af_packet.c changed
change()
{
	local name=$1 blob tree
	git show "HEAD:$file" | sed "$2" >"$BATS_FILE_TMPDIR/changed"
	blob=$(git hash-object -w "$BATS_FILE_TMPDIR/changed")
	git read-tree HEAD
	git update-index --cacheinfo "100644,$blob,$file"
	tree=$(git write-tree)
	git update-ref HEAD "$(git commit-tree -p HEAD -m "$name" "$tree")"
	git tag "$name"
}

setup_file()
{
	lab_shared_cache
	file=net/packet/af_packet.c
	GIT_DIR=$BATS_FILE_TMPDIR/linux.git
	GIT_AUTHOR_NAME=nobody GIT_AUTHOR_EMAIL=nobody@example.org
	GIT_COMMITTER_NAME=nobody GIT_COMMITTER_EMAIL=nobody@example.org
	export file GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
	image=$("$lab" build 6.1 after plain 3>&-)
	tree=$(jq -r .tree "${image%/*}/meta.json")

	export GIT_DIR
	git init -q --bare "$GIT_DIR"
	printf '%s\n' "$cache/sources.git/objects" >"$GIT_DIR/objects/info/alternates"
	git update-ref HEAD "$(git commit-tree -m start "$tree")"
	git tag start
	change harmless '1i /* a comment */'
	change broken '1i #error this revision does not build'
	change fixed '1d'
	change late 's/ms_to_ktime(/ms_to_ktime(2 * /'
	change later '1i /* another comment */'
	unset GIT_DIR
	export repo=$BATS_FILE_TMPDIR/linux.git
}

short=(run retire --seed 1 --set tovs=2ms --set duration=300ms)
bound='retire.after.p99_ns<=2100000'

@test "a bound that holds is exit code 0, one that does not is 2" {
	run -0 "$lab" "${short[@]}" --tree "$repo" --after start --expect "$bound" \
		--output "$BATS_TEST_TMPDIR/out"
	run -0 jq -r .environment.source_tree "$BATS_TEST_TMPDIR/out/"*.json
	assert_output "$(git -C "$repo" rev-parse 'start^{tree}')"
	run -2 "$lab" "${short[@]}" --tree "$repo" --after late --expect "$bound"
}

@test "a revision that does not build fails, and is skipped in a bisection" {
	run -2 "$lab" "${short[@]}" --tree "$repo" --after broken --expect "$bound"
	assert_output --partial 'this revision does not build'
	run -125 "$lab" "${short[@]}" --tree "$repo" --after broken --expect "$bound" --bisect
}

@test "a revision that does not exist is named, and ends a bisection" {
	run -1 "$lab" "${short[@]}" --tree "$repo" --after nonsense
	assert_output --partial "'nonsense'"
	run -128 "$lab" "${short[@]}" --tree "$repo" --after nonsense --bisect
}

@test "git bisect run finds the commit that made the timer late" {
	cd "$repo"
	git bisect start --no-checkout later start
	run -0 git bisect run "$lab" "${short[@]}" --tree "$repo" --after BISECT_HEAD --bisect \
		--expect "$bound"
	assert_output --partial "$(git rev-parse late) is the first bad commit"
}
