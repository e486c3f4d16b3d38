package frontend

import "gpupipe/internal/diag"

// writeMembers takes member functions out of structs.
func (l *loader) writeMembers(s *source) *diag.Error { return nil }
