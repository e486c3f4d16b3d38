package lower

import (
	"gpupipe/frontend/ast"
)

// labelled lowers the statements in front of a label: its gotos leave them.
func (l *lowerer) labelled(s *ast.Labelled) {
	r := &Region{Label: l.newLabel(), Name: s.Name, Pos: s.Pos()}
	if l.frame.labels == nil {
		l.frame.labels = map[*ast.Labelled]Label{}
	}
	l.frame.labels[s] = r.Label
	l.in(&r.Body, func() { l.stmts(s.Stmts) })
	l.addRegion(r)
}

// addRegion adds a region, or only its body where nothing leaves it early.
func (l *lowerer) addRegion(r *Region) {
	trim(&r.Body, r.Label)
	if r.leftEarly() {
		l.add(r, r.Pos)
		return
	}
	*l.cur = append(*l.cur, r.Body...)
}

// leftEarly reports whether a region is left before its end.
func (r *Region) leftEarly() bool {
	left := false
	Walk(r.Body, func(s Stmt) {
		if v, ok := s.(*Leave); ok && v.Label == r.Label {
			left = true
		}
	})
	return left
}
