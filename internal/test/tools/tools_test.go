package tools

import (
	"runtime"
	"testing"
)

// ended records how a test would end.
type ended struct {
	testing.TB
	how string
}

func (e *ended) Helper() {}

func (e *ended) Fatalf(string, ...any) { e.how = "failed"; runtime.Goexit() }

func (e *ended) Skipf(string, ...any) { e.how = "skipped"; runtime.Goexit() }

// TestPath: a missing program skips a test, and fails it where every test runs whole.
func TestPath(t *testing.T) {
	for _, c := range []struct{ full, program, want string }{
		{"", "go", ""}, {"", "no-such-program", "skipped"}, {"1", "go", ""}, {"1", "no-such-program", "failed"},
	} {
		t.Setenv(variable, c.full)
		e := &ended{TB: t}
		done := make(chan bool)
		go func() {
			defer close(done)
			Path(e, c.program, "none")
		}()
		<-done
		if e.how != c.want {
			t.Errorf("%s=%q: the test for %s is %q, want %q", variable, c.full, c.program, e.how, c.want)
		}
	}
}
