# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Kernel sources. One bare repository in the cache holds the pristine source of every base, each
# imported from its tarball as one commit. See docs/patches.md.

lab_kernel_patches=${QBED_KERNEL_PATCHES:-$lab_root/kernel-patches}

# A hook that runs us has set these for its own repository
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_NAMESPACE \
	GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES

# lab_git ARGS...: git on our repository; the user's and the machine's configuration are kept out,
# they can change how a patch applies
lab_git()
{
	GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_DIR=$lab_cache/sources.git git "$@"
}

# lab_why FILE: the first line of what git said, without its prefix
lab_why()
{
	sed -n '/./{s/^\(error\|fatal\): //;p;q}' "$1"
}

# lab_scratch: a new name in the working directory of this run
lab_scratch()
{
	mktemp -u -- "${lab_work:?lab_work_init was not called}/source.XXXXXX"
}

lab_sources_init()
{
	local git=$lab_cache/sources.git new
	[[ ! -e $git/qbed ]] || return 0
	lab_make_dir "$lab_cache"
	new=$(mktemp -d -- "$lab_cache/sources.XXXXXX")
	GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null git init -q --bare --template= "$new"
	# sources are read far more often than they are written: no deflating
	cat >>"$new/config" <<-'END'
	[core]
		compression = 0
		logAllRefUpdates = false
	[gc]
		auto = 0
	END
	mkdir "$new/qbed"
	# another run may have been faster: then its repository is as good
	mv -T -- "$new" "$git" 2>/dev/null || rm -rf -- "$new"
	[[ -e $git/qbed ]] || lab_die "$LAB_FAILED" "$git: in the way, and not a repository of ours"
}

lab_bases()
{
	local file
	for file in "$lab_kernel_patches"/*/base; do
		file=${file%/base}
		printf '%s\n' "${file##*/}"
	done
}

# lab_base_get BASE KEY: a value of kernel-patches/BASE/base
lab_base_get()
{
	local base=$1 key=$2 file=$lab_kernel_patches/$1/base value
	[[ $base =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ && -f $file ]] ||
		lab_die "$LAB_USAGE" "unknown base '$base' (known: $(lab_bases | paste -sd' '))"
	value=$(sed -n "s/^$key=//p" "$file")
	[[ -n $value ]] || lab_die "$LAB_FAILED" "$file: $key is not set"
	printf '%s\n' "$value"
}

# lab_base_tarball BASE: path of the pristine source. What the machine has is taken before
# anything is fetched.
lab_base_tarball()
{
	local base=$1 name package suites dir dest
	name=$(lab_base_get "$base" tarball)
	dest=$lab_cache/source-tarballs/$base
	for dir in ${QBED_KERNEL_TARBALLS:+"$QBED_KERNEL_TARBALLS"} /usr/src "$dest/usr/src"; do
		if [[ -r $dir/$name ]]; then
			printf '%s\n' "$dir/$name"
			return 0
		fi
	done
	package=$(lab_base_get "$base" package)
	read -ra suites <<<"$(lab_base_get "$base" suites)"
	lab_info "$package: fetched with apt from ${suites[*]}"
	lab_make_dir "$lab_cache/source-tarballs"
	(
		flock 9
		[[ -r $dest/usr/src/$name ]] || {
			rm -rf -- "$dest.new"
			if [[ $package == src:* ]]; then
				lab_apt_fetch_source "$lab_cache/apt-source" "$dest.new/usr/src" "${package#src:}" \
					"${suites[@]}"
			else
				lab_apt_fetch "$lab_cache/apt" "$dest.new" "$package" "${suites[@]}" >/dev/null
			fi
			rm -rf -- "$dest"
			mv -- "$dest.new" "$dest"
		}
	) 9>"$lab_cache/source-tarballs/lock" || exit
	[[ -r $dest/usr/src/$name ]] ||
		lab_die "$LAB_FAILED" "$package: holds no /usr/src/$name"
	printf '%s\n' "$dest/usr/src/$name"
}

# lab_tarball_id FILE: its sha256, remembered for as long as the file is the same one
lab_tarball_id()
{
	local file=$1 stamp id
	stamp=$lab_cache/sources.git/qbed/tarball.$(stat -Lc '%d-%i-%s-%Y' -- "$file")
	if [[ -s $stamp ]]; then
		cat -- "$stamp"
		return 0
	fi
	id=$(lab_sha256 "$file")
	printf '%s\n' "$id" >"$stamp.$$"
	mv -- "$stamp.$$" "$stamp"
	printf '%s\n' "$id"
}

# lab_base_commit BASE: the commit that is the base's pristine source; imports it if need be
lab_base_commit()
{
	local base=$1 tarball ref commit
	lab_sources_init
	tarball=$(lab_base_tarball "$base")
	ref=refs/qbed/$(lab_tarball_id "$tarball")
	commit=$(lab_git rev-parse -q --verify "$ref^{commit}" || :)
	if [[ -z $commit ]]; then
		lab_import "$base" "$tarball" "$ref"
		commit=$(lab_git rev-parse "$ref^{commit}")
	fi
	printf '%s\n' "$commit"
}

# lab_import BASE TARBALL REF: all or nothing, one run at a time
lab_import()
(
	base=$1 tarball=$2 ref=$3 git=$lab_cache/sources.git
	exec 9>"$git/qbed/import.lock"
	flock 9
	if lab_git rev-parse -q --verify "$ref^{commit}" >/dev/null; then
		exit 0
	fi
	# of an import that was killed
	rm -f -- "$git"/objects/pack/tmp_*
	lab_need_room "$lab_cache" 2000 "the source of $base"
	lab_progress "$base: unpacking ${tarball##*/} ..."
	log=$(lab_scratch)
	{
		case $tarball in
		*.xz)	xz -dc -T0 -- "$tarball" ;;
		*.gz)	gzip -dc -- "$tarball" ;;
		*)	cat -- "$tarball" ;;
		esac | perl "$lab_lib/tar-import.pl" "$ref" "pristine source of ${tarball##*/}" |
			lab_git fast-import --quiet --done --depth=0
	} 2>"$log" || {
		rm -f -- "$git"/objects/pack/tmp_* "$git"/fast_import_crash_*
		lab_die "$LAB_FAILED" "$tarball: cannot be unpacked: $(lab_why "$log")"
	}
	lab_base_check "$base" "$(lab_git rev-parse "$ref^{tree}")"
)

# lab_tree_version TREE: the kernel's version, from the Makefile
lab_tree_version()
{
	lab_git cat-file blob "$1:Makefile" | awk '
		/^NAME *=/ { done = 1 }
		!done && /^(VERSION|PATCHLEVEL|SUBLEVEL) *=/ { v = v (v == "" ? "" : ".") $3 }
		END { print v }'
}

# lab_base_check BASE TREE: say so if nobody has tried the patches on this version
lab_base_check()
{
	local base=$1 version first last
	version=$(lab_tree_version "$2" 2>/dev/null)
	read -r first last <<<"$(lab_base_get "$base" checked)"
	if [[ $(printf '%s\n' "$first" "$version" "$last" | sort -V | sed -n 2p) != "$version" ]]; then
		lab_warn "base $base is version ${version:-unknown}; its patches were checked on" \
			"$first to $last"
	fi
}
