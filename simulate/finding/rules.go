package finding

import (
	"cmp"
	"slices"
)

// rule finds what could be changed; what it saves is simulated afterwards.
type rule struct {
	code, about string
	find        func(*Run) ([]trial, error)
	section     string   // of NVIDIA's CUDA C++ Best Practices Guide; empty for memory-optimizations
	covers      []string // codes of what is superfluous if this saves as much as most of it: they have one cause
	places      bool     // it also holds where only the places of accesses are not known
	textbook    bool     // it is named where it saves nothing, too
}

// Sections of the guide that several rules have.
const (
	arithmetic   = "arithmetic-instructions"
	instructions = "instruction-optimization"
	blocks       = "thread-and-block-heuristics"
	residency    = "occupancy"
	coalescing   = "coalesced-access-to-global-memory"
)

// rules in the order of their codes.
var rules = []rule{
	{code: "accidental-doubles", find: accidentalDoubles, textbook: true, section: arithmetic,
		about: "double precision in a kernel of single precision: a literal without f"},
	{code: "bank-conflicts", find: bankConflicts, textbook: true,
		about: "lanes of a warp access different words of one bank of local memory"},
	{code: "barriers", find: barriers, about: "warps wait at barriers for the slowest of their group"},
	{code: "divergence", find: divergence, section: instructions, about: "lanes of a warp go both ways at a branch"},
	{code: "extra-traffic", find: extraTraffic,
		about: "device memory moves more than the data that the launch touches"},
	{code: "few-groups", find: fewGroups, section: blocks, about: "the launch does not fill the GPU"},
	{code: "histogram", find: histogram, places: true, textbook: true, covers: []string{"same-address", "indirect"},
		about: "atomics on a few words of global memory"},
	{code: "idle-lanes", find: idleLanes, textbook: true, section: blocks, covers: []string{"divergence", "latency"},
		about: "groups are no whole warps"},
	{code: "indirect", find: indirect, places: true, textbook: true, covers: []string{"uncoalesced", "extra-traffic"},
		about: "lanes of a warp access what they have loaded the place of"},
	{code: "integer-division", find: integerDivision, textbook: true, section: arithmetic,
		about: "integer quotients and remainders by values that are not known at compile time"},
	{code: "issue-bound", find: issueBound, section: instructions,
		about: "the issue slots are full of instructions that compute indices"},
	{code: "l1-traffic", find: l1Traffic, about: "both factors of multiply-adds are loaded through L1"},
	{code: "latency", find: latency, section: residency,
		about: "warps wait for the result of an instruction, and others do not hide it"},
	{code: "local-memory", find: localMemory, textbook: true,
		about: "an array in local memory that work items do not share"},
	{code: "local-traffic", find: localTraffic, about: "both factors of multiply-adds are loaded from local memory"},
	{code: "loop-overhead", find: loopOverhead, section: instructions,
		about: "a rolled loop spends its time on its counter and branch"},
	{code: "narrow-accesses", find: narrowAccesses, textbook: true, section: coalescing,
		covers: []string{"uncoalesced"}, about: "a work item accesses neighbouring elements one by one"},
	{code: "occupancy", find: occupancy, textbook: true, section: residency,
		about: "registers or local memory keep groups from being resident that would hide latency"},
	{code: "partial-writes", find: partialWrites, covers: []string{"extra-traffic"},
		about: "stores leave bytes of their sectors out, and device memory reads these first"},
	{code: "private-array", find: privateArrays, textbook: true,
		about: "an array of each work item is in memory, not in registers"},
	{code: "repeated-loads", find: repeatedLoads, textbook: true,
		about: "values are loaded again behind each barrier"},
	{code: "restrict", find: restrict, textbook: true, covers: []string{"l1-traffic"},
		about: "values are loaded again because a store might have changed them"},
	{code: "same-address", find: sameAddress, places: true, textbook: true,
		about: "atomics update one address one after the other"},
	{code: "slow-math", find: slowMath, textbook: true, section: arithmetic,
		about: "accurate functions where the hardware has fast ones"},
	{code: "small-groups", find: smallGroups, textbook: true, section: blocks, covers: []string{"latency"},
		about: "a compute unit holds fewer warps than it could, or waits for the start of groups, as these are small"},
	{code: "spills", find: spills, textbook: true, section: residency, about: "registers are spilled to memory"},
	{code: "swapped-axes", find: swappedAxes, section: coalescing,
		covers: []string{"uncoalesced", "narrow-accesses", "extra-traffic"},
		about:  "neighbouring work items are in different rows"},
	{code: "tail-wave", find: tailWave, section: blocks, about: "the last wave of groups does not fill the GPU"},
	{code: "tile", find: tile, textbook: true,
		covers: []string{"repeated-loads", "uncoalesced", "narrow-accesses", "extra-traffic"},
		about:  "work items of a group load the same values from global memory"},
	{code: "uncoalesced", find: uncoalesced, textbook: true, section: coalescing, covers: []string{"extra-traffic"},
		about: "lanes of a warp access places of global memory that are far apart"},
	{code: "unknown-trips", find: unknownTrips, section: instructions,
		about: "a loop stays rolled because the compiler does not know its trip count"},
	{code: "unused-pragma", find: unusedPragma, section: instructions,
		about: "a #pragma unroll that has no effect, or not all of it"},
	{code: "warp-aggregation", find: warpAggregation, places: true, textbook: true,
		about: "each lane reserves a place by an atomic of its own"},
}

// Rules lists the codes of all rules and what they look for.
func Rules() [][2]string {
	var all [][2]string
	for _, r := range rules {
		all = append(all, [2]string{r.code, r.about})
	}
	return all
}

// ruleOf is the rule with a code, empty if there is none.
func ruleOf(code string) (r rule) {
	if i := slices.IndexFunc(rules, func(r rule) bool { return r.code == code }); i >= 0 {
		r = rules[i]
	}
	return r
}

// Help is the address of a text on what a rule finds, "" if there is no such rule.
func Help(code string) string {
	r := ruleOf(code)
	if r.code == "" {
		return ""
	}
	return "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html#" +
		cmp.Or(r.section, "memory-optimizations")
}
