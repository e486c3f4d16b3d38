package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// suite is the tests of a package, built with all mutants.
type suite struct {
	program *program
	tested  string // the import path of the package
	dir     string

	binary  string
	seconds float64
	calls   map[int]bool // by number: the mutants whose function the tests call
	err     error        // they fail without a mutant
}

// suites are the tests of packages that patterns name which can call a mutant.
func (p *program) suites(patterns []string) ([]*suite, error) {
	format := fmt.Sprintf("{{$p := .}}{{if not .ForTest}}{{range .Deps}}{{if eq . %q}}{{$p.ImportPath}} {{$p.Dir}}\n"+
		"{{end}}{{end}}{{end}}", p.chosen)
	list, err := goList(p.root, format, append([]string{"-test", p.overlay()}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []*suite
	for i := 0; i+1 < len(list); i += 2 {
		if tested, ok := strings.CutSuffix(list[i], ".test"); ok {
			all = append(all, &suite{program: p, tested: tested, dir: list[i+1]})
		}
	}
	return all, nil
}

// grouped are the tests around a file, in its folder and those above, then those of all stages together, then others.
func grouped(file string, all []*suite) (groups [3][]*suite) {
	for _, s := range all {
		_, folder, _ := strings.Cut(s.tested, "/")
		g := 2
		switch {
		case strings.HasPrefix(path.Dir(file)+"/", folder+"/"):
			g = 0
		case strings.Contains(s.tested, "/internal/test/"):
			g = 1
		}
		groups[g] = append(groups[g], s)
	}
	return groups
}

// execute builds the tests and runs them without a mutant, once.
func (s *suite) execute() {
	if s.calls != nil || s.err != nil {
		return
	}
	s.binary = filepath.Join(s.program.folder, strings.ReplaceAll(s.tested, "/", "_")+".test")
	build := exec.Command("go", "test", "-c", "-vet=off", s.program.overlay(), "-o", s.binary, s.tested)
	build.Dir = s.program.root
	text, err := build.CombinedOutput()
	if err != nil {
		s.err = fmt.Errorf("%s: %w\n%s", s.tested, err, text)
		return
	}
	calls := s.binary + ".calls"
	if s.err = os.Mkdir(calls, 0o700); s.err != nil {
		return
	}
	text, s.seconds, err = s.run("unlimited", "MUTANT=-1", "MUTANTS="+calls)
	if err != nil {
		s.err = fmt.Errorf("%s without a mutant: %w\n%s", s.tested, err, text)
		return
	}
	files, err := os.ReadDir(calls)
	s.err, s.calls = err, map[int]bool{}
	for _, f := range files {
		n, err := strconv.Atoi(f.Name())
		s.calls[n] = err == nil
	}
}

// run runs the tests for so many seconds of processor time, on a busy machine they may take longer, and says how many
// they took.
func (s *suite) run(limit string, environment ...string) (text []byte, seconds float64, err error) {
	cmd := exec.Command("sh", "-c", `ulimit -t "$0"; exec "$@"`, limit, s.binary, "-test.failfast", "-test.timeout=0",
		"-test.paniconexit0")
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), environment...)
	if text, err = cmd.CombinedOutput(); cmd.ProcessState != nil {
		seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	return text, seconds, err
}

// failure is how the output of tests names the one that failed first.
var failure = regexp.MustCompile(`--- FAIL: (\S+)`)

// try runs the tests with a mutant.
func (s *suite) try(number, seconds int) result {
	text, _, err := s.run(strconv.Itoa(seconds), fmt.Sprintf("MUTANT=%d", number))
	if err == nil {
		return result{outcome: survived}
	}
	r := result{outcome: noticed, by: s.tested}
	if name := failure.FindSubmatch(text); name != nil {
		r.by += " " + string(name[1])
	}
	return r
}
