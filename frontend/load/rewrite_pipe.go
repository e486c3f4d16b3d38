package load

import (
	"strings"

	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
)

// pipes turns the keyword pipe of OpenCL C 2.0 into a qualifier that the checker
// refuses, so that only the kernels that have one are lost. It is a keyword only
// in front of a type and a name: older programs may use it as a name.
func (r *rewriter) pipes() {
	for i, t := range r.Tokens {
		if t.Kind != tokens.Ident || t.InDirective || r.dead[i] || !r.Is(i, "pipe") && !r.Is(i, "__pipe") {
			continue
		}
		typ := r.step(i, len(r.Tokens))
		name := r.step(typ, len(r.Tokens))
		if name < len(r.Tokens) && r.KindOf(typ) == tokens.Ident && r.KindOf(name) == tokens.Ident {
			r.replace(i, strings.TrimSpace(strings.Repeat(" _Nonnull", encoding.QualPipe)))
		}
	}
}
