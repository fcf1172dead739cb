# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A kernel that builds in a blink: the targets of kbuild that the lab uses, on a handful of files.
# Everything that a real build does to an image is imitated: objects by timestamps, options of the
# configuration in the image, a compiler.

# fake_kernel_source DIR: the pristine source
fake_kernel_source()
{
	local dir=$1
	mkdir -p "$dir"/{src,arch/x86/boot,arch/arm,Documentation}
	cat >"$dir/Makefile" <<-'END'
	VERSION = 1
	PATCHLEVEL = 2
	SUBLEVEL = 3
	NAME = fake
	.RECIPEPREFIX = %

	objects := $(patsubst %.c,%.o,$(wildcard src/*.c))

	allnoconfig:
	% @while read -r s; do grep "^CONFIG_$$s=[^n]" $(KCONFIG_ALLCONFIG) || \
	% 	echo "# CONFIG_$$s is not set"; done <symbols >.config

	kernelrelease:
	% @echo 1.2.3$(LOCALVERSION)

	bzImage: arch/x86/boot/bzImage

	arch/x86/boot/bzImage: $(objects) .config
	% @mkdir -p $(@D)
	% @cat .config $(objects) >$@
	% @echo '$(KBUILD_BUILD_TIMESTAMP) $(KBUILD_BUILD_USER) $(LOCALVERSION)' >>$@

	src/%.o: src/%.c
	% @echo "  CC      $@"
	% @! grep '#error' $<
	% @printf half >$@
	% @! grep -q SLOW $< || { touch ../compiling; exec sleep 300; }
	% @$(CC) <$< >$@
	END
	# as long as a real one: more than a pipe takes
	seq -f '# padding %g' 8000 >>"$dir/Makefile"
	printf 'BUS\nLOCK\nNET\nPLAIN\n' >"$dir/symbols"
	printf 'config\n' >"$dir/Kconfig"
	printf 'int main;\n' >"$dir/src/main.c"
	printf 'int timer = 1;\nint pinned = 1;\nint end;\n' >"$dir/src/timer.c"
	printf 'never read\n' >"$dir/arch/arm/boot.c"
	printf 'text\n' >"$dir/Documentation/text"
	# as in Debian's tarball
	printf '*\n' >"$dir/.gitignore"
	printf '#!/bin/sh\n' >"$dir/src/run.sh"
	chmod 755 "$dir/src/run.sh"
	ln -s timer.c "$dir/src/link"
}

# fake_kernel_setup: a base "fake" with arms before and after, flavours plain and lockstat, a compiler
# "fakecc", and an empty cache, all below $BATS_TEST_TMPDIR
fake_kernel_setup()
{
	local dir=$BATS_TEST_TMPDIR
	mkdir -p "$dir"/{bin,tarballs,patches/{fake,config},source/fake-1.2.3}
	fake_kernel_source "$dir/source/fake-1.2.3"
	tar -C "$dir/source" -czf "$dir/tarballs/fake.tar.gz" fake-1.2.3

	printf '%s\n' package=fake suites=none tarball=fake.tar.gz 'checked=1.2.3 1.2.3' \
		>"$dir/patches/fake/base"
	printf '%s\t%s\n' before unpin.patch after pin.patch before,after note.patch \
		>"$dir/patches/fake/series"
	fake_kernel_patch "$dir/patches/fake/unpin.patch" src/timer.c 's/pinned = 1/pinned = 0/'
	fake_kernel_patch "$dir/patches/fake/pin.patch" src/timer.c 's/pinned = 1/pinned = 2/'
	fake_kernel_patch "$dir/patches/fake/note.patch" Documentation/text 's/text/note/'
	printf '/*\n!/Documentation/*\n!/arch/*/\n/arch/x86/\n' >"$dir/patches/config/source-files"
	printf 'CONFIG_NET=y\n' >"$dir/patches/config/common.config"
	printf 'CONFIG_PLAIN=y\n' >"$dir/patches/config/flavour-plain.config"
	printf 'CONFIG_LOCK=y\n' >"$dir/patches/config/flavour-lockstat.config"

	fake_compiler 1
	export QBED_CC=fakecc PATH=$dir/bin:$PATH QBED_CACHE=$dir/cache
	export QBED_KERNEL_PATCHES=$dir/patches QBED_KERNEL_TARBALLS=$dir/tarballs
}

# fake_compiler VERSION
fake_compiler()
{
	cat >"$BATS_TEST_TMPDIR/bin/fakecc" <<-END
	#!/bin/sh
	[ "\$1" != --version ] || { echo "fakecc $1"; exit 0; }
	echo "compiled by $1"
	exec cat
	END
	chmod 755 "$BATS_TEST_TMPDIR/bin/fakecc"
}

# fake_kernel_patch PATCH FILE SED: a patch that changes FILE of the pristine source
fake_kernel_patch()
{
	local patch=$1 file=$2 script=$3 source=$BATS_TEST_TMPDIR/source/fake-1.2.3
	mkdir -p "$BATS_TEST_TMPDIR/changed/${file%/*}"
	sed "$script" "$source/$file" >"$BATS_TEST_TMPDIR/changed/$file"
	diff -u --label "a/$file" --label "b/$file" "$source/$file" \
		"$BATS_TEST_TMPDIR/changed/$file" >"$patch" || :
	[[ -s $patch ]]
}

# fake_kernel_repo DIR: the pristine source as a developer's repository
fake_kernel_repo()
{
	cp -a "$BATS_TEST_TMPDIR/source/fake-1.2.3" "$1"
	printf '*.o\n.config\n' >"$1/.gitignore"
	git -C "$1" init -q
	git -C "$1" add -A
	git -C "$1" -c user.name=dev -c user.email=dev@localhost commit -qm pristine
}
