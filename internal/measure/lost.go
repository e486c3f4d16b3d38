package measure

// LostError says that a device answers no more: it was removed, reset, or executes a kernel that does not end.
type LostError struct{ Reason string }

func (e *LostError) Error() string { return e.Reason }
