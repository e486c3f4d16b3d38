package cxxoracle

import (
	"fmt"
	"strings"
	"time"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/build"
	"gpupipe/lower/translate"
)

// Status is what the front end makes of a program, the better the smaller.
type Status uint8

// The statuses. Right: the values are those of the compiler, or both reject the program. Refused:
// a program that the compiler accepts is an error. Wrong: other values, or a program accepted that the
// compiler rejects, or no end.
const (
	Right Status = iota + 1
	Refused
	Wrong
)

func (s Status) String() string { return [...]string{"invalid", "right", "refused", "WRONG"}[s] }

// timeout is how long the front end may take for one program.
const timeout = 20 * time.Second

// Judge says what the front end makes of a program for which a compiler computes want, and why it is not right.
func Judge(p *Program, want Values) (Status, string) {
	type verdict struct {
		got    Values
		status Status
		why    string
	}
	done := make(chan verdict, 1)
	go func() {
		var v verdict
		defer func() {
			if x := recover(); x != nil {
				v = verdict{status: Wrong, why: fmt.Sprint("panic: ", x)}
			}
			done <- v
		}()
		v.got, v.status, v.why = compute(p)
	}()
	var v verdict
	select {
	case v = <-done:
	case <-time.After(timeout):
		return Wrong, "no end after " + timeout.String()
	}
	switch {
	case v.status == Wrong:
		return Wrong, v.why
	case v.status == Refused && want == "":
		return Right, v.why
	case v.status == Refused:
		return Refused, v.why
	case want == "":
		return Wrong, "accepted"
	case v.got != want:
		return Wrong, "computes " + differing(v.got, want)
	}
	return Right, ""
}

// compute runs a program's kernel for each work item.
func compute(p *Program) (Values, Status, string) {
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: p.Text, Dialect: ast.CUDA})
	if err != nil {
		return "", Refused, first(err)
	}
	if len(u.Kernels) == 0 {
		for _, b := range u.Broken {
			return "", Refused, first(b.Err)
		}
		return "", Refused, "no kernel"
	}
	if err := u.Verify(); err != nil {
		return "", Wrong, "tree: " + first(err)
	}
	k, err := translate.Kernel(u, u.Kernels[0])
	if err != nil {
		return "", Refused, first(err)
	}
	if err := irverify.Verify(build.Build(k)); err != nil {
		return "", Wrong, "IR: " + first(err)
	}
	var out [Items][Words]int32
	for item := range out {
		if out[item], err = execute(k, item); err != nil {
			return "", Wrong, "work item " + fmt.Sprint(item) + ": " + first(err)
		}
	}
	return valuesOf(out), Right, ""
}

// first is the first line of an error.
func first(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// differing are the values of the first work item that differs.
func differing(got, want Values) string {
	theirs := strings.Split(string(want), "|")
	for i, item := range strings.Split(string(got), "|") {
		if i < len(theirs) && item != theirs[i] {
			return fmt.Sprintf("%s instead of %s in work item %d", item, theirs[i], i)
		}
	}
	return string(got) + " instead of " + string(want)
}
