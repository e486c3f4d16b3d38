package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"gpupipe/internal/sheet"
	"gpupipe/internal/words"
)

// Console is one run of a command: its name and its standard streams.
type Console struct {
	Name   string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Words are those of who reads diagnostics.
	Words words.Words

	sources  map[string]string // texts that diagnostics point into, by file
	errStyle sheet.Style
	mu       sync.Mutex
	open     *product // being written
	ended    bool     // the run was interrupted: no product may be written any more
	cancel   context.CancelCauseFunc
	advice   string // after an interrupt; empty = none

	told    map[string]bool // diagnostics that are printed already
	helpAll bool            // --help-all is given
}

// New returns the console of one run of the named command.
func New(name string, stdin io.Reader, stdout, stderr io.Writer) *Console {
	return &Console{Name: name, Stdin: stdin, Stdout: stdout, Stderr: stderr, errStyle: styleFor(stderr)}
}

// crash is a recovered panic with the stack it came from.
type crash struct {
	value any
	stack []byte
}

// Run calls the command's main function, reports its error, and returns the
// exit status. An interrupt ends the run at once, also where main is busy or
// reads: its context is cancelled, its product discarded, and it is left
// behind. A panic becomes a request for a report.
func (c *Console) Run(main func(context.Context) error) Status {
	// Writing to a closed pipe is then an error like others, see Emit.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.runIn(ctx, main)
}

func (c *Console) runIn(ctx context.Context, main func(context.Context) error) Status {
	type outcome struct {
		err   error
		crash *crash
	}
	ctx, c.cancel = context.WithCancelCause(ctx)
	defer c.cancel(nil)
	ended := make(chan outcome, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				ended <- outcome{crash: &crash{p, debug.Stack()}}
			}
		}()
		ended <- outcome{err: main(ctx)}
	}()
	var out outcome
	select {
	case out = <-ended:
	case <-ctx.Done():
		out.err = ctx.Err()
	}
	if errors.Is(out.err, context.Canceled) {
		out.err = context.Cause(ctx)
	}
	c.abandon()
	if out.crash != nil {
		fmt.Fprintf(c.Stderr, "%s: internal error: %v\nThis is a defect of %s, not of your input. Please report it "+
			"with the command line, the input and this:\n\n%s",
			c.Name, out.crash.value, c.Name, out.crash.stack)
		return Defect
	}
	status := StatusOf(out.err)
	switch {
	case status == Interrupted:
		fmt.Fprintf(c.Stderr, "%s: interrupted\n%s", c.Name, c.afterInterrupt())
	case status == TimedOut:
		fmt.Fprintf(c.Stderr, "%s: %v\n%s", c.Name, out.err, c.afterInterrupt())
	case errors.Is(out.err, errClosedPipe): // the reader has seen enough
	default:
		c.Report(out.err)
	}
	if status == Defect {
		fmt.Fprintf(c.Stderr, "This is a defect of %s. Please report it with the command line and the input.\n", c.Name)
	}
	return status
}

// LimitTime ends the run, as an interrupt does, if it takes longer than d from now on.
func (c *Console) LimitTime(d time.Duration) {
	if d < time.Microsecond { // over before a timer could start
		c.cancel(timeout(d))
		return
	}
	time.AfterFunc(d, func() { c.cancel(timeout(d)) })
}

// timeout is the error of a run that took longer than it was given.
type timeout time.Duration

func (t timeout) Error() string {
	return fmt.Sprintf("not finished within %v (--timeout)", time.Duration(t))
}

// ParseTimeout reads a positive time such as 5s or 1m30s.
func ParseTimeout(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a time such as 5s or 1m30s", text)
	case d <= 0:
		return 0, fmt.Errorf("%s is not more than 0", text)
	}
	return d, nil
}

// AdviseAfterInterrupt sets what is said if the run is interrupted from now on, for
// example how to continue it.
func (c *Console) AdviseAfterInterrupt(advice string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advice = advice
}

// afterInterrupt is the advice as a line, empty if there is none.
func (c *Console) afterInterrupt() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.advice == "" {
		return ""
	}
	return "\t" + c.advice + "\n"
}

// abandon discards a product that is still being written, and all later ones.
func (c *Console) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.open != nil {
		c.open.discard()
		c.open = nil
	}
}
