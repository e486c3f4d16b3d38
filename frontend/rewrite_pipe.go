package frontend

import "strings"

// pipes turns the keyword pipe of OpenCL C 2.0 into a qualifier that the checker
// refuses, so that only the kernels that have one are lost. It is a keyword only
// in front of a type and a name: older programs may use it as a name.
func (r *rewriter) pipes() {
	for i, t := range r.toks {
		if t.kind != tokIdent || t.inDir || r.dead[i] || !r.is(i, "pipe") && !r.is(i, "__pipe") {
			continue
		}
		typ := r.step(i, len(r.toks))
		name := r.step(typ, len(r.toks))
		if name < len(r.toks) && r.kindOf(typ) == tokIdent && r.kindOf(name) == tokIdent {
			r.replace(i, strings.TrimSpace(strings.Repeat(" _Nonnull", qualPipe)))
		}
	}
}
