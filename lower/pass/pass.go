// Package pass optimises the IR of a kernel as the compiler of a profile does. It consumes an [ir.Func] that
// package build made, and leaves one from which package machine selects instructions. A pass is static: it
// reads the code and the profile of the compiler, never a launch. Each is a file with one function, named as
// textbooks and compilers name it, and a golden file of before and after in testdata.
package pass

import (
	"fmt"
	"slices"

	"gpupipe/lower/ir"
)

// Pass is one step over a kernel.
type Pass struct {
	Name string
	Why  string // one line
	Run  func(*ir.Func, *Context)
	// After names passes that must have run before; checked when the program starts.
	After []string
}

// Context is what a pass may read besides the kernel.
type Context struct {
	Profile *Profile
	// Unroll overrides the factor of loops by LoopID of the source (Instr.Source); 1: rolled.
	Unroll map[int]int
	// Source: nothing is optimised, and the code is what the source says (-O0): the passes are those of Source.
	Source bool
	// Virtual: the code is for a virtual machine (PTX): the stage behind it has not run.
	Virtual bool
}

// List is the order of the passes at -O2.
var List = []Pass{
	{Name: "promote", Run: Promote, Why: "private objects with known offsets become values (mem2reg, SROA)"},
	{Name: "simplify", Run: Simplify,
		Why: "constants are folded, identities removed, one form for equal things (instcombine)"},
	{Name: "ifconvert", Run: IfConvert, After: []string{"simplify"},
		Why: "short branches become selects (simplifycfg)"},
	{Name: "reassociate", Run: Reassociate, After: []string{"simplify"},
		Why: "sums and products in an order that loops keep parts of (reassociate)"},
	{Name: "sink", Run: Sink, After: []string{"ifconvert"},
		Why: "what one side of a branch reads is computed there (instcombine)"},
	{Name: "gvn", Run: GVN, After: []string{"ifconvert"}, Why: "what is computed or loaded already is not again"},
	{Name: "rotate", Run: Rotate, After: []string{"simplify"}, Why: "loops end with their test (loop-rotate)"},
	{Name: "licm", Run: LICM, After: []string{"gvn", "rotate"},
		Why: "what a loop does not change is computed before it"},
	{Name: "unswitch", Run: Unswitch, After: []string{"licm"},
		Why: "what a loop does not decide is decided before it (loop-unswitch)"},
	{Name: "simplify loops", Run: Simplify, After: []string{"rotate"},
		Why: "conditions in the copies of a loop, and loops of one iteration (indvars)"},
	{Name: "unroll", Run: Unroll, After: []string{"licm"}, Why: "loops by pragma, else by the compiler's cost rule"},
	{Name: "simplify again", Run: Simplify, After: []string{"unroll"}, Why: "the copies' constants"},
	{Name: "promote again", Run: Promote, After: []string{"simplify again"},
		Why: "arrays that unrolled subscripts made constant"},
	{Name: "simplify values", Run: Simplify, After: []string{"promote again"},
		Why: "constants that were elements of arrays"},
	{Name: "reassociate copies", Run: Reassociate, After: []string{"simplify values"},
		Why: "the copies' subscripts without their constants"},
	{Name: "gvn copies", Run: GVN, After: []string{"reassociate copies"}, Why: "what the copies share"},
	{Name: "sink copies", Run: Sink, After: []string{"gvn copies"},
		Why: "what unrolled loops compute for one side of a branch (instcombine)"},
	{Name: "unroll again", Run: UnrollAgain, After: []string{"simplify again"},
		Why: "loops that the counters of unrolled ones bound"},
	{Name: "simplify nested", Run: Simplify, After: []string{"unroll again"}, Why: "the copies' constants"},
	{Name: "promote nested", Run: Promote, After: []string{"simplify nested"},
		Why: "arrays with subscripts by counters that depend on others"},
	{Name: "simplify nested values", Run: Simplify, After: []string{"promote nested"},
		Why: "constants that were elements of arrays"},
	{Name: "address", Run: Addresses, After: []string{"unroll again"},
		Why: "constants leave subscripts for the offset of the access (separate-const-offset-from-gep)"},
	{Name: "gvn again", Run: GVN, After: []string{"address"}, Why: "the copies share what is equal"},
	{Name: "chain", Run: Chain, After: []string{"gvn again"},
		Why: "addresses at equal distances follow from one another (base address strength reduction)"},
	{Name: "slsr", Run: StraightLine, After: []string{"chain"},
		Why: "products and sums that differ by a multiple of a stride become sums"},
	{Name: "gvn sums", Run: GVN, After: []string{"slsr"}, Why: "equal strides"},
	{Name: "licm again", Run: LICM, After: []string{"gvn again"}, Why: "addresses whose constants were split off"},
	{Name: "dse", Run: DeadStores, After: []string{"gvn again"}, Why: "stores that the next one overwrites"},
	{Name: "ifconvert again", Run: IfConvertLate, After: []string{"dse"}, Why: "branches that have become short"},
	{Name: "strength", Run: StrengthReduce, After: []string{"licm again"},
		Why: "addresses of a loop become pointers that it increments (lsr)"},
	{Name: "contract", Run: Contract, After: []string{"gvn again"}, Why: "a product that is added is one fma"},
	{Name: "simplify reduced", Run: Simplify, After: []string{"strength"}, Why: "what the passes before left"},
	{Name: "unroll late", Run: UnrollLate, After: []string{"strength", "contract"},
		Why: "small loops again, as the stage behind PTX does"},
	{Name: "simplify at last", Run: Simplify, After: []string{"unroll late"}, Why: "the copies' constants"},
	{Name: "vectorise", Run: Vectorise, After: []string{"strength"},
		Why: "adjacent accesses become one where the alignment is known (load-store-vectorizer)"},
	{Name: "indexed", Run: Indexed, After: []string{"vectorise"},
		Why: "small arrays with computed subscripts become registers, as the stage behind PTX has them"},
	{Name: "merge", Run: MergeStores, After: []string{"indexed"},
		Why: "stores to private memory that a branch may overwrite follow it, as the stage behind PTX has them"},
	{Name: "dce", Run: DCE, After: []string{"merge"}, Why: "nobody reads it"},
	{Name: "machine-sink", Run: MachineSink, After: []string{"contract", "dce"},
		Why: "what one side of a branch reads is computed there, of loaded values (machine-sink)"},
}

