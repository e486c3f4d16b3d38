package finding

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// The rules for loops that stay rolled: the counter's increment, the comparison and the branch are removed.

// loopOverhead: the compiler knows the trip count, and nothing asks it to unroll the loop.
func loopOverhead(r *Run) ([]trial, error) {
	return r.rolled(func(l *idg.Loop) (Finding, bool) {
		return Finding{
			What:   "loop overhead: the loop stays rolled",
			Remedy: "#pragma unroll, with a factor where the trip count is not a constant",
		}, l == nil || !ignored(l) && l.Origin == "constant"
	})
}

// unknownTrips: the compiler cannot unroll the loop as it does not know how often it runs.
func unknownTrips(r *Run) ([]trial, error) {
	return r.rolled(func(l *idg.Loop) (Finding, bool) {
		return Finding{
			What: "the compiler does not know the trip count of the loop, and keeps it rolled",
			Remedy: "a constant trip count: a macro or template argument instead of the kernel's argument, or a loop " +
				"over constant blocks",
		}, l != nil && !ignored(l) && l.Origin != "constant"
	})
}

// unusedPragma: #pragma unroll where the loop is not unrolled as a whole.
func unusedPragma(r *Run) ([]trial, error) {
	return r.rolled(func(l *idg.Loop) (Finding, bool) {
		if l == nil || !ignored(l) {
			return Finding{}, false
		}
		return Finding{
			What:   fmt.Sprintf("%s does not unroll the loop: %s", l.Pragma, strings.TrimPrefix(l.Reason, "pragma: ")),
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
	seen := map[idg.Pos]bool{}
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if !in.IsRolledLoop() || seen[in.Pos] {
			continue
		}
		seen[in.Pos] = true
		f, ok := describe(r.loopAt(in.Pos))
		if !ok {
			continue
		}
		share := 0.0
		for k := range r.Result.Classes {
			if c := &r.Result.Classes[k]; c.Instr.Pos == in.Pos {
				share += float64(c.Issued)
			}
		}
		f.Pos = in.Pos
		f.Proof = fmt.Sprintf("%.0f%% of all instructions are its counter, comparison and branch",
			100*share/float64(r.Result.Issued))
		out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Removed, Pick: func(x *idg.Instr) bool {
			return x.Pos == in.Pos
		}})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
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
