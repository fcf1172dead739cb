# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A private apt root: suites that this machine is not set up for, without a
# line changed in its own apt configuration. Works for ordinary users too.

# ORIGIN RELEASE URI of each package index that this machine's own apt knows
lab_apt_targets()
{
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(REPO_URI)' 'Created-By: Packages'
}

# The mirror and the archive of security updates that this machine already
# uses; a machine that has no entry for security gets the mirror's sibling.
lab_apt_mirror()
{
	lab_apt_targets | awk '$1 == "Debian" && $2 !~ /-security$/ && !seen++ { print $3 }'
}

lab_apt_security_mirror()
{
	local uri mirror
	uri=$(lab_apt_targets | awk '$1 == "Debian" && $2 ~ /-security$/ && !seen++ { print $3 }')
	mirror=$(lab_apt_mirror)
	echo "${uri:-${mirror%/}-security/}"
}

# lab_apt ROOT ARGS...: apt-get with everything it writes below ROOT. What is
# installed is still the machine's (dpkg's status), so that an install as
# root resolves against it.
lab_apt()
{
	local root=$1
	shift
	apt-get -q -o Dir::Etc::sourcelist="$root/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::lists="$root/lists" -o Dir::Cache="$root/cache" \
		-o APT::Sandbox::User=root -o Acquire::Retries=3 \
		-o APT::Get::List-Cleanup=false "$@"
}

# lab_apt_root [-s] ROOT SUITE...: makes ROOT know the suites (a name that ends in
# -security comes from the security archive) and fetches their indexes; with -s
# those of the sources.
lab_apt_root()
{
	local root suite mirror uri type=deb keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	if [[ $1 == -s ]]; then
		type='deb-src'
		shift
	fi
	root=$1
	shift
	[[ -r $keyring ]] || lab_die 4 "apt: $keyring is missing: install debian-archive-keyring"
	mirror=$(lab_apt_mirror)
	[[ -n $mirror ]] || lab_die 4 "apt: no Debian mirror in this machine's apt sources (run apt-get update?)"
	mkdir -p "$root"/{lists/partial,cache/archives/partial}
	for suite; do
		uri=$mirror
		[[ $suite != *-security ]] || uri=$(lab_apt_security_mirror)
		echo "$type [signed-by=$keyring] $uri $suite main"
	done >"$root/sources.list"
	lab_apt "$root" update >"$root/update.log" 2>&1 ||
		lab_die 2 "apt: update of $* failed: $(grep -m1 '^E:' "$root/update.log" || tail -n1 "$root/update.log")"
}

# lab_apt_fetch ROOT DEST PACKAGE[=VERSION] SUITE...: unpacks a package's files
# below DEST (nothing is installed) and prints the version that was taken.
lab_apt_fetch()
{
	local root=$1 dest=$2 package=$3 deb tmp
	shift 3
	lab_apt_root "$root" "$@"
	tmp=$(mktemp -d "$root/fetch.XXXXXX")
	(cd "$tmp" && lab_apt "$root" download "$package") >"$root/fetch.log" 2>&1 || {
		rm -rf "$tmp"
		lab_die 2 "apt: $package from $*: $(grep -m1 '^E:' "$root/fetch.log" || tail -n1 "$root/fetch.log")"
	}
	deb=$(echo "$tmp"/*.deb)
	mkdir -p "$dest"
	dpkg-deb -x "$deb" "$dest"
	dpkg-deb -f "$deb" Version
	rm -rf "$tmp"
}

# lab_apt_fetch_source ROOT DEST PACKAGE[=VERSION] SUITE...: the files of a source package, as they
# are, become DEST. The archive keeps the source of some versions longer than what was built from it.
lab_apt_fetch_source()
{
	local root=$1 dest=$2 package=$3 tmp
	shift 3
	lab_apt_root -s "$root" "$@"
	tmp=$(mktemp -d "$root/fetch.XXXXXX")
	(cd "$tmp" && lab_apt "$root" --download-only source "$package") >"$root/fetch.log" 2>&1 || {
		rm -rf "$tmp"
		lab_die 2 "apt: source of $package from $*: $(grep -m1 '^E:' "$root/fetch.log" || tail -n1 "$root/fetch.log")"
	}
	mkdir -p "${dest%/*}"
	mv -- "$tmp" "$dest"
}
