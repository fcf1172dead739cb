# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A second tc(8) for the differential test: Debian's two, 6.1 (bookworm) and 6.15
# (bookworm-backports), are the machine's own and the one that it is not.

# lab_other_tc FILE: copies it there; says so, and does nothing, where it cannot be had
lab_other_tc()
{
	local file=$1 suite=bookworm why dest
	[[ $(PATH=$PATH:/usr/sbin:/sbin tc -V) != *iproute2-6.1.* ]] || suite=bookworm-backports
	dest=$lab_cache/iproute2/$suite
	lab_make_dir "$lab_cache/iproute2"
	why=$(
		exec 2>&1 9>"$lab_cache/iproute2/lock"
		flock 9
		[[ ! -x $dest/sbin/tc && ! -x $dest/usr/sbin/tc ]] || exit 0
		rm -rf -- "$dest.new"
		lab_apt_fetch "$lab_cache/apt-iproute2" "$dest.new" "iproute2/$suite" "$suite" >/dev/null
		rm -rf -- "$dest"
		mv -- "$dest.new" "$dest"
	) || {
		lab_warn "no second tc to compare with: ${why##*error: }"
		return 0
	}
	for file in "$dest"/sbin/tc "$dest"/usr/sbin/tc; do
		[[ ! -x $file ]] || install -m 755 -- "$file" "$1"
	done
}
