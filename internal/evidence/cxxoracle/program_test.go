package cxxoracle

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"
)

// A launch has 8 work items, which write 16 numbers each.
const (
	Items = 8
	Words = 16
)

// Program is one program and what a compiler makes of it.
type Program struct {
	Topic    string // the archive's name
	Feature  string
	Case     string
	Text     string
	Rejected bool // by a compiler
}

// Values are what the work items write; empty = the program is rejected.
type Values string

// valuesOf writes the numbers of all work items: those of one item up to the last that is not 0.
func valuesOf(out [Items][Words]int32) Values {
	var items []string
	for _, words := range out {
		n := Words
		for n > 1 && words[n-1] == 0 {
			n--
		}
		items = append(items, strings.Trim(fmt.Sprint(words[:n]), "[]"))
	}
	return Values(strings.Join(items, "|"))
}

// Programs reads the archives in a folder, in the order of their names.
func Programs(dir string) ([]Program, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no programs in %s: %v", dir, err)
	}
	var list []Program
	seen := map[string]bool{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			return nil, err
		}
		for _, f := range a.Files {
			p := Program{Topic: strings.TrimSuffix(filepath.Base(name), ".txtar"), Text: string(f.Data)}
			var ok bool
			p.Feature, p.Case, ok = strings.Cut(f.Name, ": ")
			if !ok || seen[f.Name] {
				return nil, fmt.Errorf("%s: %q is not the name of a new case", name, f.Name)
			}
			seen[f.Name] = true
			p.Case, p.Rejected = strings.CutPrefix(p.Case, "rejected: ")
			list = append(list, p)
		}
	}
	return list, nil
}

// Name is the program's name in its archive.
func (p *Program) Name() string {
	if p.Rejected {
		return p.Feature + ": rejected: " + p.Case
	}
	return p.Feature + ": " + p.Case
}

// digest tells whether recorded values are those of the text.
func (p *Program) digest() string { return fmt.Sprintf("%.4x", sha256.Sum256([]byte(p.Text))) }

var launchLine = regexp.MustCompile(`(?m)^// launch: (.*)$`)

// launch is the kernel as C++ calls it.
func (p *Program) launch() string {
	if m := launchLine.FindStringSubmatch(p.Text); m != nil {
		return m[1]
	}
	return "kernel"
}
