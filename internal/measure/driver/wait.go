package driver

import (
	"context"
	"fmt"
	"time"

	"gpupipe/internal/measure"
)

// Await runs a call of a driver that may never return. After the limit the device counts as lost, and
// the call is left behind: no driver can end a kernel that runs. When the context ends, the call
// still has the limit's time to return.
func Await(ctx context.Context, what string, limit time.Duration, call func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	done := make(chan error, 1)
	go func() { done <- call() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return &measure.LostError{Reason: fmt.Sprintf("%s has not ended after %v; the device is not used any more",
			what, limit)}
	}
}
