package cxxoracle

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

var (
	combined = flag.Int("combined", 0, "compare so many combined programs")
	noReduce = flag.Bool("noreduce", false, "show failing programs as they are")
	all      = flag.Bool("all", false, "reduce refused programs too")
	file     = flag.String("file", "", "compare a program")
	from     = flag.Int("from", 0, "the first seed of combined programs")
)

// compilers are what the values of combined programs come from. Where they differ, an order is not specified.
var compilers = [][]string{
	{"clang++", "-std=c++17", "-w", "-fwrapv", "-ferror-limit=0", "-fno-caret-diagnostics",
		"-fsanitize=bounds,null,return,float-cast-overflow,shift,integer-divide-by-zero", "-fsanitize-trap=all"},
	{"g++", "-std=c++17", "-w", "-fwrapv", "-fno-diagnostics-show-caret"},
}

// both are the values of two compilers.
type both [2]Values

func (b both) accepted() bool { return b[0] != "" && b[1] != "" && b[0] != crashed && b[1] != crashed }

// crashed stands for a program with undefined behaviour.
const crashed = Values("crashed")

var anyError = regexp.MustCompile(`(?m)^\S*run\.cpp:(\d+):\d+: (?:fatal )?error: `)

// head compiles what all programs include.
func head(dir string, compiler []string) error {
	file := filepath.Join(dir, compiler[0]+".h")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	text := "#include <sys/wait.h>\n#include <unistd.h>\n#include <stdlib.h>\n#include <stdio.h>\n" + standin +
		strings.TrimPrefix(snippetHead, "#pragma once\n")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	out := file + map[string]string{"g++": ".gch", "clang++": ".pch"}[compiler[0]]
	args := append(slices.Clone(compiler[1:]), "-x", "c++-header", "-o", out, file)
	if out, err := exec.Command(compiler[0], args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, out)
	}
	return nil
}

// values compiles programs together, without those that the compiler rejects.
func values(dir string, compiler []string, list []Program) ([]Values, error) {
	result := make([]Values, len(list))
	rejected := make([]bool, len(list))
	if err := head(dir, compiler); err != nil {
		return nil, err
	}
	for range 6 {
		text := ""
		line := strings.Count(text, "\n") + 1
		first := make([]int, len(list))
		for i, p := range list {
			first[i] = line
			if !rejected[i] {
				body := strings.TrimPrefix(p.Text, snippetHead)
				text += body
				line += strings.Count(body, "\n")
			}
		}
		text += "int main() {\n"
		for i, p := range list {
			if !rejected[i] {
				text += fmt.Sprintf("\tprintf(\"\\n%d \"); fflush(stdout);\n\tif (!fork()) { alarm(2); "+
					"for (threadIdx.x = 0; threadIdx.x < %d; ++threadIdx.x) { int out[%d] = {}; (%s)(out); "+
					"for (int w : out) printf(\"%%d \", w); } fflush(stdout); _exit(0); }\n\twait(nullptr);\n",
					i, Items, Words, p.launch())
			}
		}
		text += "}\n"
		file, exe := filepath.Join(dir, "run.cpp"), filepath.Join(dir, "run")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return nil, err
		}
		args := append(slices.Clone(compiler[1:]), "-include", filepath.Join(dir, compiler[0]+".h"), "-o", exe, file)
		out, err := exec.Command(compiler[0], args...).CombinedOutput()
		if err == nil {
			out, _ := exec.Command(exe).Output()
			for _, row := range strings.Split(string(out), "\n") {
				numbers := strings.Fields(row)
				if len(numbers) == 0 {
					continue
				}
				i, _ := strconv.Atoi(numbers[0])
				if result[i] = crashed; len(numbers) != 1+Items*Words {
					continue
				}
				var v [Items][Words]int32
				for n := range Items * Words {
					x, _ := strconv.Atoi(numbers[n+1])
					v[n/Words][n%Words] = int32(x)
				}
				result[i] = valuesOf(v)
			}
			return result, nil
		}
		found := false
		for _, m := range anyError.FindAllSubmatch(out, -1) {
			n, _ := strconv.Atoi(string(m[1]))
			for i := range list {
				if !rejected[i] && first[i] <= n && (i+1 == len(list) || n < first[i+1]) {
					rejected[i], found = true, true
				}
			}
		}
		if !found {
			if len(list) == 1 {
				return result, nil // an error in a header
			}
			for part := range slices.Chunk(list, (len(list)+1)/2) {
				i := slices.IndexFunc(list, func(p Program) bool { return p.Text == part[0].Text })
				some, err := values(dir, compiler, part)
				if err != nil {
					return nil, err
				}
				copy(result[i:], some)
			}
			return result, nil
		}
	}
	return nil, fmt.Errorf("errors remain")
}

