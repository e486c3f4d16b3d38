package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// options is what the command line says.
type options struct {
	root     string
	packages []string
	number   int
	seed     uint64
	seconds  int
	floor    float64
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	flags := pflag.NewFlagSet("mutation", pflag.ContinueOnError)
	flags.StringVar(&o.root, "root", ".", "the module's folder")
	flags.StringSliceVar(&o.packages, "package", []string{"simulate", "latencies", "lower/pass/scalar",
		"lower/pass/memory", "lower/pass/loops", "lower/machine", "unroll/walk", "frontend/resolve"},
		"folders of packages, each with as many mutants")
	flags.IntVar(&o.number, "number", 200, "mutants")
	flags.Uint64Var(&o.seed, "seed", 1, "of the sample")
	flags.IntVar(&o.seconds, "seconds", 90, "of processor time, after which a test has noticed a mutant")
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

// sample takes as many mutants of each package at random, so many in all, by package.
func (o *options) sample() ([]mutant, error) {
	r := rand.New(rand.NewPCG(o.seed, 1978))
	var chosen []mutant
	for i, folder := range o.packages {
		all, err := mutants(o.root, folder)
		if err != nil {
			return nil, err
		}
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		n := o.number*(i+1)/len(o.packages) - o.number*i/len(o.packages)
		chosen = append(chosen, all[:min(n, len(all))]...)
	}
	return chosen, nil
}

// measure tests a sample and returns the percentage that was noticed.
func (o *options) measure(out io.Writer) (float64, error) {
	list, err := o.sample()
	if err != nil {
		return 0, err
	}
	tally := map[outcome]int{}
	var survivors []mutant
	for _, m := range list {
		r, err := o.test(m)
		if err != nil {
			return 0, err
		}
		tally[r]++
		fmt.Fprintf(out, "%-8s %v\n", r, m)
		if r == survived {
			survivors = append(survivors, m)
		}
	}
	n := tally[noticed] + tally[survived]
	score := 100 * float64(tally[noticed]) / float64(max(n, 1))
	fmt.Fprintf(out, "\n%d of %d mutants noticed: %.0f%%; %d more do not compile\n", tally[noticed], n, score,
		tally[invalid])
	for _, m := range survivors {
		fmt.Fprintln(out, m)
	}
	return score, nil
}

// outcome is what became of a mutant.
type outcome uint8

const (
	noticed outcome = iota + 1
	survived
	invalid // it does not compile
)

func (r outcome) String() string { return [...]string{"", "noticed", "SURVIVED", "invalid"}[r] }

// test runs the tests of a mutant's package, or of the nearest one around it that has any: passes have none of their
// own.
func (o *options) test(m mutant) (outcome, error) {
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	root, err := filepath.Abs(o.root)
	if err != nil {
		return 0, err
	}
	original := filepath.Join(root, filepath.FromSlash(m.file))
	text, err := os.ReadFile(original)
	if err != nil {
		return 0, err
	}
	changed, overlay := filepath.Join(folder, "mutant.go"), filepath.Join(folder, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(changed, m.apply(text), 0o600); err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return 0, err
	}
	tested := path.Dir(m.file)
	for ; tested != "."; tested = path.Dir(tested) {
		tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(tested), "*_test.go"))
		if err != nil {
			return 0, err
		}
		if len(tests) > 0 {
			break
		}
	}
	return o.result(root, "-overlay="+overlay, "./"+tested)
}

// result runs `go test` with arguments. On a busy machine it may take long, but no more processor time.
func (o *options) result(root string, args ...string) (outcome, error) {
	args = slices.Concat([]string{"-c", `ulimit -t "$0"; exec go test -vet=off -failfast -timeout=0 "$@"`,
		strconv.Itoa(o.seconds)}, args)
	cmd := exec.Command("sh", args...)
	cmd.Dir = root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	switch text := out.String(); {
	case err == nil:
		return survived, nil
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		return invalid, nil
	case strings.Contains(text, "FAIL"):
		return noticed, nil
	default:
		return 0, fmt.Errorf("sh %s: %w\n%s", strings.Join(args, " "), err, text)
	}
}
