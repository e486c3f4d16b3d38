package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/cover"
)

// place is a line and a column of a file, from 1.
type place struct{ Line, Column int }

func (p place) before(q place) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// suite is the tests of a package and what they execute.
type suite struct {
	Package string // its import path
	Seconds float64
	Blocks  map[string][][2]place // by file, its path below the module: each from its start to behind its end
}

// executes reports whether the tests execute a place of a file.
func (s *suite) executes(file string, at place) bool {
	return slices.ContainsFunc(s.Blocks[file], func(b [2]place) bool { return !at.before(b[0]) && at.before(b[1]) })
}

// goList prints what `go list` does about packages, a line each.
func goList(root, format string, patterns ...string) ([]string, error) {
	cmd := exec.Command("go", slices.Concat([]string{"list", "-f", format}, patterns)...)
	cmd.Dir = root
	text, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
	}
	return strings.Fields(string(text)), err
}

// suites runs the tests of packages that patterns name and returns what they execute of some. Those that are in folder
// are read from there, the others are written to it; "" keeps none.
func suites(root, folder string, packages, patterns []string) ([]*suite, error) {
	list, err := goList(root, "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", patterns...)
	if err != nil {
		return nil, err
	}
	module, err := goList(root, "{{.Module.Path}}", packages[0])
	if err != nil {
		return nil, err
	}
	var all []*suite
	for _, tested := range list {
		kept := filepath.Join(folder, strings.ReplaceAll(tested, "/", "_")+".json")
		if text, err := os.ReadFile(kept); folder != "" && !errors.Is(err, fs.ErrNotExist) {
			s := &suite{}
			if err := errors.Join(err, json.Unmarshal(text, s)); err != nil {
				return nil, err
			}
			all = append(all, s)
			continue
		}
		s, err := covered(root, module[0], tested, packages)
		if err != nil {
			return nil, err
		}
		if folder != "" {
			text, err := json.Marshal(s)
			if err := errors.Join(err, os.WriteFile(kept, text, 0o600)); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// passed is how `go test` says how many seconds the tests of a package took.
var passed = regexp.MustCompile(`(?m)^ok\s+\S+\s+([0-9.]+)s`)

// covered runs the tests of a package and returns what they execute of others, which are of a module.
func covered(root, module, tested string, packages []string) (*suite, error) {
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	profile := filepath.Join(folder, "profile")
	cmd := exec.Command("go", "test", "-vet=off", "-count=1", "-timeout=0", "-coverprofile="+profile,
		"-coverpkg="+strings.Join(packages, ","), tested)
	cmd.Dir = root
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("without a mutant: %w\n%s", err, text)
	}
	s := &suite{Package: tested, Blocks: map[string][][2]place{}}
	if ok := passed.FindSubmatch(text); ok != nil {
		s.Seconds, err = strconv.ParseFloat(string(ok[1]), 64)
		if err != nil {
			return nil, err
		}
	}
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		return nil, err
	}
	for _, p := range profiles {
		file := strings.TrimPrefix(p.FileName, module+"/")
		for _, b := range p.Blocks {
			if b.Count > 0 {
				s.Blocks[file] = append(s.Blocks[file], [2]place{{b.StartLine, b.StartCol}, {b.EndLine, b.EndCol}})
			}
		}
	}
	return s, nil
}
