# SPDX-License-Identifier: GPL-2.0-or-later
#
# qbed-lab build: from a base, a series or a tree to an image in the cache. On a kernel of our own
# that builds in a blink; build-kernel.bats does the same on a real one.

bats_load_library bats-support
bats_load_library bats-assert
load lab
load fake-kernel

bats_require_minimum_version 1.5.0

setup()
{
	fake_kernel_setup
	cache=$QBED_CACHE
	tree=$cache/build/fake-plain/tree
}

# build ARG...: sets image, the path of what was built
build()
{
	run --separate-stderr -0 "$lab" build "$@"
	image=$output
	assert [ -s "$image" ]
}

# build_refused CODE TEXT ARG...: exit code CODE, TEXT on stderr, no output
build_refused()
{
	local code=$1 text=$2
	shift 2
	run --separate-stderr -"$code" "$lab" build "$@"
	assert_equal "$output" ''
	output=$stderr assert_output --partial "$text"
}

images() { find "$cache/images" -mindepth 1 -maxdepth 1 | wc -l; }

@test "each arm has its own patches, in the order of the series" {
	build fake before
	assert grep -q 'pinned = 0' "$image"
	build fake after
	assert grep -q 'pinned = 2' "$image"
	run -0 jq -r '.base, .flavour, .release, .compiler' "${image%/*}/meta.json"
	assert_output $'fake\nplain\n1.2.3\nfakecc 1'
	assert_equal "$(jq -r .image_sha256 "${image%/*}/meta.json")" "$(sha256sum <"$image" | cut -d' ' -f1)"
}

@test "the tarball's own .gitignore hides nothing, modes and links are kept" {
	build fake before
	run -0 env GIT_DIR="$cache/sources.git" git ls-tree -r "$(jq -r .tree "${image%/*}/meta.json")"
	assert_line --regexp '^100755 .*src/run.sh$'
	assert_line --regexp '^120000 .*src/link$'
	assert_line --regexp '^100644 .*\.gitignore$'
	assert_line --regexp 'arch/arm/boot.c$'
}

@test "a build tree holds only what a build for x86 reads, with the links it has" {
	build fake before
	assert [ ! -e "$tree/arch/arm/boot.c" ]
	assert [ -L "$tree/src/link" ]
}

@test "what the cache has is not built again" {
	build fake before
	local first=$image
	rm "$tree/Makefile"
	build fake before
	assert_equal "$image" "$first"
	refute [ -e "$tree/Makefile" ]
}

@test "tree, flavour, fragment and compiler each change the key" {
	local seen=()
	build fake before
	seen+=("$image")
	build fake after
	seen+=("$image")
	build fake before lockstat
	seen+=("$image")
	printf 'CONFIG_BUS=y\n' >"$BATS_TEST_TMPDIR/own.config"
	build fake before --config "$BATS_TEST_TMPDIR/own.config"
	seen+=("$image")
	assert grep -q CONFIG_BUS=y "$image"
	fake_compiler 2
	build fake before
	seen+=("$image")
	assert_equal "$(printf '%s\n' "${seen[@]}" | sort -u | wc -l)" 5
}

@test "a fragment that says what is said already does not change the key" {
	build fake before
	local first=$image
	printf '# CONFIG_BUS is not set\nCONFIG_NET=y\n' >"$BATS_TEST_TMPDIR/own.config"
	printf 'CONFIG_BUS=n\n' >>"$QBED_KERNEL_PATCHES/config/common.config"
	build fake before
	local second=$image
	build fake before --config "$BATS_TEST_TMPDIR/own.config"
	assert_equal "$image" "$second"
	assert [ "$first" != "$second" ]
}

@test "a second arm compiles only what differs" {
	build fake before
	build fake after
	run -0 grep -c '^  CC ' "$cache/build/fake-plain/build.log"
	assert_output 1
}

@test "an incremental image equals one from a clean build somewhere else" {
	build fake before
	build fake after
	rm -r "${image%/*}"
	build fake before lockstat
	build fake after
	local incremental=$image
	QBED_CACHE=$BATS_TEST_TMPDIR/other/cache
	build fake after
	assert [ "$image" != "$incremental" ]
	assert cmp "$image" "$incremental"
}

@test "a build that fails ends with 2, shows why, and leaves nothing in the cache" {
	fake_kernel_patch "$BATS_TEST_TMPDIR/bad.patch" src/main.c 's/.*/#error wrong turn/'
	build_refused 2 'wrong turn' fake --series "$BATS_TEST_TMPDIR/bad.patch"
	output=$stderr assert_output --partial "$cache/build/fake-plain/build.log"
	assert_equal "$(images)" 0
	build fake before
}

# slow_build COMMAND...: it, once it is compiling what takes minutes; sets pid, which leads a session
slow_build()
{
	rm -f "${tree%/*}/compiling"
	# a background process of a script ignores SIGINT otherwise, and one below nohup SIGHUP
	env --default-signal=INT,HUP setsid "$@" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	pid=$!
	within 60 [ -e "${tree%/*}/compiling" ]
}

# slow_patch FILE: what makes it slow
slow_patch() { fake_kernel_patch "$1" src/timer.c 's/end/SLOW/'; }

# no_build_runs: whatever a build starts has the lock of its tree open
no_build_runs() { flock -n "${tree%/*}.lock" true; }

@test "a build that was killed is made whole by the next one" {
	build fake before
	slow_patch "$BATS_TEST_TMPDIR/slow.patch"
	slow_build "$lab" build fake --series "$BATS_TEST_TMPDIR/slow.patch"
	kill -KILL -- "-$pid"
	wait "$pid" || :
	within 20 no_build_runs
	assert_equal "$(cat "$tree/src/timer.o")" half
	assert_equal "$(images)" 1
	# the object is newer than its source: without care make would take it
	build fake after
	output=$stderr assert_output --partial 'was killed'
	refute grep -q half "$image"
	local healed=$image
	QBED_CACHE=$BATS_TEST_TMPDIR/other
	build fake after
	assert cmp "$image" "$healed"
}

@test "a lab takes its build along, however it ends, and the next build gives the same image" {
	local signal code sum
	build fake after
	sum=$(sha256sum <"$image")
	slow_patch "$BATS_TEST_TMPDIR/slow.patch"
	while read -r signal code; do
		slow_build "$lab" build fake --series "$BATS_TEST_TMPDIR/slow.patch"
		run ! no_build_runs
		kill -"$signal" "$pid"
		within 20 no_build_runs
		wait "$pid" && fail "$signal: success" || assert_equal "$signal $?" "$signal $code"
		rm -r "$cache/images"
		build fake after
		assert_equal "$signal $(sha256sum <"$image")" "$signal $sum"
	done <<-'END'
	KILL 137
	TERM 143
	INT 130
	HUP 129
	END
}

@test "a demo takes its lab and the build along, however it ends" {
	local signal to
	mkdir "$QBED_KERNEL_PATCHES/6.1"
	cp "$QBED_KERNEL_PATCHES"/fake/* "$QBED_KERNEL_PATCHES/6.1"
	slow_patch "$QBED_KERNEL_PATCHES/6.1/unpin.patch"
	tree=$cache/build/6.1-plain/tree
	fake_qemu 10.0.2
	while read -r signal to; do
		slow_build "$root/testbed/demo" "$BATS_TEST_TMPDIR/results"
		run ! no_build_runs
		kill -"$signal" -- "$to$pid"
		within 20 no_build_runs
		wait "$pid" && fail "$signal: success" || :
	# a signal for the demo alone, and what Ctrl-C sends, to its whole group
	done <<-'END'
	KILL
	TERM
	HUP
	INT -
	END
}

@test "a symbol that the kernel cannot have is named" {
	printf 'CONFIG_FLUX=y\nCONFIG_BUS=y\n' >"$BATS_TEST_TMPDIR/own.config"
	build_refused 2 'CONFIG_FLUX=y (is n)' fake before --config "$BATS_TEST_TMPDIR/own.config"
	refute grep -q BUS <<<"$stderr"
	assert_equal "$(images)" 0
}

@test "a line that is not of a configuration is named with file and line" {
	printf 'CONFIG_BUS=y\nBUS=y\n' >"$BATS_TEST_TMPDIR/own.config"
	build_refused 1 'own.config:2: ' fake before --config "$BATS_TEST_TMPDIR/own.config"
}

@test "a patch that does not apply without fuzz is build_refused with file and hunk" {
	fake_kernel_patch "$BATS_TEST_TMPDIR/drifted.patch" src/timer.c 's/timer = 1/timer = 7/'
	sed -i 's/^ int pinned.*/ int pinned = 9;/' "$BATS_TEST_TMPDIR/drifted.patch"
	build_refused 2 'patch failed: src/timer.c:1' fake --series "$BATS_TEST_TMPDIR/drifted.patch"
}

@test "a series of the user's goes on the pristine base" {
	fake_kernel_patch "$BATS_TEST_TMPDIR/a.patch" src/main.c 's/main/entry/'
	fake_kernel_patch "$BATS_TEST_TMPDIR/b.patch" src/timer.c 's/end/stop/'
	build fake --series "$BATS_TEST_TMPDIR/a.patch" "$BATS_TEST_TMPDIR/b.patch" --flavour lockstat
	run -0 cat "$image"
	assert_line 'int entry;'
	assert_line 'int stop;'
	assert_line 'int pinned = 1;'
	assert_line CONFIG_LOCK=y
}

@test "a work tree is built as it is, and its repository is not touched" {
	local repo=$BATS_TEST_TMPDIR/repo
	fake_kernel_repo "$repo"
	printf 'int changed;\n' >"$repo/src/main.c"
	printf 'int new;\n' >"$repo/src/new.c"
	rm "$repo/src/run.sh"
	printf 'junk\n' >"$repo/src/junk.o"
	local before
	before=$(cd "$repo" && find . -printf '%p %s %T@ %i\n' | sort)
	build fake --tree "$repo"
	run -0 cat "$image"
	assert_line 'int changed;'
	assert_line 'int new;'
	assert_equal "$(cd "$repo" && find . -printf '%p %s %T@ %i\n' | sort)" "$before"
	# the same contents in a commit are the same image
	git -C "$repo" add -A
	git -C "$repo" -c user.name=dev -c user.email=dev@localhost commit -qm changed
	local first=$image
	build fake --tree "$repo" --rev HEAD
	assert_equal "$image" "$first"
	build fake --tree "$repo" --rev HEAD~1
	assert [ "$image" != "$first" ]
}

@test "a revision, a tree id and a repository below a hook are all understood" {
	local repo=$BATS_TEST_TMPDIR/repo
	fake_kernel_repo "$repo"
	build fake --tree "$repo" --rev HEAD
	local first=$image
	build fake --tree "$repo" --rev "$(git -C "$repo" rev-parse 'HEAD^{tree}')"
	assert_equal "$image" "$first"
	export GIT_DIR=/nonexistent GIT_INDEX_FILE=/nonexistent
	build fake --tree "$repo" --rev HEAD
	assert_equal "$image" "$first"
}

@test "trees that are none are build_refused" {
	local repo=$BATS_TEST_TMPDIR/repo
	fake_kernel_repo "$repo"
	build_refused 1 "no revision 'nix'" fake --tree "$repo" --rev nix
	build_refused 1 "no revision '--all'" fake --tree "$repo" --rev=--all
	mkdir "$BATS_TEST_TMPDIR/plain"
	build_refused 1 'not a git repository' fake --tree "$BATS_TEST_TMPDIR/plain"
	git -C "$repo" rm -q Kconfig
	build_refused 2 'is not the source of a kernel' fake --tree "$repo"
}

@test "the boot aid goes into what is built, where it applies" {
	fake_kernel_patch "$QBED_KERNEL_PATCHES/fake/aid.patch" src/main.c 's/main/aid/'
	printf 'boot aid.patch\n' >>"$QBED_KERNEL_PATCHES/fake/series"
	build fake before
	assert grep -q 'int aid' "$image"
	build_refused 1 'no arm' fake boot
	fake_kernel_patch "$BATS_TEST_TMPDIR/a.patch" src/main.c 's/main/entry/'
	build fake --series "$BATS_TEST_TMPDIR/a.patch"
	assert grep -q 'int entry' "$image"
	output=$stderr assert_output --partial 'without the boot aid'
	run -0 jq -r '.tree == .built_tree' "${image%/*}/meta.json"
	assert_output true
}

@test "two builds of one image at once end with one image" {
	"$lab" build fake before >"$BATS_TEST_TMPDIR/one" 2>"$BATS_TEST_TMPDIR/log" 3>&- &
	build fake before
	wait $!
	assert_equal "$(cat "$BATS_TEST_TMPDIR/one")" "$image"
	assert_equal "$(images)" 1
}

@test "a tarball that ends early leaves no source behind" {
	local whole=$BATS_TEST_TMPDIR/tarballs/fake.tar.gz
	mv "$whole" "$BATS_TEST_TMPDIR/whole"
	gzip -dc "$BATS_TEST_TMPDIR/whole" | head -c 4000 | gzip >"$whole"
	build_refused 2 'cannot be unpacked' fake before
	rm "$whole"
	mv "$BATS_TEST_TMPDIR/whole" "$whole"
	build fake before
}

@test "a version that the patches were not tried on is said" {
	sed -i 's/^checked=.*/checked=1.2.4 1.2.9/' "$QBED_KERNEL_PATCHES/fake/base"
	build fake before
	output=$stderr assert_output --partial 'is version 1.2.3'
}

@test "a disk without room is told from a kernel that does not build" {
	# shellcheck disable=SC2016 # for the inner shell
	run -4 unshare --user --map-root-user --mount sh -c '
		mkdir -p "$QBED_CACHE" && mount -t tmpfs -o size=20m none "$QBED_CACHE" && exec "$@"' sh \
		"$lab" build fake before
	assert_output --partial 'no room'
}

@test "nothing is drawn where stderr is no terminal" {
	run --separate-stderr -0 "$lab" build fake before
	refute grep -q $'\r' <<<"$stderr"
}

@test "words that are too many or unknown are build_refused" {
	build_refused 1 'which base?'
	build_refused 1 'which arm' fake
	build_refused 1 "unknown base 'nix'" nix before
	build_refused 1 "no arm 'nix' (known: after before)" fake nix
	build_refused 1 "unknown flavour 'nix' (known: lockstat plain)" fake before nix
	build_refused 1 "unexpected word 'more'" fake before plain more
	build_refused 1 "unknown option '--nix'" fake before --nix
	build_refused 1 "cannot read '/nix'" fake --series /nix
	build_refused 1 '--tree needs a value' fake --tree
}
