package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

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
	if err := flags.Parse(args); err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	if _, err := o.measure(stdout); err != nil {
		fmt.Fprintln(stderr, err)
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
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	p := &program{root: root, folder: folder, invalid: map[int]bool{}}
	if p.all, err = o.sample(); err != nil {
		return 0, err
	}
	packages, err := goList(root, "{{if .GoFiles}}{{.ImportPath}}{{end}}", o.packages...)
	if err != nil {
		return 0, err
	}
	if err := p.compile(packages); err != nil {
		return 0, err
	}
	tests, err := p.suites(o.tests)
	if err != nil {
		return 0, err
	}
	found := map[outcome][]mutant{}
	for i, m := range p.all {
		r := result{outcome: invalid}
		if !p.invalid[i+1] {
			r = o.test(m, i+1, tests)
		}
		found[r.outcome] = append(found[r.outcome], m)
		fmt.Fprintf(out, "%-10s %v  %s\n", r.outcome, m, r.by)
	}
	caught, missed := len(found[noticed]), len(found[survived])+len(found[uncalled])
	score := 100 * float64(caught) / float64(max(caught+missed, 1))
	fmt.Fprintf(out, "\n%d of %d mutants noticed: %.0f%%; %d more do not compile\n", caught, caught+missed, score,
		len(found[invalid]))
	for _, o := range []outcome{survived, uncalled} {
		fmt.Fprintf(out, "\n%v: %d\n", o, len(found[o]))
		for _, m := range found[o] {
			fmt.Fprintln(out, m)
		}
	}
	for _, s := range tests {
		if s.err != nil {
			fmt.Fprintf(out, "\nleft out: %v\n", s.err)
		}
	}
	return score, nil
}

// outcome is what became of a mutant.
type outcome uint8

const (
	noticed outcome = iota + 1
	survived
	uncalled // its function, by any test
	invalid  // it does not compile
)

func (r outcome) String() string {
	return [...]string{"", "noticed", "SURVIVED", "UNCALLED", "invalid"}[r]
}

// result is an outcome and the test that noticed the mutant.
type result struct {
	outcome
	by string
}

// chosen are the tests of a group that call a mutant's function, quick ones before slow ones.
func chosen(group []*suite, number int) (list []*suite) {
	for _, s := range group {
		if s.execute(); s.calls[number] {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *suite) int { return cmp.Compare(a.seconds, b.seconds) })
	return list
}

// test runs the tests that call a mutant's function until one fails: those around it, then those of all stages
// together, then the others; the first and which of the others fit in the time.
func (o *options) test(m mutant, number int, all []*suite) result {
	r := result{outcome: uncalled}
	left := o.within
	for _, group := range grouped(m.file, all) {
		for _, s := range chosen(group, number) {
			if r.outcome != uncalled && s.seconds > left {
				continue
			}
			left -= s.seconds
			if r = s.try(number, o.seconds); r.outcome != survived {
				return r
			}
		}
	}
	return r
}
