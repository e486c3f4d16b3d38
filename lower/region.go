package lower

import "gpupipe/frontend"

// labelled lowers the statements in front of a label: its gotos leave them.
func (l *lowerer) labelled(s *frontend.Labelled) {
	r := &Region{Label: l.newLabel(), Name: s.Name, Pos: l.users(s.Pos())}
	if l.frame.labels == nil {
		l.frame.labels = map[*frontend.Labelled]Label{}
	}
	l.frame.labels[s] = r.Label
	l.in(&r.Body, func() { l.stmts(s.Stmts) })
	l.addRegion(r)
}

// addRegion adds a region, or only its body where nothing leaves it early.
func (l *lowerer) addRegion(r *Region) {
	trim(&r.Body, r.Label)
	used := false
	Walk(r.Body, func(st Stmt) {
		if v, ok := st.(*Leave); ok && v.Label == r.Label {
			used = true
		}
	})
	if used {
		l.add(r, r.Pos)
		return
	}
	*l.cur = append(*l.cur, r.Body...)
}