// Source is the order of the passes at -O0, where the source decides which loops are unrolled and nothing else is done.
var Source = []Pass{
	{Name: "constants", Run: Constants, Why: "operations on constants, and what they decide, are no code"},
	{Name: "unroll", Run: Unroll, Why: "loops by pragma"},
	{Name: "copies' constants", Run: Constants, After: []string{"unroll"}, Why: "the copies' counters"},
	{Name: "unroll again", Run: UnrollAgain, Why: "loops that the counters of unrolled ones bound"},
	{Name: "nested constants", Run: Constants, After: []string{"unroll again"}, Why: "their counters"},
	{Name: "promote", Run: Promote, After: []string{"nested constants"},
		Why: "private arrays of which all subscripts are constant are variables"},
	{Name: "values", Run: Constants, After: []string{"promote"}, Why: "constants that were elements of arrays"},
}

func init() {
	for _, list := range [][]Pass{List, Source} {
		for i, p := range list {
			for _, name := range p.After {
				if !slices.ContainsFunc(list[:i], func(q Pass) bool { return q.Name == name }) {
					panic(fmt.Sprintf("pass %s must run after %s", p.Name, name))
				}
			}
		}
	}
}

// Run runs the passes over a kernel, up to and with the one named after where that is not empty. check is
// called after each, as tests do to verify; nil: not.
func Run(f *ir.Func, c *Context, after string, check func(pass string, f *ir.Func) error) error {
	list := List
	if c.Source {
		list = Source
	}
	if after != "" && !slices.ContainsFunc(list, func(q Pass) bool { return q.Name == after }) {
		return fmt.Errorf("no pass %q; the passes: %s", after, names(list))
	}
	for _, p := range list {
		p.Run(f, c)
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