func bothValues(dir string, list []Program) ([]both, error) {
	result := make([]both, len(list))
	for c, compiler := range compilers {
		v, err := values(dir, compiler, list)
		if err != nil {
			return nil, err
		}
		for i := range v {
			result[i][c] = v[i]
		}
	}
	return result, nil
}

// judgeBoth is Judge for a program whose values two compilers compute.
func judgeBoth(p *Program, want both) (Status, string) {
	s, why := Judge(p, want[0])
	if s == Wrong && want[1] != want[0] {
		if s2, why2 := Judge(p, want[1]); s2 == Right {
			return s2, why2
		}
		if strings.HasPrefix(why, "computes") {
			return Right, "" // not specified
		}
	}
	return s, why
}

var (
	quoted = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	number = regexp.MustCompile(`_?\d+`)
)

// reasonOf is a reason without positions and names.
func reasonOf(why string) string {
	if strings.HasPrefix(why, "computes") {
		return "computes"
	}
	_, text, ok := strings.Cut(why, "error")
	if !ok {
		text = why
	}
	return number.ReplaceAllString(text, "")
}

// reduce makes a failing tree as small as it gets while it fails for the same reason.
func (c *combiner) reduce(dir string, n *node, reason string) (*node, Program, string) {
	p, why := n.program("r"), ""
	for step := 0; ; step++ {
		m, q, w := c.smaller(dir, n, reason, step)
		if m == nil {
			return n, p, why
		}
		n, p, why = m, q, w
	}
}

// smaller is the smallest tree with one step less that fails for the same reason.
func (c *combiner) smaller(dir string, n *node, reason string, step int) (*node, Program, string) {
	type candidate struct {
		n *node
		p Program
	}
	var list []candidate
	for i, small := range c.simpler(n) {
		if c.size(small) < c.size(n) {
			list = append(list, candidate{small, small.program(fmt.Sprintf("r%d_%d", step, i))})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return len(a.p.Text) - len(b.p.Text) })
	for part := range slices.Chunk(list, 12) {
		var fail []candidate
		var programs []Program
		for _, x := range part {
			if status, why := Judge(&x.p, "none"); status != Right && reasonOf(why) == reason {
				fail, programs = append(fail, x), append(programs, x.p)
			}
		}
		if len(fail) == 0 {
			continue
		}
		want, err := bothValues(dir, programs)
		if err != nil {
			return nil, Program{}, err.Error()
		}
		for i, x := range fail {
			if want[i].accepted() {
				if status, why := judgeBoth(&x.p, want[i]); status != Right && reasonOf(why) == reason {
					return x.n, x.p, why
				}
			}
		}
	}
	return nil, Program{}, ""
}

