package finding

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// accidentalDoubles: double precision in a kernel that neither loads nor stores a double.
func accidentalDoubles(r *Run) ([]trial, error) {
	doubles := r.partOf(func(c *simulate.ClassUse) bool { return c.Instr.IsDouble() })
	meant := r.partOf(func(c *simulate.ClassUse) bool { return c.Instr.Access != 0 && c.Instr.Type == "f64" })
	if doubles.top == nil || meant.top != nil {
		return nil, nil
	}
	converts := func(in *idg.Instr) bool { return in.IsDouble() && in.Operation().Verb == isa.Convert }
	f := Finding{
		Pos:  doubles.top.Pos,
		What: "double precision by accident: the kernel loads and stores none",
		Proof: fmt.Sprintf("%.0f%% of all instructions are in double precision",
			100*float64(doubles.issued)/float64(r.Result.Issued)),
		Remedy: "an f behind the literals (0.5f), functions of single precision",
	}
	if single := r.Graph.VariantOf(idg.SinglePrecision); single != nil && !single.AccidentalDoubles() {
		return r.compiled(nil, idg.SinglePrecision, f, (*idg.Instr).IsDouble)
	}
	return r.remedied(nil, f,
		remedy.Change{Kind: remedy.Removed, Pick: converts},
		remedy.Replace(func(in *idg.Instr) bool { return in.IsDouble() && !converts(in) },
			func(in *idg.Instr) string { return strings.Replace(in.Op, "f64", "f32", 1) }))
}
