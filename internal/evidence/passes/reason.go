package passes

import "slices"

// Reason is why a function has other operations after some passes.
type Reason struct {
	Function string
	Passes   []string // LLVM's; none: all
	Text     string
}

// Reasons are those of all differences.
var Reasons = []Reason{
	{"chained", []string{"sroa", "instcombine", "reassociate", "sink", "early-cse", "gvn", "dse",
		"load-store-vectorizer", "adce"},
		"package lower makes && of operands without effects one condition, LLVM's simplifycfg does"},
	{"conversions", nil, "a truncation and an extension by the sign are one conversion, in LLVM two shifts"},
	{"maximum", nil, "a comparison and a select are min or max; LLVM 14 has the operations from selection on"},
	{"factors", nil, "a shift that was a signed product does not say so (nsw): it is not divided by"},
	{"kept_sum", []string{"gvn", "load-store-vectorizer"}, "gvn removes loads that a loop carries; here licm does"},
	{"last_value", []string{"indvars", "loop-unroll"},
		"indvars computes what a counter is behind a loop, which is then gone: not done here"},
}

// reasonFor is that of a row, empty where none is stated.
func reasonFor(r *Row) string {
	for i := range Reasons {
		x := &Reasons[i]
		if x.Function == r.Function && (len(x.Passes) == 0 || slices.Contains(x.Passes, r.Step.LLVM)) {
			return x.Text
		}
	}
	return ""
}
