package passes

import (
	"embed"
	"fmt"
	"io"
	"slices"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
)

//go:embed testdata
var testdata embed.FS

// compiler names the profile of the compiler that opt is a part of.
const compiler = "clang-nvptx-14"

// Row is a function after a pass of both.
type Row struct {
	Step      *Step
	Function  string
	Ours, Opt Counts
	Reason    string // why they differ
}

// Compare runs our passes, and reads what LLVM's left.
func Compare() ([]Row, error) {
	text, err := testdata.ReadFile("testdata/opt.tsv")
	if err != nil {
		return nil, err
	}
	recorded, err := parseRecord(string(text))
	if err != nil {
		return nil, err
	}
	var out []Row
	for i := range Steps {
		s := &Steps[i]
		functions, err := s.ours()
		if err != nil {
			return nil, err
		}
		for _, f := range functions {
			opt, ok := recorded[key{s.Opt, f.Name}]
			if !ok {
				return nil, fmt.Errorf("opt.tsv has no line of %s after %s", f.Name, s.Opt)
			}
			r := Row{Step: s, Function: f.Name, Ours: countIR(f), Opt: opt}
			if r.Ours != r.Opt {
				r.Reason = reasonFor(&r)
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// ours are the functions after our passes.
func (s *Step) ours() ([]*ir.Func, error) {
	text, err := testdata.ReadFile("testdata/functions.cl")
	if err != nil {
		return nil, err
	}
	u, err := frontend.Parse(frontend.Config{File: "functions.cl", Text: string(text), Dialect: ast.OpenCL})
	if err != nil {
		return nil, err
	}
	p, err := profile.Lookup(compiler)
	if err != nil {
		return nil, err
	}
	var out []*ir.Func
	for _, fn := range u.Kernels {
		k, err := translate.Kernel(u, fn)
		if err != nil {
			return nil, err
		}
		f := build.Build(k)
		for _, name := range s.Ours {
			i := slices.IndexFunc(pass.List, func(p pass.Pass) bool { return p.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("no pass %q", name)
			}
			pass.List[i].Run(f, &profile.Context{Profile: p, Virtual: true})
			if err := irverify.Verify(f); err != nil {
				return nil, fmt.Errorf("%s after %s: %w", f.Name, name, err)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// Write writes a line for each pass, and why functions differ.
func Write(w io.Writer, rows []Row) {
	fmt.Fprintln(w, "| pass | LLVM's | functions equal | ours: arithmetic/loads/stores/branches and selects/calls "+
		"| opt's |\n|---|---|---|---|---|")
	for i := range Steps {
		s := &Steps[i]
		n, equal, ours, opt := 0, 0, Counts{}, Counts{}
		for j := range rows {
			if r := &rows[j]; r.Step == s {
				n++
				ours, opt = ours.plus(r.Ours), opt.plus(r.Opt)
				if r.Ours == r.Opt {
					equal++
				}
			}
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d | %v | %v |\n", s.Name, s.LLVM, equal, n, ours, opt)
	}
	fmt.Fprintln(w, "\n| function | after | ours, opt's | why |\n|---|---|---|---|")
	for i := range Reasons {
		x := &Reasons[i]
		first := (*Row)(nil)
		n := 0
		for j := range rows {
			if r := &rows[j]; r.Function == x.Function && r.Reason == x.Text {
				if n++; first == nil {
					first = r
				}
			}
		}
		if first == nil {
			continue
		}
		after := first.Step.LLVM
		if n > 1 {
			after += fmt.Sprintf(" and %d more", n-1)
		}
		fmt.Fprintf(w, "| %s | %s | %v, %v | %s |\n", x.Function, after, first.Ours, first.Opt, x.Text)
	}
}
