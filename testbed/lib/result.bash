# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Result documents (schema qbed-result-1): one boot each. No path, no wall time and no name of a
# host goes in, and the order of the keys is fixed, so equal boots give equal bytes.

# lab_result I: write the document of boot I to $lab_work/results
lab_result()
{
	local i=$1 dir=$lab_work/boot.$1 name out
	name=$(lab_boot_name "$i")
	out=$lab_work/results/$name.json
	mkdir -p "$lab_work/results"
	lab_documents "$dir/documents" >"$dir/documents.json" 2>"$dir/documents.log" ||
		lab_die "$LAB_FAILED" "$name: the guest's documents are not JSON:" \
			"$(sed -n '1s/^jq: error (at [^)]*): //p' "$dir/documents.log")"
	jq -e 'has("environment")' "$dir/documents.json" >/dev/null ||
		lab_die "$LAB_FAILED" "$name: the guest sent no documents"
	jq -n -S --slurpfile documents "$dir/documents.json" \
		--argjson metrics "$lab_metrics" \
		--argjson parameters "$(lab_parameters_json)" \
		--arg experiment "${lab_exp[name]}" --arg title "${lab_exp[title]}" \
		--arg base "${plan_base[i]}" --arg arm "${plan_arm[i]}" \
		--arg flavour "${plan_flavour[i]}" --argjson seed "${plan_seed[i]}" \
		--arg command "$(lab_plan_command "$i")" \
		--arg kernel "$(lab_sha256 "${plan_kernel[i]}")" --arg tree "${plan_tree[i]}" \
		--arg initrd "$lab_initrd_sha256" --arg qemu "$lab_qemu_version" \
		--arg machine "$LAB_MACHINE" --arg clock "$run_clock" \
		--argjson shift "$(lab_shift "${plan_flavour[i]}")" \
		--arg cmdline "$(lab_words "$LAB_CMDLINE ${lab_exp[cmdline]}")" '
		{
			schema: "qbed-result-1",
			experiment: $experiment, title: $title, base: $base, arm: $arm,
			flavour: $flavour, seed: $seed, command: $command,
			environment: ($documents[0].environment + {
				kernel_sha256: $kernel, initramfs_sha256: $initrd,
				source_tree: $tree, kernel_cmdline: $cmdline, qemu: $qemu,
				machine: $machine, clock: $clock,
				shift: (if $clock == "virtual" then $shift else null end)
			}),
			parameters: $parameters,
			metrics: [$metrics[] | select(.flavour == "" or .flavour == $flavour)],
			measurements: ($documents[0] | del(.environment))
		}' >"$out" || lab_die "$LAB_FAILED" "$name: its result cannot be written (no room?)"
}

# lab_documents FILE: NAME<tab>JSON lines as one object
lab_documents()
{
	jq -R -s 'split("\n") | map(select(. != "") |
		((index("\t") // error("a line without a name")) as $tab | .[:$tab] as $name |
		 {($name): (try (.[$tab + 1:] | fromjson) catch error("\($name).json: \(.)"))})) |
		add // {}' "$1"
}

# lab_parameters_json: the experiment's parameters, as text
lab_parameters_json()
{
	local name args=()
	for name in "${!lab_param[@]}"; do
		args+=(--arg "$name" "${lab_param[$name]}")
	done
	# shellcheck disable=SC2016 # jq's own variable
	jq -n -c -S "${args[@]}" '$ARGS.named'
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
