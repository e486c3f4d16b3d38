package diag

import (
	"errors"
	"fmt"
	"strings"
)

// Codes that several packages give and commands ask for.
const (
	CodeFile  = "FILE"  // a file cannot be read
	CodeUsage = "USAGE" // the command line, or a choice that it gives, contradicts itself
	// CodeInternal is of a defect that an input brings out.
	CodeInternal = "INTERNAL"
)

// prefixAssumed starts the codes of what had to be assumed, such as
// ASSUMED-TRIPS: an error under --strict.
const prefixAssumed = "ASSUMED-"

// IsAssumption reports whether a diagnostic says that something was assumed.
func IsAssumption(e *Error) bool { return strings.HasPrefix(e.Code, prefixAssumed) }

// defect is a broken promise between the program's own parts.
type defect struct{ err error }

func (e *defect) Error() string { return e.err.Error() }
func (e *defect) Unwrap() error { return e.err }

// AsDefect marks an error that can only be the program's own fault, such as a
// result that fails its Verify. A nil error stays nil.
func AsDefect(err error) error {
	if err == nil {
		return nil
	}
	return &defect{fmt.Errorf("internal error: %w", err)}
}

// IsDefect reports whether an error was marked by AsDefect.
func IsDefect(err error) bool { return errors.As(err, new(*defect)) }
