package micro

import (
	"fmt"
	"strings"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// matrix is an instruction of tensor cores as PTX writes it (PTX ISA, mma.sync).
type matrix struct {
	shape, types string
	ones         string // a register of factors that are all 1
	a, b, c      int    // registers of a work item
	wide         bool   // factors of 64 bits
	sum          scalar
	each         float64 // that a product adds to each element of a sum; 0 of factors that are 0
}

var matrices = map[string]matrix{
	"hmma.16816.f32":      {"m16n8k16", "f32.f16.f16.f32", "0x3c003c00u", 4, 2, 4, false, f32, 16},
	"hmma.16816.f16":      {"m16n8k16", "f16.f16.f16.f16", "0u", 4, 2, 2, false, word, 0}, // sums would overflow
	"hmma.16816.f32.bf16": {"m16n8k16", "f32.bf16.bf16.f32", "0x3f803f80u", 4, 2, 4, false, f32, 16},
	"hmma.1688.f32":       {"m16n8k8", "f32.f16.f16.f32", "0x3c003c00u", 2, 1, 4, false, f32, 8},
	"hmma.1688.f16":       {"m16n8k8", "f16.f16.f16.f16", "0u", 2, 1, 2, false, word, 0},
	"hmma.1688.tf32.f32":  {"m16n8k8", "f32.tf32.tf32.f32", "0x3f800000u", 4, 2, 4, false, f32, 8},
	"imma.16832.s32":      {"m16n8k32", "s32.s8.s8.s32", "0x01010101u", 4, 2, 4, false, s32, 32},
	"dmma.884.f64":        {"m8n8k4", "f64.f64.f64.f64", "1.0", 1, 1, 2, true, f64, 4},
}

// tensorSpec is the microbenchmark of a matrix instruction in CUDA; nil for other classes. A chain is a sum to which
// the same product is added again and again; its first register is the chain's, the others are declared beside it.
func tensorSpec(c measure.Class, _ driver.Dialect) *spec {
	m, ok := matrices[c.Name]
	if !ok {
		return nil
	}
	const chains = 4
	constraint := map[scalar]string{f32: "f", f64: "d", s32: "r", word: "r"}[m.sum]
	s := &spec{typ: m.sum, unroll: 32, tolerance: 1e-5}
	factor, factors := "uint", "r" // not known to the compiler: a is 0
	if m.wide {
		factor, factors = "double", "d"
	}
	s.setup = fmt.Sprintf("%[1]s factor = (%[1]s)a + %[2]s;\n", factor, m.ones)
	for chain := range chains {
		for i := range m.c - 1 {
			s.setup += fmt.Sprintf("T r%d_%d = a;\n", chain, i+1)
		}
	}
	s.step = func(x, _ string) string {
		sums := []string{fmt.Sprintf(`"+%s"(%s)`, constraint, x)}
		for i := range m.c - 1 {
			sums = append(sums, fmt.Sprintf(`"+%s"(%s_%d)`, constraint, x, i+1))
		}
		d := operands(0, m.c, 1)
		return fmt.Sprintf(`asm volatile("mma.sync.aligned.%s.row.col.%s %s, %s, %s, %s;" : %s : "%s"(factor))`,
			m.shape,
			m.types, d, operands(m.c, m.a, 0), operands(m.c, m.b, 0), d, strings.Join(sums, ", "), factors)
	}
	s.want = func(at place, chain int) float64 { return oddValue(at, chain) + m.each*float64(at.steps) }
	return s
}

// operands are so many in braces, from one on, each so much behind the one before.
func operands(first, count, step int) string {
	var list []string
	for i := range count {
		list = append(list, fmt.Sprintf("%%%d", first+i*step))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// groupSpec is the microbenchmark of a warp group's matrix instruction; nil for other classes. Each step begins, adds
// the product of two matrices of ones in shared memory several times, and waits (PTX ISA, wgmma: matrices of 8 rows of
// 16 bytes one behind the other, two of them along the depth of 16).
func groupSpec(c measure.Class, _ driver.Dialect) *spec {
	if c.Needs != measure.Group {
		return nil
	}
	const columns, depth, rows, products = 128, 16, 64, 4
	const bytes = 2 * depth * (rows + columns)
	s := &spec{typ: f32, unroll: 8, local: bytes, counted: products * columns / 8, tolerance: 1e-5}
	s.setup = fmt.Sprintf("for (uint j = lid; j < %du; j += size) ((uint *)table)[j] = 0x3c003c00u;\n", bytes/4) +
		"asm volatile(\"fence.proxy.async;\" ::: \"memory\");\nBARRIER;\nuint at;\n" +
		"asm(\"{ .reg .u64 x; cvta.to.shared.u64 x, %1; cvt.u32.u64 %0, x; }\" : \"=r\"(at) : \"l\"(table));\n" +
		fmt.Sprintf("ulong ma = (at & 0x3ffffu) >> 4 | 8ull << 16 | 16ull << 32, mb = ma + %du;\n", 2*depth*rows/16)
	sums := []string{`"+f"(r0)`}
	for i := 1; i < columns/2; i++ {
		s.setup += fmt.Sprintf("T r0_%d = a;\n", i)
		sums = append(sums, fmt.Sprintf(`"+f"(r0_%d)`, i))
	}
	product := fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n%dk%d.f32.f16.f16 %s, %%%d, %%%d, p, 1, 1, 0, 0; ",
		columns, depth, operands(0, columns/2, 1), columns/2, columns/2+1)
	step := `asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.fence.sync.aligned; ` +
		strings.Repeat(product, products) +
		`wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }" : ` + strings.Join(sums, ", ") +
		` : "l"(ma), "l"(mb) : "memory")`
	s.step = func(string, string) string { return step }
	s.want = func(at place, chain int) float64 { return oddValue(at, chain) + products*depth*float64(at.steps) }
	return s
}
