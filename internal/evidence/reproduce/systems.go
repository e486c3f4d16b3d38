package main

import (
	"bytes"
	"fmt"
)

// treated is a system, method or experiment of the sources, what shows it here, and what came of it.
type treated struct{ where, what, command, verdict string }

// writeTreated lists them.
func writeTreated(b *bytes.Buffer) {
	b.WriteString("## Systems, methods and experiments\n\nEach of the sources, with the command that shows it. The " +
		"sections are those above.\n\n| where | what | command | verdict |\n|---|---|---|---|\n")
	for _, x := range append(append([]treated(nil), treatedByLemeire...), treatedByVolkov...) {
		command := x.command
		if command != "" {
			command = "`" + command + "`"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", x.where, x.what, command, x.verdict)
	}
	b.WriteString("\n")
}

const (
	notPrinted = "the measured times are not printed; only the parameters are inputs here"
	ofModels   = "pipesim models"
)

// treatedByLemeire are those of P19, L4 and A.
var treatedByLemeire = []treated{
	{"P19 T.I", "Tesla C2050, GTX 1060", "pipesim gpus c2050-p19", "device files, each number cited"},
	{"P19 III, Alg. 1", "pipeline model and simulator", "pipesim", "sections 1, 2 and 8: same, in exact time"},
	{"P19 III.B, Fig. 1", "instruction dependence graph from OpenCL source", "idgen --builtin fig1 -O0 --format dot",
		"section 2: same"},
	{"P19 III.D", "work groups of a compute unit", "pipesim occupancy", "section 5: same"},
	{"P19 IV.A, T.II", "microbenchmarks of five instructions", "gpumeasure run", notPrinted},
	{"P19 IV.B", "independent multiply-adds, ILP", "idgen --builtin independent-madd", "section 10: same graph"},
	{"P19 IV.C, Fig. 3, T.III", "matrix multiplication, 8x8 and 16x16",
		"idgen --builtin mmul -O0 --gpu c2050-p19 -D BLOCK_SIZE=8",
		"section 9: same graph. 17.0 ms with the device's own L1 and L2, 17.3 ms with T.III's λ and Λ; " + notPrinted},
	{"P19 IV.C", "local memory with bank conflicts", "pipesim --set ld.local:cpi=16,latency=250",
		"`cmd/pipesim` TestTableIII: conflicts bound the kernel, as printed"},
	{"L4", "single pipeline, occupancy roofline, CPI curve", "idgen --builtin add-dependent", "section 1: same"},
	{"L4", "instruction-level parallelism 2", "idgen --builtin add-2", "lesson `ilp`: half the warps"},
	{"L4", "dual pipeline: balanced, communication- and computation-bound", "idgen --builtin mix-global -D ALPHA=30",
		"lesson `dual-pipeline`"},
	{"L4", "cost of barriers: models with and without", "idgen --builtin barrier", "lesson `barrier`"},
	{"L4", "λ of Tesla, Fermi, Kepler, Maxwell: 4, 1, 1/6, 1/4", "pipesim gpus gtx280",
		"same; Kepler 1/4 without dual issue (V16 T.6.1)"},
	{"L4", "microbenchmarks of a GPU", "gpumeasure run", "measures the same classes; L4's Quadro P520 is not at hand"},
	{"L4", "dynamic occupancy and tail of a launch", "pipesim --profile", "lesson `occupancy`"},
	{"A 2.1", "Roofline, Boat hull, Quantitative Roofline", ofModels + " --models roofline,boat-hull,mix-roofline",
		"section 15: same"},
	{"A 2.2", "Volkov's model", ofModels + " --models volkov", "sections 3 and 16: same"},
	{"A 2.2.1, Fig. 3", "Transit, X-model, their equivalence", ofModels + " --models transit,x-model",
		"section 17: same"},
	{"A 2.3, Fig. 4", "MWP-CWP, corrected", ofModels + " --models mwp-cwp,mwp-cwp-corrected", "section 19: same"},
	{"A 2.3.4", "memory departure delay", "pipesim --set ld.global:reissue=1", "section 13: same"},
	{"A 2.4, Figs. 5 to 7", "WFG, its two errors, corrected", ofModels + " --models wfg,wfg-corrected",
		"section 20: same"},
	{"A 2.5", "GPUMech round-robin and GTO, corrected", ofModels + " --models gpumech-rr,gpumech-gto",
		"section 23: same"},
	{"A 3.2, Figs. 8, 9", "execution profiles of the example", "pipesim article/example.json --profile",
		"section 3: same; lesson `latency-hiding`. 10 warps: 56.5 cycles oldest first, the memory busy without a gap " +
			"for 40 of them, and 99% of the peak with 400 warps in turn; 65 cycles and 90% round robin"},
	{"A 4.1", "IDG instead of WFG", "idgen --format dot", "as described"},
	{"A 4.2, Fig. 12, Eqs. 43 to 45", "instruction mix and issue limit", "idgen --builtin mix",
		"section 4: same, Eqs. 44 and 45 corrected"},
	{"A T.4, T.5", "λ, Λ and issue limits of six GPUs", "pipesim gpus c2050",
		"device files c2050, gtx650ti, k620, gtx1060, rtx2070, r9380"},
	{"A T.6", "achieved bandwidths", "", "Bandwidths above: 5 of 6 same, one a misprint"},
	{"A 4.4, 6.3", "memory analysis modules: R and D", "pipesim --set ld.global:R=1/2", "section 13: same, on all six"},
	{"A 5.1, Fig. 14", "all models on the example", ofModels + " article/example.json --warps 1..16",
		"sections 3, 16 to 23"},
	{"A 5.3, 6.2, Fig. 16", "iterative barriers by group size", "idgen --builtin barrier",
		"section 6: large groups are slower, as printed; " + notPrinted},
	{"A 6.1, Fig. 13", "instruction mix on six GPUs", "idgen --builtin mix --gpu k620", notPrinted},
	{"A 6.3, T.8 to T.12", "14 Rodinia kernels on three GPUs", "pipesim compare",
		"the measured times are not published. T.9's 60 warps of compute_flux on the K620 need at most 34 registers; " +
			"this compiler takes 64 and nvcc 11.8 59, which leave 30 warps (`--registers 32`: 60)"},
}

// treatedByVolkov are those of V16.
var treatedByVolkov = []treated{
	{"V16 T.2.5 to T.2.9", "GPUs G80, GT200, Fermi, Kepler, Maxwell", "pipesim gpus gtx680",
		"device files 8800gtx, gtx280, gtx480, gtx680, gtx980"},
	{"V16 2.5, 2.6", "coalescing, bank conflicts", "idgen --builtin local-read-conflict", "section 14: same"},
	{"V16 3.1 to 3.4, Figs. 3.1 to 3.3", "concurrency, occupancy, Little's law", ofModels,
		"the table by subsystem; lesson `occupancy`"},
	{"V16 3.6, T.3.2 to T.3.4", "throughput bounds, worksheet", "idgen --builtin worksheet", "section 12: same"},
	{"V16 3.7, L.3.1 to L.3.3", "register, ILP and barrier latencies", "idgen --builtin barrier --gpu gtx480",
		"section 6: same; they are inputs"},
	{"V16 3.8, L.3.4, Fig. 3.6", "vector addition", "idgen --builtin vadd-cuda --gpu gtx680",
		"section 11: the worksheet is the same; a warp of the code compiled here takes 577 cycles (V16: 544)"},
	{"V16 L.3.6, Figs. 3.7, 3.8", "permutation, coalesced or random",
		"idgen --builtin permute --gpu gtx680 | pipesim --set 'ld.global(b):addresses=scattered,within=16777216'",
		"at 64 warps 10.9, 10.6 and 9.5 times as slow on Fermi, Kepler and Maxwell (V16: around 11 or more), and " +
			"near its peak with a third of the warps"},
	{"V16 L.3.7, Figs. 3.9, 3.10", "absolute value, positive or negative numbers",
		"idgen --builtin vabs --gpu gtx680 --branch 13=taken",
		"negative ones reach the throughput of positive ones with 32 of 64 warps (V16: 47 to 63%)"},
	{"V16 3.10, Fig. 3.11", "Black-Scholes", "idgen --builtin black-scholes --gpu gtx980 --fast-math",
		"GTX 980: 190 GB/s with 18 warps by `--fast-math` (V16: 18), with 24 without it (V16: 44 to 48), where the " +
			"SDK's kernel, which V16 does not print, has more instructions"},
	{"V16 4.1 to 4.4, T.4.1, T.4.2", "the model on mixes", ofModels + " --models volkov", "section 16: same"},
	{"V16 4.5, Figs. 4.5 to 4.9", "cusp behaviour", ofModels + " --plot-cusp cusp.svg",
		"section 16: 2 differ by the source's own rounding"},
	{"V16 4.8, T.4.3, Fig. 4.10", "the CUDA guide's analysis", ofModels + " --models cuda-guide", "section 18: same"},
	{"V16 4.9, Figs. 4.11, 4.12", "times overlapped or added", ofModels + " --models zhang-owens", "section 22"},
	{"V16 5, Figs. 5.2 to 5.5", "load imbalance, block size, persistent threads", "pipesim sweep --concurrent max",
		"waves, tails and group sizes are simulated; the curves are not printed as numbers"},
	{"V16 T.6.1, T.6.2", "throughputs and latencies", "gpumeasure run",
		"inputs, random access too (`memory.random_access`)"},
	{"V16 T.6.3, T.6.4", "warps that reach the peak", "",
		"[latency hiding](latency-hiding.md): 22 of 25 within one warp per scheduler"},
	{"V16 6.5, T.6.5", "latency under load", ofModels + " --models volkov-loaded", "section 16: same"},
	{"V16 6.6, T.6.6, Fig. 6.5", "spread of single latencies", "",
		"not modelled: all accesses of a level take the same time, so mean times only"},
	{"V16 6.7, T.6.7", "unstructured access", "pipesim --set ld.global:addresses=scattered",
		"at the rates of T.6.1; Λ grows by transactions (A 6.3), on Kepler to 532 of the measured 1213 cycles"},
	{"V16 7.1", "Hong and Kim", ofModels + " --models mwp-cwp-issue", "section 19: same"},
	{"V16 7.2", "Baghsorkhi et al.", ofModels + " --models wfg", "section 20: same"},
	{"V16 7.3", "Zhang and Owens", ofModels + " --models zhang-owens,zhang-owens-additive", "section 22: same form"},
	{"V16 7.4", "Sim et al.", ofModels + " --models gpuperf", "section 21: same"},
	{"V16 7.5 to 7.7", "Huang et al., both schedulers, bandwidth",
		ofModels + " --models gpumech-gto-full --gpumech-contention all", "section 23: same"},
}
