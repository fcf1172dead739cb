# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Result documents (schema qbed-result-1): one boot each. No path, no wall time and no name of a
# host goes in, and the order of the keys is fixed, so equal boots give equal bytes.

# lab_result I: write the document of boot I to $lab_work/results. One jq does it all: each takes
# longer to start than to work.
lab_result()
{
	local i=$1 dir=$lab_work/boot.$1 name param out parameters=()
	name=$(lab_boot_name "$i")
	out=$lab_work/results/$name.json
	mkdir -p "$lab_work/results"
	for param in "${!lab_param[@]}"; do
		parameters+=("$param" "${lab_param[$param]}")
	done
	jq -n -S --rawfile lines "$dir/documents" --argjson metrics "$lab_metrics" \
		--arg experiment "${lab_exp[name]}" --arg title "${lab_exp[title]}" \
		--arg base "${plan_base[i]}" --arg arm "${plan_arm[i]}" \
		--arg patches "${plan_patches[i]}" --arg flavour "${plan_flavour[i]}" --argjson seed "${plan_seed[i]}" \
		--arg command "$(lab_plan_command "$i")" \
		--arg kernel "$(lab_sha256 "${plan_kernel[i]}")" --arg tree "${plan_tree[i]}" \
		--arg initrd "$lab_initrd_sha256" --arg qemu "$lab_qemu_version" \
		--arg machine "$LAB_MACHINE" --arg clock "$run_clock" \
		--argjson shift "$(lab_shift "${plan_flavour[i]}")" \
		--arg cmdline "$(lab_cmdline "$run_clock" "${lab_exp[cmdline]}")" '
		# NAME<tab>JSON lines as one object
		def documents: $lines | split("\n") | map(select(. != "") |
			((index("\t") // error("a line without a name")) as $tab | .[:$tab] as $name |
			 {($name): (try (.[$tab + 1:] | fromjson)
				catch error("the documents of the guest are not JSON: \($name).json: \(.)"))})) |
			add // {} |
			if has("environment") then . else error("the guest sent no documents") end;
		documents as $documents | {
			schema: "qbed-result-1",
			experiment: $experiment, title: $title, base: $base, arm: $arm,
			flavour: $flavour, seed: $seed, command: $command,
			patches: (if $patches == "-" then null else
				($patches | split("\n") | map(select(. != ""))) end),
			environment: ($documents.environment + {
				kernel_sha256: $kernel, initramfs_sha256: $initrd,
				source_tree: $tree, kernel_cmdline: $cmdline, qemu: $qemu,
				machine: $machine, clock: $clock,
				shift: (if $clock == "virtual" then $shift else null end)
			}),
			parameters: ([$ARGS.positional | range(0; length; 2) as $i |
				{(.[$i]): .[$i + 1]}] | add // {}),
			metrics: [$metrics[] | select(.flavour == "" or .flavour == $flavour)],
			measurements: ($documents | del(.environment))
		}' --args "${parameters[@]}" >"$out" 2>"$dir/result.log" ||
		lab_die "$LAB_FAILED" "$name: $(lab_result_fault "$dir/result.log")"
}

# lab_result_fault LOG: why there is no document
lab_result_fault()
{
	local why
	why=$(sed -n '1s/^jq: error (at [^)]*): //p' "$1")
	printf '%s\n' "${why:-its result cannot be written (no room?)}"
}

# lab_results_absent DIR: refuse a place that has a result of the plan already
lab_results_absent()
{
	local dir=$1 i name
	for i in "${!plan_arm[@]}"; do
		name=$(lab_boot_name "$i").json
		[[ ! -e $dir/$name ]] || lab_usage run "--output: $dir/$name is there already (--force overwrites it)"
	done
}

# lab_results_keep DIR: move the documents to their place; sets lab_result_files, in plan order
lab_results_keep()
{
	local dir=$1 i name
	lab_result_files=()
	lab_make_dir "$dir"
	for i in "${!plan_arm[@]}"; do
		(( boot_code[i] == 0 )) || continue
		name=$(lab_boot_name "$i").json
		mv -f -- "$lab_work/results/$name" "$dir/$name" ||
			lab_die "$LAB_FAILED" "$dir/$name: cannot be written (no room?)"
		lab_result_files+=("$dir/$name")
	done
}
