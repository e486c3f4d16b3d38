package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/pflag"
)

// options is what the command line says.
type options struct {
	root     string
	packages []string
	tests    []string
	number   int
	seed     uint64
	seconds  int
	within   float64
	parallel int
	profiles string
	floor    float64
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	flags := pflag.NewFlagSet("mutation", pflag.ContinueOnError)
	flags.StringVar(&o.root, "root", ".", "the module's folder")
	flags.StringSliceVar(&o.packages, "package", []string{"./simulate/...", "./latencies/...", "./lower/...",
		"./unroll/...", "./frontend/resolve/..."}, "packages, of each pattern as many mutants")
	flags.StringSliceVar(&o.tests, "tests", []string{"./...", "./internal/evidence/cxxoracle"},
		"packages, those whose tests may be run")
	flags.IntVar(&o.number, "number", 200, "mutants")
	flags.Uint64Var(&o.seed, "seed", 1, "of the sample")
	flags.IntVar(&o.seconds, "seconds", 90, "of processor time, after which a test has noticed a mutant")
	flags.Float64Var(&o.within, "within", 60, "seconds that the tests of all packages that are run for a mutant take")
	flags.IntVar(&o.parallel, "parallel", 1, "mutants at a time")
	flags.StringVar(&o.profiles, "profiles", "", "keep what tests execute here; remove files of changed tests")
	flags.Float64Var(&o.floor, "floor", 0, "fail where fewer percent are noticed")
	if err := flags.Parse(args); err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	score, err := o.measure(stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if score < o.floor {
		fmt.Fprintf(stderr, "%.0f%% is less than %.0f%%\n", score, o.floor)
		return 1
	}
	return 0
}

// sample takes mutants at random, so many in all, of each pattern's packages one in turn.
func (o *options) sample() ([]mutant, error) {
	r := rand.New(rand.NewPCG(o.seed, 1978))
	var chosen []mutant
	by := make([][]mutant, len(o.packages)) // by pattern
	for i, pattern := range o.packages {
		files, err := goList(o.root, "{{range .GoFiles}}{{$.Dir}}/{{.}} {{end}}", pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			list, err := mutants(o.root, file)
			if err != nil {
				return nil, err
			}
			by[i] = append(by[i], list...)
		}
		r.Shuffle(len(by[i]), func(j, k int) { by[i][j], by[i][k] = by[i][k], by[i][j] })
	}
	for i := range o.number {
		if of := by[i%len(by)]; i/len(by) < len(of) {
			chosen = append(chosen, of[i/len(by)])
		}
	}
	return chosen, nil
}

// measure tests a sample and returns the percentage that was noticed.
func (o *options) measure(out io.Writer) (float64, error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return 0, err
	}
	o.root = root
	list, err := o.sample()
	if err != nil {
		return 0, err
	}
	packages, err := goList(root, "{{.ImportPath}}", o.packages...)
	if err != nil {
		return 0, err
	}
	tests, err := suites(root, o.profiles, packages, o.tests)
	if err != nil {
		return 0, err
	}
	results := make([]chan result, len(list)) // by mutant
	for i := range list {
		results[i] = make(chan result, 1)
	}
	var next atomic.Int64
	for range max(o.parallel, 1) {
		go func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				results[i] <- o.test(list[i], tests)
			}
		}()
	}
	found := map[outcome][]mutant{}
	for i, m := range list {
		r := <-results[i]
		if r.err != nil {
			return 0, r.err
		}
		found[r.outcome] = append(found[r.outcome], m)
		fmt.Fprintf(out, "%-10s %v  %s\n", r.outcome, m, r.by)
	}
	caught, missed := len(found[noticed]), len(found[survived])+len(found[unexecuted])
	score := 100 * float64(caught) / float64(max(caught+missed, 1))
	fmt.Fprintf(out, "\n%d of %d mutants noticed: %.0f%%; %d more do not compile\n", caught, caught+missed, score,
		len(found[invalid]))
	for _, o := range []outcome{survived, unexecuted} {
		fmt.Fprintf(out, "\n%v: %d\n", o, len(found[o]))
		for _, m := range found[o] {
			fmt.Fprintln(out, m)
		}
	}
	return score, nil
}

