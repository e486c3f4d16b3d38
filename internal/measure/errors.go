package measure

import "fmt"

// LostError says that a device answers no more: it was removed, reset, or executes a kernel that does not end.
type LostError struct{ Reason string }

func (e *LostError) Error() string { return e.Reason }

// WrongError says that a microbenchmark computed something else than the host.
type WrongError struct {
	Class     string
	Item      int
	Got, Want float64
}

func (e *WrongError) Error() string {
	return fmt.Sprintf("%s: work item %d computed %v, the host %v", e.Class, e.Item, e.Got, e.Want)
}
