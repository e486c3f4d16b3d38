package main

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// mapped is what a device makes of an access of 32 lanes, given the byte offset
// of each, with rules as of --set.
func mapped(device, op string, space idg.Space, offset func(lane int64) int64,
	set ...string) (*latencies.Entry, error) {
	d, err := latencies.Builtin(device)
	if err != nil {
		return nil, err
	}
	var rules []latencies.Rule
	for _, text := range set {
		r, err := latencies.ParseRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	m, err := latencies.NewMapper(d, rules)
	if err != nil {
		return nil, err
	}
	b := idg.NewBuilder()
	a := idg.Access{Space: space, Width: 4}
	for lane := range int64(lanes) {
		a.Offsets = append(a.Offsets, offset(lane))
	}
	b.Begin(0)
	b.Add(b.Instr(idg.Instr{Op: op, Type: "f32", Access: b.Access(a), Lanes: lanes,
		Pos: idg.Pos{File: "k.cl", Line: 1}}))
	g, err := b.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O0", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{lanes, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: lanes},
	})
	if err != nil {
		return nil, err
	}
	mapping, err := m.Map(g)
	if err != nil {
		return nil, err
	}
	return mapping.Entry(1), nil
}

func stride(words int64) func(int64) int64 { return func(lane int64) int64 { return 4 * words * lane } }

func modulesSection() section {
	value := func(op string, space idg.Space, words int64, of func(latencies.Timing) latencies.Cycles,
		set ...string) func() (float64, error) {
		return func() (float64, error) {
			e, err := mapped("gtx1060", op, space, stride(words), set...)
			if err != nil {
				return 0, err
			}
			return of(e.Timing).Float(), nil
		}
	}
	cpi := func(t latencies.Timing) latencies.Cycles { return t.CPI }
	latency := func(t latencies.Timing) latencies.Cycles { return t.Latency }
	global, local := idg.SpaceGlobal, idg.SpaceLocal
	return section{number: 13, title: "Memory access modules", origin: simulation,
		commands: []command{
			{
				`idgen --builtin mmul-08 --gpu gtx1060 | pipesim --set "ld.global@31:R=1/128" --explain --format ` +
					`json | jq -c "[.instructions[] | select(.R == 1/128 and .line == 31) | .cpi, .latency] | .[:2]"`,
				"[4.0625,217.0078125]"}}, tests: "`latencies`",
		text: "R = DRAM bytes / requested bytes; R < 1: Λ = R·Λ_DRAM + (1-R)·Λ_L2, λ likewise; R > 1: Λ = Λ_DRAM + " +
			"(R-1)·λ_DRAM, λ = R·λ_DRAM. Local memory with conflict degree D: Λ' = Λ + D·λ, λ' = (1+D)·λ. With the " +
			"GTX 1060's parameters of A T.5 (global 12 / 345, local 1 / 25); the sources print none of L2, the " +
			"device file has 4 / 216.",
		entries: []entry{
			{source: "A 6.3", what: "mmul's A, 8x8 (R = 1/128): λ", derived: 12./128 + 127./128*4, unit: "cycles",
				ours: value("ld.global", global, 1, cpi, "ld.global:R=1/128")},
			{source: "A 6.3", what: "mmul's A, 8x8 (R = 1/128): Λ", derived: 345./128 + 127./128*216, unit: "cycles",
				ours: value("ld.global", global, 1, latency, "ld.global:R=1/128")},
			{source: "A 6.3", what: "stride 1 (R = 1): λ", derived: 12, unit: "cycles",
				ours: value("ld.global", global, 1, cpi)},
			{source: "A 6.3", what: "stride 1 (R = 1): Λ", derived: 345, unit: "cycles",
				ours: value("ld.global", global, 1, latency)},
			{source: "A 6.3", what: "stride 2 (R = 2): λ", derived: 2 * 12, unit: "cycles",
				ours: value("ld.global", global, 2, cpi)},
			{source: "A 6.3", what: "stride 2 (R = 2): Λ", derived: 345 + (2-1)*12, unit: "cycles",
				ours: value("ld.global", global, 2, latency)},
			{source: "A 6.3", what: "local, stride 4 (D = 3): λ'", derived: (1 + 3) * 1, unit: "cycles",
				ours: value("ld.local", local, 4, cpi)},
			{source: "A 6.3", what: "local, stride 4 (D = 3): Λ'", derived: 25 + 3*1, unit: "cycles",
				ours: value("ld.local", local, 4, latency)},
		}}
}

func coalescingSection() section {
	s := section{number: 14, title: "Coalescing and banks", origin: simulation,
		tests: "`latencies`, `unroll` (from source)",
		text:  "Blocks of 128 bytes and passes over the banks of one access, on the GTX 480.",
		commands: []command{
			{
				`for stride in 1 2 3 32; do echo "__kernel void k(__global float *a) { a[$stride * ` +
					`get_global_id(0)] = 1; }" | idgen - --gpu gtx480 --local 32 --groups 1 | pipesim --explain ` +
					`--format json | jq -r '.instructions[] | select(.op == "st.global") | .transactions'; done ` +
					`| xargs`, "1 2 3 32"}}}
	count := func(op string, space idg.Space, offset func(int64) int64) func() (float64, error) {
		return func() (float64, error) {
			e, err := mapped("gtx480", op, space, offset)
			if err != nil {
				return 0, err
			}
			return float64(e.Transactions), nil
		}
	}
	for _, c := range []struct {
		what   string
		offset func(int64) int64
	}{
		{"stride 1, aligned", stride(1)}, {"stride 1, misaligned by a word", func(l int64) int64 { return 4 + 4*l }},
		{"stride 2", stride(2)}, {"stride 3", stride(3)}, {"fully divergent", stride(32)},
	} {
		s.entries = append(s.entries, entry{source: "V16 2.5", what: "global, " + c.what, derived: blocks(c.offset),
			unit: "blocks",
			ours: count("ld.global", idg.SpaceGlobal, c.offset)})
	}
	for _, words := range []int64{0, 1, 2, 3, 4, 31, 32} {
		s.entries = append(s.entries, entry{source: "V16 2.6", what: fmt.Sprintf("local, stride %d", words),
			derived: ways(stride(words)), unit: "ways",
			ours: count("ld.local", idg.SpaceLocal, stride(words))})
	}
	return s
}

// blocks is how many blocks of 128 bytes a warp touches, ways how many words of one bank, of 32 banks, at most.
func blocks(offset func(int64) int64) float64 {
	touched := map[int64]bool{}
	for lane := range int64(lanes) {
		touched[offset(lane)/128] = true
	}
	return float64(len(touched))
}

func ways(offset func(int64) int64) float64 {
	banks := map[int64]map[int64]bool{}
	most := 0
	for lane := range int64(lanes) {
		word := offset(lane) / 4
		if banks[word%32] == nil {
			banks[word%32] = map[int64]bool{}
		}
		banks[word%32][word] = true
		most = max(most, len(banks[word%32]))
	}
	return float64(most)
}
