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
