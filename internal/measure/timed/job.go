package timed

import (
	"regexp"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/internal/measure/driver"
	"gpupipe/lower"
)

// codeKernel is the code of diagnostics about kernels that cannot be timed.
const codeKernel = "TIMED"

// Job is a kernel with its launch.
type Job struct {
	Name          string
	Source        *generate.Source
	Function      *ast.Function
	Local, Groups [3]int64
	Options       []string         // of the device's compiler
	Counts        map[string]int64 // elements of buffers; others have as many as a launch can want

	kernel *generate.Kernel
	static int64 // bytes of local memory that the kernel declares
	padded bool  // OpenCL: there is a parameter more
}

// NewJob prepares a kernel of a program.
func NewJob(p *generate.Program, fn *ast.Function, options []string, counts map[string]int64) (*Job, error) {
	k, err := p.Prepare(fn)
	if err != nil {
		return nil, err
	}
	j := &Job{Name: fn.Name, Source: p.Source, Function: fn, Local: k.Launch.Local, Groups: k.Launch.Groups,
		Options: options, Counts: counts, kernel: k}
	for _, o := range k.Lowered.Objects {
		if o.Space == idg.SpaceLocal && !o.Dynamic {
			j.static += o.Size
		}
	}
	for name := range counts {
		if !j.hasBuffer(name) {
			return nil, diag.Errorf(fn.Pos, codeKernel, "kernel %s has no buffer %s", fn.Name, name)
		}
	}
	return j, nil
}

func (j *Job) hasBuffer(name string) bool {
	for _, p := range j.kernel.Lowered.Params {
		if p.Name == name && p.Type == lower.Ptr {
			return true
		}
	}
	return false
}

// Dialect is that of the source.
func (j *Job) Dialect() driver.Dialect {
	if j.Source.Dialect == ast.CUDA {
		return driver.CUDA
	}
	return driver.OpenCL
}

// items are the work items of a group.
func (j *Job) items() int64 { return j.Local[0] * j.Local[1] * j.Local[2] }

// padding is the parameter that takes local memory from other groups.
const padding = "__local uchar *gpumeasure_padding"

// source is the program for the device. Lines keep their numbers, so that the compiler's messages are about
// the user's.
func (j *Job) source() driver.Source {
	s := driver.Source{Name: j.Source.File, Text: j.Source.Text, Options: j.Options}
	for _, d := range j.Source.Defines {
		s.Options = append(s.Options, "-D"+d)
	}
	if j.Dialect() == driver.CUDA {
		s.Kernels = []string{j.Name}
		return s
	}
	text, ok := withParameter(j.Source.Text, j.Function.Pos, j.Name)
	j.padded = ok
	s.Text = "#line 1 \"" + j.Source.File + "\"\n" + text
	return s
}

// withParameter adds the padding to the parameters of the function that is defined at a position; false if
// they are not written there, as those of a macro.
func withParameter(text string, pos diag.Pos, name string) (string, bool) {
	start := 0
	for range pos.Line - 1 {
		next := strings.IndexByte(text[start:], '\n')
		if next < 0 {
			return text, false
		}
		start += next + 1
	}
	at := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s*\(`).FindStringIndex(text[start:])
	if at == nil {
		return text, false
	}
	open, depth := start+at[1]-1, 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			continue
		}
		comma := ", "
		if inside := strings.TrimSpace(text[open+1 : i]); inside == "" || inside == "void" {
			return text[:open+1] + padding + text[i:], true
		}
		return text[:i] + comma + padding + text[i:], true
	}
	return text, false
}
