# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The kernel's own tests of tc (tools/testing/selftests/tc-testing) and the Python that they are
# written in, for the guest.

# lab_root_python ROOT: the interpreter of this machine and the modules that tdc.py loads, 9 MB
lab_root_python()
{
	local root=$1 python file objects=()
	python=/usr/bin/python3
	[[ -x $python ]] || python=$(command -v python3) ||
		lab_die "$LAB_CANNOT" 'python3: not found; the kernel'\''s tests of tc need it'
	# Where they are here they are there: Python finds its modules by its own place.
	while read -r file; do
		[[ $file != *.so ]] || objects+=("$file")
		lab_root_add "$root" 644 "$file" "$file"
	done < <("$python" -I -c '
import argparse, collections, encodings.ascii, encodings.latin_1, enum, fnmatch, functools, importlib, json
import multiprocessing.pool, os, random, re, resource, signal, string, subprocess, sys, time, traceback
for module in sorted(sys.modules):
    path = getattr(sys.modules[module], "__file__", None)
    if path:
        print(os.path.realpath(path))')
	file=$("$python" -I -c 'import os, sys; print(os.path.realpath(sys.executable))')
	lab_root_add "$root" 755 "$file" "$file"
	lab_root_libs "$root" "$file" "${objects[@]}"
	ln -sf "$file" "$root/bin/python3"
}

# lab_root_tdc ROOT BASE: /tdc, as it stands in the base's source, and /tdc/bin/tc, which is qbed
lab_root_tdc()
{
	local root=$1 base=$2 commit
	commit=$(lab_base_commit "$base")
	lab_root_python "$root"
	mkdir -p "$root/tdc"
	lab_git archive "$commit" tools/testing/selftests/tc-testing |
		tar -x -C "$root/tdc" --strip-components=4
	mkdir -p "$root/tdc/bin"
	ln -sf /bin/qbed "$root/tdc/bin/tc"
	printf "EXTRA_NAMES = {'TC': '/bin/tc', 'IP': '/bin/ip'}\n" >"$root/tdc/tdc_config_local.py"
}
