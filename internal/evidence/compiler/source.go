package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"gpupipe/kernels"
)

// Source is a kernel of the corpus, with what it is compiled with and one launch of it, which a compiler
// does not see: the old tool needs it, and occupancies are counted with it.
type Source struct {
	Set, Name string // together unique
	File      string // in testdata
	Kernel    string
	Template  string // "fir:U=4": the value of a template's parameter, of kernels that are instances
	Macros    []string
	Local     string // as --local has it; likewise the others
	Groups    string
	Args      []string
	Dynamic   int64
	Trips     string // LINE=N: how often a loop is executed that the data bound; "": none is
	Marks     string // of loops: what is counted, see marks.go
}

// CUDA reports the language: else it is OpenCL.
func (s *Source) CUDA() bool { return path.Ext(s.File) == ".cu" }

// Text is the source's text.
func (s *Source) Text() string {
	text, err := readSource(s.File)
	if err != nil {
		panic(err) // the list was checked when it was read
	}
	return string(text)
}

// readSource reads a file of testdata, or of the product's own kernels: "kernels/mmul.cl".
func readSource(file string) ([]byte, error) {
	if name, ok := strings.CutPrefix(file, "kernels/"); ok {
		return fs.ReadFile(kernels.FS(), name)
	}
	return testdata.ReadFile("testdata/" + file)
}

// Symbol is the name of the kernel's code as plainName has it.
func (s *Source) Symbol() string {
	_, value, ok := strings.Cut(s.Template, "=")
	if !ok {
		return s.Kernel
	}
	return s.Kernel + "<" + value + ">"
}

// readSources reads the list of kernels.
func readSources() ([]Source, error) {
	t, err := readTable("kernels.tsv")
	if err != nil {
		return nil, err
	}
	var list []Source
	seen := map[string]bool{}
	for _, row := range t.rows {
		s := Source{Set: t.get(row, "set"), Name: t.get(row, "name"), File: t.get(row, "file"),
			Kernel:   t.get(row, "kernel"),
			Template: dash(t.get(row, "template")), Macros: strings.Fields(dash(t.get(row, "macros"))),
			Local: dash(t.get(row, "local")), Groups: dash(t.get(row, "groups")),
			Args: strings.Fields(dash(t.get(row, "args"))), Trips: dash(t.get(row, "trips"))}
		if s.Dynamic, err = t.number(row, "dynamic"); err != nil {
			return nil, err
		}
		key := s.Set + "/" + s.Name
		if seen[key] {
			return nil, fmt.Errorf("kernels.tsv: %s twice", key)
		}
		seen[key] = true
		if _, err := readSource(s.File); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// dash is a cell's text, of which "-" stands for none.
func dash(text string) string {
	if text == "-" {
		return ""
	}
	return text
}

// plainName is a symbol's name as the source has it, with the numbers of a template's instance behind it:
// "fir<4>" of "_Z3firILi4EEvPKfPf".
func plainName(symbol string) string {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	if !ok {
		return symbol
	}
	n := 0
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		n, rest = 10*n+int(rest[0]-'0'), rest[1:]
	}
	if n == 0 || n > len(rest) {
		return symbol
	}
	name, rest := rest[:n], rest[n:]
	if !strings.HasPrefix(rest, "I") {
		return name
	}
	var values []string
	for rest = rest[1:]; len(rest) > 0 && rest[0] == 'L'; {
		value, more, ok := strings.Cut(rest[2:], "E")
		if !ok {
			break
		}
		values, rest = append(values, value), more
	}
	return name + "<" + strings.Join(values, ",") + ">"
}