// outcome is what became of a mutant.
type outcome uint8

const (
	noticed outcome = iota + 1
	survived
	unexecuted // by any test
	invalid    // it does not compile
)

func (r outcome) String() string {
	return [...]string{"", "noticed", "SURVIVED", "UNEXECUTED", "invalid"}[r]
}

// result is an outcome and the test that noticed the mutant.
type result struct {
	outcome
	by  string
	err error
}

// around reports whether a package is that of a file or stands in a folder above it.
func (s *suite) around(file string) bool {
	_, folder, _ := strings.Cut(s.Package, "/")
	return strings.HasPrefix(path.Dir(file)+"/", folder+"/")
}

// chosen are the tests that execute a mutant, those around it first, then those of all stages together, quick ones
// before slow ones, the first and which of the others fit in the time.
func (o *options) chosen(m mutant, all []*suite) (list []*suite) {
	var own, whole, others []*suite
	for _, s := range all {
		switch {
		case !s.executes(m.file, m.at):
		case s.around(m.file):
			own = append(own, s)
		case strings.Contains(s.Package, "/internal/test/"):
			whole = append(whole, s)
		default:
			others = append(others, s)
		}
	}
	left := o.within
	for _, of := range [][]*suite{own, whole, others} {
		slices.SortStableFunc(of, func(a, b *suite) int { return cmp.Compare(a.Seconds, b.Seconds) })
		for _, s := range of {
			if len(list) == 0 || s.Seconds <= left {
				list, left = append(list, s), left-s.Seconds
			}
		}
	}
	return list
}

// test runs the tests that execute a mutant until one fails.
func (o *options) test(m mutant, all []*suite) result {
	tests := o.chosen(m, all)
	if len(tests) == 0 {
		return result{outcome: unexecuted}
	}
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return result{err: err}
	}
	defer os.RemoveAll(folder)
	original := filepath.Join(o.root, filepath.FromSlash(m.file))
	text, err := os.ReadFile(original)
	if err != nil {
		return result{err: err}
	}
	changed, overlay := filepath.Join(folder, "mutant.go"), filepath.Join(folder, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return result{err: err}
	}
	if err := errors.Join(os.WriteFile(changed, m.apply(text), 0o600), os.WriteFile(overlay, list, 0o600)); err != nil {
		return result{err: err}
	}
	var r result
	for _, s := range tests {
		if r = o.try("-overlay="+overlay, s.Package); r.err != nil || r.outcome != survived {
			break
		}
	}
	return r
}

// failure is how the output of `go test` names the test that failed first.
var failure = regexp.MustCompile(`--- FAIL: (\S+)`)

// try runs `go test` with arguments, a package behind them. On a busy machine it may take long, but no more processor
// time.
func (o *options) try(args ...string) result {
	command := slices.Concat([]string{"-c", `ulimit -t "$0"; exec go test -vet=off -failfast -timeout=0 "$@"`,
		strconv.Itoa(o.seconds)}, args)
	cmd := exec.Command("sh", command...)
	cmd.Dir = o.root
	text, err := cmd.CombinedOutput()
	by := args[len(args)-1]
	if name := failure.FindSubmatch(text); name != nil {
		by += " " + string(name[1])
	}
	switch {
	case err == nil:
		return result{outcome: survived}
	case bytes.Contains(text, []byte("[build failed]")), bytes.Contains(text, []byte("[setup failed]")):
		return result{outcome: invalid}
	case bytes.Contains(text, []byte("FAIL")):
		return result{outcome: noticed, by: by}
	default:
		return result{err: fmt.Errorf("sh %s: %w\n%s", strings.Join(command, " "), err, text)}
	}
}
