// Package pass optimises the IR of a kernel as the compiler of a profile does. It consumes an [ir.Func] that
// package build made, and leaves one from which package machine selects instructions. A pass is static: it
// reads the code and the profile of the compiler, never a launch. Each is a file with one function, named as
// textbooks and compilers name it, in the room of what it is about - values and branches (scalar), memory (memory),
// loops (loops) - and has a golden file of before and after in testdata.
package pass

import (
	"fmt"
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/loops"
	"gpupipe/lower/pass/memory"
	"gpupipe/lower/pass/scalar"
	"gpupipe/lower/profile"
)

// Pass is one step over a kernel.
type Pass struct {
	Name string
	Why  string // one line
	Run  func(*ir.Func, *profile.Context)
	// After names passes that must have run before; checked when the program starts.
	After []string
	// Behind names the passes before whose changes alone give this one anything to do: where none of them removed
	// instructions or made values this one is left out (LLVM's LastRunTrackingAnalysis).
	Behind []string
	// Over is what it changes: where a kernel has none it is left out.
	Over nest
}

// nest is which operations with blocks a kernel has. No pass makes one of code that has none.
type nest int

const (
	branches nest = iota + 1
	loop          // and maybe branches
)

// List is the order of the passes at -O2.
var List = []Pass{
	{Name: "promote", Run: memory.Promote, Why: "private objects with known offsets become values (mem2reg, SROA)"},
	{Name: "simplify", Run: scalar.Simplify,
		Why: "constants are folded, identities removed, one form for equal things (instcombine)"},
	{Name: "ifconvert", Run: scalar.IfConvert, After: []string{"simplify"},
		Why: "short branches become selects (simplifycfg)"},
	{Name: "reassociate", Run: scalar.Reassociate, After: []string{"simplify"},
		Why: "sums and products in an order that loops keep parts of (reassociate)"},
	{Name: "sink", Run: scalar.Sink, After: []string{"ifconvert"},
		Why: "what one side of a branch reads is computed there (instcombine)"},
	{Name: "gvn", Run: memory.GVN, After: []string{"ifconvert"},
		Why: "what is computed or loaded already is not again"},
	{Name: "rotate", Run: loops.Rotate, After: []string{"simplify"}, Why: "loops end with their test (loop-rotate)"},
	{Name: "licm", Run: memory.LICM, After: []string{"gvn", "rotate"},
		Why: "what a loop does not change is computed before it"},
	{Name: "popcount", Run: loops.CountBits, After: []string{"rotate"},
		Why: "loops that clear bit after bit become counts of bits (loop-idiom)"},
	{Name: "unswitch", Run: loops.Unswitch, After: []string{"licm"},
		Why: "what a loop does not decide is decided before it (loop-unswitch)"},
	{Name: "simplify loops", Run: scalar.Simplify, After: []string{"rotate"},
		Why: "conditions in the copies of a loop, and loops of one iteration (indvars)"},
	{Name: "unroll", Run: loops.Unroll, After: []string{"licm"},
		Why: "loops by pragma, else by the compiler's cost rule"},
	{Name: "simplify again", Run: scalar.Simplify, After: []string{"unroll"}, Why: "the copies' constants"},
	{Name: "promote again", Run: memory.Promote, After: []string{"simplify again"},
		Why: "arrays that unrolled subscripts made constant"},
	{Name: "simplify values", Run: scalar.Simplify, Behind: []string{"simplify again", "promote again"},
		Why: "constants that were elements of arrays"},
	{Name: "reassociate copies", Run: scalar.Reassociate, After: []string{"simplify values"},
		Why: "the copies' subscripts without their constants"},
	{Name: "gvn copies", Run: memory.GVN, After: []string{"reassociate copies"}, Why: "what the copies share"},
	{Name: "sink copies", Run: scalar.SinkCopies, Over: branches, After: []string{"gvn copies"},
		Why: "what unrolled loops compute for one side of a branch (instcombine)"},
	{Name: "unroll again", Run: loops.UnrollAgain, Over: loop, After: []string{"simplify again"},
		Why: "loops that the counters of unrolled ones bound"},
	{Name: "simplify nested", Run: scalar.Simplify, Behind: []string{"gvn copies", "unroll again"},
		Why: "the copies' constants"},
	{Name: "promote nested", Run: memory.Promote, Behind: []string{"unroll again"},
		Why: "arrays with subscripts by counters that depend on others"},
	{Name: "simplify nested values", Run: scalar.Simplify, Behind: []string{"simplify nested", "promote nested"},
		Why: "constants that were elements of arrays"},
	{Name: "address", Run: loops.Addresses, After: []string{"unroll again"},
		Why: "constants leave subscripts for the offset of the access (separate-const-offset-from-gep)"},
	{Name: "gvn again", Run: memory.GVN, After: []string{"address"}, Why: "the copies share what is equal"},
	{Name: "nary", Run: loops.Nary, After: []string{"gvn again"},
		Why: "addresses of sums follow from those of their terms (nary-reassociate)"},
	{Name: "chain", Run: loops.Chain, After: []string{"nary"},
		Why: "addresses at equal distances follow from one another (base address strength reduction)"},
	{Name: "slsr", Run: loops.StraightLine, After: []string{"chain"},
		Why: "products and sums that differ by a multiple of a stride become sums"},
	{Name: "gvn sums", Run: memory.GVN, Behind: []string{"chain", "slsr"}, Why: "equal strides"},
	{Name: "licm again", Run: memory.LICM, Over: loop, After: []string{"gvn again"},
		Why: "addresses whose constants were split off"},
	{Name: "dse", Run: memory.DeadStores, After: []string{"gvn again"}, Why: "stores that the next one overwrites"},
	{Name: "ifconvert again", Run: scalar.IfConvertLate, Over: branches, After: []string{"dse"},
		Why: "branches that have become short"},
	{Name: "strength", Run: loops.StrengthReduce, Over: loop, After: []string{"licm again"},
		Why: "addresses of a loop become pointers that it increments (lsr)"},
	{Name: "contract", Run: scalar.Contract, After: []string{"gvn again"}, Why: "a product that is added is one fma"},
	{Name: "simplify reduced", Run: scalar.SimplifyLate, After: []string{"strength"},
		Why: "what the passes before left"},
	{Name: "unroll late", Run: loops.UnrollLate, Over: loop, After: []string{"strength", "contract"},
		Why: "small loops again, as the stage behind PTX does"},
	{Name: "simplify at last", Run: scalar.SimplifyLate, Behind: []string{"simplify reduced", "unroll late"},
		Why: "the copies' constants"},
	{Name: "vectorise", Run: memory.Vectorise, After: []string{"strength"},
		Why: "adjacent accesses become one where the alignment is known (load-store-vectorizer)"},
	{Name: "indexed", Run: memory.Indexed, After: []string{"vectorise"},
		Why: "small arrays with computed subscripts become registers, as the stage behind PTX has them"},
	{Name: "merge", Run: memory.MergeStores, After: []string{"indexed"},
		Why: "stores to private memory that a branch may overwrite follow it, as the stage behind PTX has them"},
	{Name: "dce", Run: scalar.DCE, After: []string{"merge"}, Why: "nobody reads it"},
	{Name: "machine-sink", Run: scalar.MachineSink, Over: branches, After: []string{"contract", "dce"},
		Why: "what one side of a branch reads is computed there, of loaded values (machine-sink)"},
}

