package finding

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// The rules for loops that stay rolled: the counter's increment, the comparison and the branch are removed, and what
// is constant without them.

// loopOverhead: the compiler knows the trip count, and nothing asks it to unroll the loop.
func loopOverhead(r *Run) ([]trial, error) {
	estimates, err := r.rolled(func(l *idg.Loop) (Finding, bool) {
		what := "loop overhead: the loop stays rolled"
		if l != nil && l.Factor > 1 {
			what = fmt.Sprintf("loop overhead: the loop is unrolled by %d only", l.Factor)
		}
		return Finding{
			What:   what,
			Remedy: "#pragma unroll, with a factor such as 16 where there are many iterations",
		}, l == nil || !ignored(l) && l.Origin == "constant" && l.Factor < mostUnrolled
	})
	return r.insteadOf(estimates, idg.UnrolledBy16, err)
}

// insteadOf has the code that has been compiled tried once for estimates of several loops, if there is some.
func (r *Run) insteadOf(estimates []trial, variant string, err error) ([]trial, error) {
	if err != nil || len(estimates) == 0 || r.Graph.VariantOf(variant) == nil {
		return estimates, err
	}
	t := estimates[0]
	t.changes = nil
	return r.compiled(nil, variant, t.Finding, t.about)
}

// mostUnrolled is the largest factor that is advised: as in reports on unrolling (docs/guide/unrolling.md).
const mostUnrolled = 16

// unknownTrips: the compiler cannot unroll the loop as it does not know how often it runs. It could not either where
// what the loop computes ends it.
func unknownTrips(r *Run) ([]trial, error) {
	estimates, err := r.rolled(func(l *idg.Loop) (Finding, bool) {
		what := "the compiler does not know the trip count of the loop, and keeps it rolled"
		remedy := "a constant trip count: a macro or template argument instead of the kernel's argument, or a loop " +
			"over pieces of constant size"
		if l != nil && l.Factor > 1 {
			what = fmt.Sprintf("the compiler does not know the trip count of the loop, and unrolls it by %d only",
				l.Factor)
			remedy = "#pragma unroll with a larger factor, or " + remedy
		}
		if l != nil && l.Origin == "launch sizes" {
			s := r.Graph.Launch.Local
			remedy = r.called(fmt.Sprintf("__attribute__((reqd_work_group_size(%d, %d, %d))) in front of the kernel, "+
				"or a macro instead of get_local_size", s[0], s[1], s[2]),
				"a constant instead of the size of a block: a macro or template argument")
		}
		// divisors may be constant then
		return Finding{What: what, Remedy: remedy, after: "integer-division"},
			l != nil && !ignored(l) && l.Origin != "constant" && !endedByData(l)
	})
	return r.insteadOf(estimates, idg.Constants, err)
}

// endedByData reports whether a loop ends by what it computes, of which nobody knows when that is.
func endedByData(l *idg.Loop) bool {
	return l.Origin != "arguments" && l.Origin != "launch sizes" &&
		strings.Contains(l.Reason, "not known before the loop")
}

// unusedPragma: #pragma unroll where the loop is not unrolled as a whole.
func unusedPragma(r *Run) ([]trial, error) {
	return r.rolled(func(l *idg.Loop) (Finding, bool) {
		if l == nil || !ignored(l) {
			return Finding{}, false
		}
		what := fmt.Sprintf("%s does not unroll the loop: %s", l.Pragma, strings.TrimPrefix(l.Reason, "pragma: "))
		if l.Factor > 1 {
			what = fmt.Sprintf("%s unrolls the loop by %d only, as the compiler does not know its trip count",
				l.Pragma, l.Factor)
			if l.Origin == "constant" {
				what = fmt.Sprintf("%s unrolls the loop by %d only: %s", l.Pragma, l.Factor,
					strings.TrimPrefix(l.Reason, "pragma: "))
			}
		}
		return Finding{
			What:   what,
			Remedy: "a trip count that is a constant for the compiler: a macro or template argument",
		}, true
	})
}

