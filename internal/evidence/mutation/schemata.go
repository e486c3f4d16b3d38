package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// chooser is the package that says which mutant is executed: the environment's, or none while it notes in files which
// are called.
const chooser = `package chosen

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

var (
	number, _ = strconv.Atoi(os.Getenv("MUTANT"))
	called    sync.Map
)

func Is(mutant int) bool { return number == mutant || number < 0 && note(mutant) }

func note(mutant int) bool {
	if _, known := called.LoadOrStore(mutant, true); !known {
		os.WriteFile(filepath.Join(os.Getenv("MUTANTS"), strconv.Itoa(mutant)), nil, 0o600)
	}
	return false
}
`

// schemata is a file with mutants in it, which are numbered from 1 in all: each is a copy of its function's body, which
// is executed where the mutant is chosen.
func schemata(text []byte, all []mutant, numbers []int, chosen string) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return set.PositionFor(p, false).Offset }
	from := at(tree.Name.End())
	out := fmt.Appendf(slices.Clone(text[:from]), "; import chosenMutant %q", chosen)
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		start, end := at(f.Body.Lbrace)+1, at(f.Body.Rbrace)
		out, from = append(out, text[from:start]...), start
		for _, n := range numbers {
			if m := all[n-1]; start <= m.start && m.end <= end {
				out = fmt.Appendf(out, " if chosenMutant.Is(%d) { /*line mutant%d.go:1*/ %s%s%s", n, n,
					text[start:m.start], m.is, text[m.end:end])
				if f.Type.Results.NumFields() == 0 {
					out = append(out, "; return"...)
				}
				out = append(out, " };"...)
			}
		}
	}
	return append(out, text[from:]...), nil
}

// program is the module with all mutants in it.
type program struct {
	root, folder string
	chosen       string // the chooser's import path
	all          []mutant
	invalid      map[int]bool // by number: those that do not compile
}

func (p *program) overlay() string { return "-overlay=" + filepath.Join(p.folder, "overlay.json") }

// write writes the files with the mutants that compile, and what says where they are.
func (p *program) write(module string) error {
	p.chosen = module + "/chosen"
	replace := map[string]string{}
	put := func(file string, text []byte) error {
		kept := filepath.Join(p.folder, strings.ReplaceAll(file, "/", "_"))
		replace[filepath.Join(p.root, filepath.FromSlash(file))] = kept
		return os.WriteFile(kept, text, 0o600)
	}
	if err := put("chosen/chosen.go", []byte(chooser)); err != nil {
		return err
	}
	numbers := map[string][]int{} // by file
	for i, m := range p.all {
		if !p.invalid[i+1] {
			numbers[m.file] = append(numbers[m.file], i+1)
		}
	}
	for file, list := range numbers {
		text, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		if text, err = schemata(text, p.all, list, p.chosen); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := put(file, text); err != nil {
			return err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.folder, "overlay.json"), list, 0o600)
}

// inCopy is how the compiler names the mutant in which it found an error.
var inCopy = regexp.MustCompile(`mutant(\d+)\.go:\d+`)

// compile leaves out the mutants that do not compile.
func (p *program) compile(packages []string) error {
	module, err := goList(p.root, "{{.Module.Path}}", packages[0])
	if err != nil {
		return err
	}
	for {
		if err := p.write(module[0]); err != nil {
			return err
		}
		cmd := exec.Command("go", slices.Concat([]string{"build", p.overlay()}, packages)...)
		cmd.Dir = p.root
		text, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		found := inCopy.FindAllSubmatch(text, -1)
		if len(found) == 0 {
			return fmt.Errorf("go build: %w\n%s", err, text)
		}
		for _, x := range found {
			n, err := strconv.Atoi(string(x[1]))
			if err != nil {
				return err
			}
			p.invalid[n] = true
		}
	}
}

// goList prints what `go list` does about packages, a word each.
func goList(root, format string, arguments ...string) ([]string, error) {
	cmd := exec.Command("go", slices.Concat([]string{"list", "-f", format}, arguments)...)
	cmd.Dir = root
	text, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
	}
	return strings.Fields(string(text)), err
}