// TestCombined compares programs that combine features.
func TestCombined(t *testing.T) {
	if *combined == 0 {
		return
	}
	tools.Path(t, "clang++", "clang")
	tools.Path(t, "g++", "g++")
	table := snippets()
	c := &combiner{table: table}
	dir := t.TempDir()
	rejected, undefined, differ := 0, 0, 0
	var statuses []Status
	kinds, seen := map[string]int{}, map[string]int{}
	for at := *from; at < *from+*combined; at += batch {
		var trees []*node
		var list []Program
		for seed := at; seed < min(at+batch, *from+*combined); seed++ {
			trees = append(trees, Combined(table, seed))
			list = append(list, trees[len(trees)-1].program(fmt.Sprint("r", seed)))
		}
		want, err := bothValues(dir, list)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			switch {
			case want[i][0] == "" || want[i][1] == "":
				rejected++
				continue
			case !want[i].accepted():
				undefined++
				continue
			case want[i][0] != want[i][1]:
				differ++
			}
			status, why := judgeBoth(&list[i], want[i])
			statuses = append(statuses, status)
			if status == Right {
				continue
			}
			reason := reasonOf(why)
			kinds[fmt.Sprint(status, " ", quoted.ReplaceAllString(reason, "N"))]++
			if seen[reason]++; seen[reason] > 1 && (reason != "computes" || seen[reason] > 40) {
				continue
			}
			if *noReduce || reason != "computes" && !*all {
				t.Logf("seed %d: %v: %.250s", at+i, status, why)
				continue
			}
			small, p, why2 := c.reduce(dir, trees[i], reason)
			var b bytes.Buffer
			fmt.Fprintf(&b, "seed %d: %v: %.250s\n%s\n%.250s\n%s", at+i, status, why,
				strings.Join(c.features(small), ", "), why2, strings.TrimPrefix(p.Text, snippetHead))
			t.Log(b.String())
		}
	}
	n := count(statuses)
	t.Logf("rejected %d, undefined %d, not specified %d; right %d, refused %d, wrong %d", rejected, undefined, differ,
		n[Right], n[Refused], n[Wrong])
	if n[Wrong] > 0 {
		t.Errorf("%d programs are wrong", n[Wrong])
	}
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	slices.SortFunc(names, func(a, b string) int { return kinds[b] - kinds[a] })
	for _, k := range names {
		t.Logf("%d %.200s", kinds[k], k)
	}
}

// TestSnippets compares each snippet alone: where both compilers take it, it is not wrong.
func TestSnippets(t *testing.T) {
	tools.Heavy(t)
	tools.Path(t, "clang++", "clang")
	tools.Path(t, "g++", "g++")
	c := &combiner{table: snippets()}
	var list []Program
	var names []string
	for _, kind := range slices.Sorted(maps.Keys(c.table)) {
		for i, s := range c.table[kind] {
			list = append(list, c.alone(s).program(fmt.Sprint(kind, i)))
			names = append(names, kind+" "+s.name)
		}
	}
	dir := t.TempDir()
	at := 0
	for part := range slices.Chunk(list, batch) {
		want, err := bothValues(dir, part)
		if err != nil {
			t.Fatal(err)
		}
		for i := range part {
			if !want[i].accepted() || want[i][0] != want[i][1] {
				t.Logf("%s: a compiler rejects it, or they differ: no case", names[at+i])
			} else if status, why := Judge(&part[i], want[i][0]); status == Wrong {
				t.Errorf("%s: %s", names[at+i], why)
			} else if status != Right {
				t.Logf("%s: %v: %s", names[at+i], status, why)
			}
		}
		at += len(part)
	}
}

const (
	fixedSeeds   = 60
	combinedFile = "../../../testdata/cxx/combined.txt"
)

// TestCombinedFixed compares the programs of the first seeds with what compilers have computed for them: none is wrong.
func TestCombinedFixed(t *testing.T) {
	table := snippets()
	var list []Program
	for seed := range fixedSeeds {
		list = append(list, Combined(table, seed).program(fmt.Sprint("r", seed)))
	}
	if *update && tools.Cases(1, 0) == 1 {
		want, err := bothValues(t.TempDir(), list)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for i, w := range want {
			text += fmt.Sprintf("%s\t%s\t%s\n", list[i].digest(), w[0], w[1])
		}
		if err := os.WriteFile(combinedFile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(combinedFile)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		cells := strings.Split(line, "\t")
		if i >= len(list) || len(cells) != 3 || cells[0] != list[i].digest() {
			t.Fatalf("%s is of other programs: run FULL_TESTS=1 go test -run CombinedFixed -update", combinedFile)
		}
		want := both{Values(cells[1]), Values(cells[2])}
		if !want.accepted() {
			continue
		}
		if status, why := judgeBoth(&list[i], want); status == Wrong {
			t.Errorf("seed %d: %s", i, why)
		}
	}
}

// TestFile compares one program: go test -run File -v -file F.cu.
func TestFile(t *testing.T) {
	if *file == "" {
		return
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		t.Fatal(err)
	}
	p := Program{Text: snippetHead + string(text)}
	want, err := bothValues(t.TempDir(), []Program{p})
	if err != nil {
		t.Fatal(err)
	}
	status, why := judgeBoth(&p, want[0])
	got, _, _ := compute(&p)
	t.Logf("%v: %s\n%s\n%s\n%s", status, why, want[0][0], want[0][1], got)
}