// ignored reports whether a pragma asks for all iterations of a rolled loop to be unrolled, and --unroll does not ask
// for something else.
func ignored(l *idg.Loop) bool {
	return strings.HasSuffix(strings.TrimSpace(l.Pragma), "unroll") && !strings.HasPrefix(l.Reason, "--unroll")
}

// rolled has a trial for each rolled loop that describe takes; what is known of a loop is nil in graphs without it.
func (r *Run) rolled(describe func(*idg.Loop) (Finding, bool)) (out []trial, err error) {
	for _, pos := range r.rolledLoops() {
		f, ok := describe(r.loopAt(pos))
		if !ok {
			continue
		}
		control := r.controls(pos)
		pick := control
		f.Pos = pos
		f.Proof = fmt.Sprintf("%.0f%% of all instructions are its counter, comparison and branch",
			100*r.issued(control))
		if l := r.loopAt(pos); l == nil || l.Factor <= 1 {
			folded := r.foldedBy(control)
			pick = func(in *idg.Instr) bool { return folded[*in] }
			if all := r.issued(pick); all > r.issued(control)+0.01 {
				f.Proof += fmt.Sprintf(", %.0f%% with all that is computed from the counter", 100*all)
			}
		}
		out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Removed, Pick: pick})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// issued is the share of all instructions that pick takes.
func (r *Run) issued(pick func(*idg.Instr) bool) float64 {
	n := 0.0
	for k := range r.Result.Classes {
		if c := &r.Result.Classes[k]; pick(c.Instr) {
			n += float64(c.Issued)
		}
	}
	return n / float64(r.Result.Issued)
}

// controls picks what controls a loop: in machine code the increment, the comparison and the branch stand where the
// head of the loop has them, and increments of addresses at the loop.
func (r *Run) controls(loop idg.Pos) func(*idg.Instr) bool {
	end := r.headEnd(loop)
	return func(in *idg.Instr) bool {
		p := in.Pos
		return p == loop || in.Access == 0 && p.File == loop.File && p.Compare(loop) > 0 && p.Compare(end) < 0
	}
}

// headEnd is where the parenthesis behind the keyword of a loop ends; the loop's own place if there is none.
func (r *Run) headEnd(loop idg.Pos) idg.Pos {
	if loop.Column < 1 { // no place in a source
		return loop
	}
	depth := 0
	for at := loop; ; at.Line, at.Column = at.Line+1, 1 {
		line := r.line(at)
		if at.Line > loop.Line && line == "" && depth == 0 || at.Line > loop.Line+longestHead {
			return loop
		}
		for ; at.Column <= len(line); at.Column++ {
			switch line[at.Column-1] {
			case '(':
				depth++
			case ')':
				if depth--; depth <= 0 {
					return at
				}
			case '{', ';':
				if depth == 0 { // do
					return loop
				}
			}
		}
	}
}

// longestHead is how many lines more the head of a loop may have.
const longestHead = 20

// rolledLoops are the loops of the source that run as such. A loop that the source does not have, as an atomic on
// floating-point numbers is one in machine code, is none of them.
func (r *Run) rolledLoops() (list []idg.Pos) {
	branches := map[idg.Pos]bool{}
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if in.IsRolledLoop() && !branches[in.Pos] && len(r.Graph.Loops) == 0 && !r.Graph.MachineCode {
			list = append(list, in.Pos)
		}
		branches[in.Pos] = branches[in.Pos] || in.IsRolledLoop() || in.Operation().Verb == isa.Branch
	}
	for i := range r.Graph.Loops {
		if l := &r.Graph.Loops[i]; !l.Full && branches[l.Pos] && !slices.Contains(list, l.Pos) {
			list = append(list, l.Pos)
		}
	}
	return list
}

// loopAt is the loop at a position, nil if the graph does not list it.
func (r *Run) loopAt(pos idg.Pos) *idg.Loop {
	for i := range r.Graph.Loops {
		if l := &r.Graph.Loops[i]; l.Pos == pos {
			return l
		}
	}
	return nil
}