// Source is the order of the passes at -O0, where the source decides which loops are unrolled and nothing else is done.
var Source = []Pass{
	{Name: "constants", Run: scalar.Constants, Why: "operations on constants, and what they decide, are no code"},
	{Name: "unroll", Run: loops.Unroll, Why: "loops by pragma"},
	{Name: "copies' constants", Run: scalar.Constants, After: []string{"unroll"}, Why: "the copies' counters"},
	{Name: "unroll again", Run: loops.UnrollAgain, Why: "loops that the counters of unrolled ones bound"},
	{Name: "nested constants", Run: scalar.Constants, After: []string{"unroll again"}, Why: "their counters"},
	{Name: "promote", Run: memory.Promote, After: []string{"nested constants"},
		Why: "private arrays of which all subscripts are constant are variables"},
	{Name: "values", Run: scalar.Constants, After: []string{"promote"}, Why: "constants that were elements of arrays"},
}

func init() {
	for _, list := range [][]Pass{List, Source} {
		for i, p := range list {
			for _, name := range append(p.After, p.Behind...) {
				if !slices.ContainsFunc(list[:i], func(q Pass) bool { return q.Name == name }) {
					panic(fmt.Sprintf("pass %s must run after %s", p.Name, name))
				}
			}
		}
	}
}

// extent is how many instructions a kernel has, and how many values it has had.
type extent struct{ instrs, values int }

// extentOf is also which nests a kernel has.
func extentOf(f *ir.Func) (extent, nest) {
	n, has := 0, nest(0)
	f.Body.Walk(func(in *ir.Instr) {
		if n++; in.Op == lower.OpLoop {
			has = loop
		} else if in.Nests() {
			has = max(has, branches)
		}
	})
	return extent{n, f.NumValues()}, has
}

// Run runs the passes over a kernel, up to and with the one named after where that is not empty. check is
// called after each, as tests do to verify; nil: not.
func Run(f *ir.Func, c *profile.Context, after string, check func(pass string, f *ir.Func) error) error {
	list := List
	if c.Source {
		list = Source
	}
	if after != "" && !slices.ContainsFunc(list, func(q Pass) bool { return q.Name == after }) {
		return fmt.Errorf("no pass %q; the passes: %s", after, names(list))
	}
	changed := map[string]bool{} // by those that others are behind
	for _, p := range list {
		for _, name := range p.Behind {
			changed[name] = false
		}
	}
	now, has, known := extent{}, loop, false
	for _, p := range list {
		if p.Over <= has &&
			(p.Behind == nil || slices.ContainsFunc(p.Behind, func(name string) bool { return changed[name] })) {
			_, asked := changed[p.Name]
			if asked && !known {
				now, has = extentOf(f)
			}
			p.Run(f, c)
			if known = asked; asked {
				before := now
				now, has = extentOf(f)
				changed[p.Name] = now != before
			}
		}
		if check != nil {
			if err := check(p.Name, f); err != nil {
				return fmt.Errorf("after %s: %w", p.Name, err)
			}
		}
		if p.Name == after {
			break
		}
	}
	return nil
}

func names(list []Pass) string {
	s := ""
	for i, p := range list {
		if i > 0 {
			s += ", "
		}
		s += p.Name
	}
	return s
}
