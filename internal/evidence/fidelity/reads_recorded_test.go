package fidelity

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/evidence/sass"
)

// portsFile holds what machine code reads, so that the test needs no compiler.
const portsFile = "testdata/reads.txt"

const portsHeader = "# What a warp reads of the register file in machine code by nvcc " + compilerRelease +
	` with -use_fast_math:
# floating instructions, the words that they read through the ports, all instructions, and the
# cycles in which these are allocated ports: wherever registers are, and with those of two banks.
# Written by: go test ./internal/evidence/fidelity -run RegisterReads -update
# kernel device float words instructions ideal banks
`

// portUse is a kernel's line.
type portUse struct{ float, words, issued, ideal, cycles int64 }

// fileName is a kernel's name in one word.
func fileName(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, ",", ""), " ", "-")
}

// portsRecorded is what is recorded, made anew under -update.
func portsRecorded(t *testing.T) map[compiled]portUse {
	t.Helper()
	if *update {
		uses, err := compileAllPorts(t)
		if err == nil {
			recordPorts(t, uses)
			return uses
		}
		t.Errorf("%s stays as it is: %v", portsFile, err)
	}
	return recordedFigures(t, portsFile, func(c *compiled, p *portUse) []any {
		return []any{&c.kernel, &c.device, &p.float, &p.words, &p.issued, &p.ideal, &p.cycles}
	})
}

// recordPorts writes the file.
func recordPorts(t *testing.T, uses map[compiled]portUse) {
	t.Helper()
	var b strings.Builder
	b.WriteString(portsHeader)
	order := func(a, b compiled) int {
		return cmp.Or(cmp.Compare(a.kernel, b.kernel), cmp.Compare(a.device, b.device))
	}
	for _, c := range slices.SortedFunc(maps.Keys(uses), order) {
		p := uses[c]
		fmt.Fprintf(&b, "%s %s %d %d %d %d %d\n", c.kernel, c.device, p.float, p.words, p.issued, p.ideal, p.cycles)
	}
	if err := os.WriteFile(portsFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compileAllPorts asks the compiler about all kernels that have floating instructions to compare.
func compileAllPorts(t *testing.T) (map[compiled]portUse, error) {
	if err := missingCompiler(); err != nil {
		return nil, err
	}
	uses := map[compiled]portUse{}
	var errs []error
	for _, s := range readSources(t) {
		fn, k := kernelOf(t, s)
		for _, d := range readDevices {
			listing, err := machineListing(s, d)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
				continue
			}
			code, err := sass.Parse(listing, fn.Name)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
				continue
			}
			checkCounters(t, s.name, code)
			l := launchOf(fn, k).sass(fn)
			if d == "sm_90" {
				l.FirstParam = sass.FirstParam90
			}
			executed, err := code.Run(l)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
				continue
			}
			p := code.Ports(executed)
			uses[compiled{fileName(s.name), d}] = portUse{p.Fixed[sass.Float], p.Words[sass.Float], p.Issued,
				p.Ideal, p.Cycles}
		}
	}
	return uses, errors.Join(errs...)
}

// checkCounters checks that floating instructions have fixed latencies and that special functions and
// memory accesses set dependence counters, or at least have one of their kind that does.
func checkCounters(t *testing.T, name string, k *sass.Kernel) {
	t.Helper()
	for _, in := range k.Code {
		switch p := in.Pipe(); {
		case p == sass.Float && in.Counted:
			t.Errorf("%s: %s sets a dependence counter", name, in.Op)
		case p == sass.Special && in.FixedLatency():
			t.Errorf("%s: %s is taken to have a fixed latency", name, in.Op)
		}
	}
}
