# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# From a tree id and a flavour to an image in the cache.
#
# There is one build tree per base and flavour. It is switched from tree to tree by git, which
# writes only the files that differ, so a second arm costs an incremental build. An image depends
# on its sources, configuration and tools alone: it is the same from a clean build, in any
# directory, by any user, at any time.

# part of the key of an image: a change to what follows that changes images must change it
LAB_RECIPE=1

# lab_flavours: known flavours, one a line
lab_flavours()
{
	local file
	for file in "$lab_kernel_patches"/config/flavour-*.config; do
		file=${file##*/flavour-}
		printf '%s\n' "${file%.config}"
	done
}

# lab_fragments BASE FLAVOUR [FRAGMENT...]: the configuration files that make the flavour
lab_fragments()
{
	local base=$1 flavour=$2 dir=$lab_kernel_patches file
	[[ -f $dir/config/flavour-$flavour.config ]] ||
		lab_die "$LAB_USAGE" "unknown flavour '$flavour' (known: $(lab_flavours | paste -sd' '))"
	printf '%s\n' "$dir/config/common.config"
	if [[ -f $dir/$base/base.config ]]; then
		printf '%s\n' "$dir/$base/base.config"
	fi
	printf '%s\n' "$dir/config/flavour-$flavour.config"
	for file in "${@:3}"; do
		if [[ -n $file ]]; then
			[[ -f $file && -r $file ]] || lab_die "$LAB_USAGE" "$file: cannot be read"
			printf '%s\n' "$file"
		fi
	done
}

# lab_config_merge FILE...: sorted CONFIG_X=value lines, the last one that names X counts; "is not
# set" is "=n". A line that says neither is an error.
lab_config_merge()
{
	awk '
		/^CONFIG_[A-Za-z0-9_]+=/ { n = index($0, "="); set[substr($0, 1, n - 1)] = substr($0, n + 1); next }
		/^# CONFIG_[A-Za-z0-9_]+ is not set$/ { set[$2] = "n"; next }
		/^#/ || /^[[:space:]]*$/ { next }
		{ printf "%s:%d: not a line of a kernel configuration: %s\n", FILENAME, FNR, $0 >"/dev/stderr"; exit 1 }
		END { for (name in set) print name "=" set[name] }
	' "$@" | sort
}

# lab_tool_id VARIABLE DEFAULT: first line of a tool's version
lab_tool_id()
{
	local tool=${!1:-$2} version
	version=$("$tool" --version 2>/dev/null | sed -n 1p) || :
	[[ -n $version ]] || lab_die "$LAB_CANNOT" "$tool: not found; kernels are built with it"
	printf '%s\n' "$version"
}

# lab_image_path KEY: the bzImage; its neighbours are config and meta.json
lab_image_path()
{
	printf '%s\n' "$lab_cache/images/$1/bzImage"
}

# lab_kernel_build BASE TREE FLAVOUR [FRAGMENT...]: builds the image unless the cache has it, and
# prints its key. The base gives configuration and build tree; the tree may be any kernel.
lab_kernel_build()
{
	local base=$1 tree=$2 flavour=$3 files merged key compiler linker boot
	mapfile -t files < <(lab_fragments "$base" "$flavour" "${@:4}")
	(( ${#files[@]} )) || exit "$LAB_USAGE"
	merged=$(lab_config_merge "${files[@]}" 2>"$lab_work/merge.log") ||
		lab_die "$LAB_USAGE" "$(<"$lab_work/merge.log")"
	compiler=$(lab_tool_id QBED_CC gcc)
	linker=$(lab_tool_id QBED_LD ld)
	boot=$(lab_tree_boot "$base" "$tree")
	key=$(printf '%s\n' "recipe $LAB_RECIPE" "tree $boot" "cc $compiler" "ld $linker" "$merged" |
		sha256sum)
	key=${key%% *}
	if [[ ! -e $lab_cache/images/$key ]]; then
		lab_make_dir "$lab_cache/build"
		lab_make_dir "$lab_cache/images"
		(
			flock 9
			[[ -e $lab_cache/images/$key ]] || lab_build_image
		) 9>"$lab_cache/build/$base-$flavour.lock" || exit
	fi
	printf '%s\n' "$key"
}

# lab_build_image: the work of lab_kernel_build, whose variables it reads; holds the lock of the
# build tree. The image appears in the cache whole, by a rename.
lab_build_image()
{
	local build=$lab_cache/build/$base-$flavour new
	lab_info "building $base $flavour ${tree:0:12} ..."
	[[ -e $build/tree/Makefile ]] || lab_need_room "$lab_cache" 1500 'a build tree'
	lab_need_room "$lab_cache" 200 'a kernel build'
	lab_make_dir "$build/tree"
	build=$(readlink -e -- "$build")
	lab_build_heal "$build"
	lab_build_switch "$build" "$boot"
	lab_build_config "$build" "$merged"
	lab_build_make "$build" bzImage
	# on the file system of the images: in the build tree's directory
	new=$build/image
	rm -rf -- "$new"
	mkdir -- "$new"
	if ! { cp -- "$build/tree/arch/x86/boot/bzImage" "$new/bzImage" &&
		cp -- "$build/tree/.config" "$new/config" &&
		lab_build_meta "$new/bzImage" >"$new/meta.json"; }; then
		rm -rf -- "$new"
		lab_die "$LAB_FAILED" "$lab_cache/images: the image cannot be kept"
	fi
	rm -f -- "$build/busy"
	mv -T -- "$new" "$lab_cache/images/$key" 2>/dev/null || rm -rf -- "$new"
	lab_progress_end
}

# lab_build_meta IMAGE: what the image was made of
lab_build_meta()
{
	jq -n --arg base "$base" --arg tree "$tree" --arg built "$boot" --arg flavour "$flavour" \
		--arg version "$(make -s --no-print-directory -C "$build/tree" LOCALVERSION= kernelrelease)" \
		--arg compiler "$compiler" --arg linker "$linker" --argjson recipe "$LAB_RECIPE" \
		--arg image "$(lab_sha256 "$1")" --arg config "$(lab_sha256 "$build/tree/.config")" \
		'{schema: "qbed-image-1", base: $base, tree: $tree, built_tree: $built, flavour: $flavour, release: $version,
		  compiler: $compiler, linker: $linker, recipe: $recipe,
		  image_sha256: $image, config_sha256: $config}'
}

# lab_build_git BUILD OBJECTS ARGS...: git on the build tree, with an index of its own
lab_build_git()
{
	local build=$1 objects=$2
	shift 2
	GIT_WORK_TREE=$build/tree GIT_INDEX_FILE=$build/index \
		GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects \
		lab_git -c core.bare=false -c core.sparseCheckout=true -c advice.sparseIndexExpanded=false "$@"
}

# lab_build_heal BUILD: a build that was killed left the mark "busy". What was written after it
# may be half-made: all of that goes which git does not own; git itself looks after the rest.
lab_build_heal()
{
	local build=$1
	[[ -e $build/busy ]] || return 0
	lab_info "$build: a build was killed here; what it left unfinished is made again"
	rm -f -- "$build/index.lock"
	(
		cd -- "$build/tree" || exit
		find . ! -type d -newer ../busy -printf '%P\0' | sort -z >../newer
		{ lab_build_git "$build" '' ls-files -z 2>/dev/null || :; } | sort -z >../owned
		comm -z -23 ../newer ../owned | xargs -0r rm -f --
		rm -f -- ../newer ../owned
	)
}

# lab_build_switch BUILD TREE: make the build tree hold TREE, touching only what differs
lab_build_switch()
{
	local build=$1 tree=$2 objects log=$1/git.log
	if [[ ! -e $build/busy ]]; then
		: >"$build/busy"
		# file times are coarse: nothing that is written from here on may look as old as the mark
		sleep 0.02
	fi
	objects=$(lab_tree_objects "$tree")
	mkdir -p "$lab_cache/sources.git/info"
	if ! cmp -s "$lab_kernel_patches/config/source-files" "$lab_cache/sources.git/info/sparse-checkout"; then
		cp -- "$lab_kernel_patches/config/source-files" "$build/source-files"
		mv -- "$build/source-files" "$lab_cache/sources.git/info/sparse-checkout"
	fi
	lab_progress "$base $flavour: switching the build tree ..."
	lab_build_git "$build" "$objects" read-tree --reset -u "$tree" 2>"$log" ||
		lab_die "$LAB_FAILED" "$build: cannot be switched to tree $tree: $(lab_why "$log")"
	[[ -e $build/tree/Makefile && -e $build/tree/Kconfig ]] ||
		lab_die "$LAB_FAILED" "tree $tree: is not the source of a kernel"
}

# lab_tree_compile BASE TREE FLAVOUR OBJECT...: compile these objects of a tree, and print what the
# compiler says
lab_tree_compile()
{
	local base=$1 tree=$2 flavour=$3 files merged build
	shift 3
	mapfile -t files < <(lab_fragments "$base" "$flavour")
	merged=$(lab_config_merge "${files[@]}")
	lab_make_dir "$lab_cache/build/$base-$flavour/tree"
	build=$(readlink -e -- "$lab_cache/build/$base-$flavour")
	(
		flock 9
		lab_build_heal "$build"
		lab_build_switch "$build" "$tree"
		lab_build_config "$build" "$merged"
		lab_build_make "$build" "$@"
		rm -f -- "$build/busy"
		cat -- "$build/build.log"
	) 9>"$build.lock" || exit
}
