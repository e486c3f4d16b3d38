package pass_test

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/internal/test/golden"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

var update = flag.Bool("update", false, "rewrite the expected code of the golden tests")

// TestGolden compares what each pass makes of the code in testdata/PASS/*.txtar: before, as text of package ir,
// and after. A kernel.cl or kernel.cu in front of them is the source of before, as the passes in the list leave
// it to the pass, positions aside; only its first kernel counts. Lines of the comment that begin with "profile",
// "unroll LOOP FACTOR" or "pass" are not prose: they name the compiler, override a factor, or say which of several
// steps of the list with the same pass is meant ("pass simplify again"). Both texts are executed.
func TestGolden(t *testing.T) {
	for _, p := range pass.List {
		if strings.Contains(p.Name, " ") { // again, at last
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			golden.Each(t, "testdata/"+p.Name+"/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
				return goldenFiles(t, p.Name, a)
			})
		})
	}
}

// step is that of the list with a name.
func step(name string) *pass.Pass {
	if i := slices.IndexFunc(pass.List, func(p pass.Pass) bool { return p.Name == name }); i >= 0 {
		return &pass.List[i]
	}
	return nil
}

// goldenFiles are the files that an archive of a pass should have.
func goldenFiles(t *testing.T, name string, a *txtar.Archive) []txtar.File {
	c, at, err := goldenContext(name, string(a.Comment))
	if err != nil {
		t.Fatal(err)
	}
	var out []txtar.File
	var before *ir.Func
	first := a.Files[0]
	if strings.HasPrefix(first.Name, "kernel.") {
		out = append(out, first)
		before = irtest.Build(t, irtest.Config(first.Name, string(first.Data)))[0]
		for _, p := range pass.List {
			if p.Name == at.Name {
				break
			}
			p.Run(before, c)
		}
	} else if before, err = irtest.Parse(string(first.Data)); err != nil {
		t.Fatalf("%s:%v", first.Name, err)
	}
	check(t, "before", before)
	out = append(out, txtar.File{Name: "before", Data: code(t, before)})
	after, err := irtest.Clone(before)
	if err != nil {
		t.Fatal(err)
	}
	at.Run(after, c)
	check(t, "after", after)
	expected := irtest.Expect(before, 10)
	if err := expected.Check(after); err != nil {
		t.Errorf("%v\n%v", err, after)
	}
	if expected.Executed == 0 {
		t.Error("the kernel ends in an error for all inputs")
	}
	return append(out, txtar.File{Name: "after", Data: code(t, after)})
}

// goldenContext reads the comment of an archive.
func goldenContext(name, comment string) (*profile.Context, *pass.Pass, error) {
	c, at := &profile.Context{Profile: profileNamed("")}, step(name)
	for _, line := range strings.Split(comment, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "profile":
			c.Profile = profileNamed(rest)
		case "pass":
			if at = step(rest); at == nil {
				return nil, nil, fmt.Errorf("no pass %q", rest)
			}
		case "unroll":
			loop, factor, _ := strings.Cut(rest, " ")
			l, err := strconv.Atoi(loop)
			n, err2 := strconv.Atoi(factor)
			if err != nil || err2 != nil {
				return nil, nil, fmt.Errorf("want unroll LOOP FACTOR: %q", line)
			}
			if c.Unroll == nil {
				c.Unroll = map[int]int{}
			}
			c.Unroll[l] = n
		}
	}
	return c, at, nil
}

// profileNamed is that of a compiler; without a name it is one that does most.
func profileNamed(name string) *profile.Profile {
	if name != "" {
		p, err := profile.Lookup(name)
		if err != nil {
			panic(err)
		}
		return p
	}
	p := &profile.Profile{Contract: profile.ContractFast, IndexRanges: true,
		Speculate: profile.Speculation{Operations: 5, Values: 3, Any: 1, Each: 3, Late: 2},
		Address:   profile.AddressRule{Ranges: true, Wraps: true, Straight: true},
		Strength:  profile.StrengthRule{Addresses: true}}
	for _, space := range []string{"global", "local", "private", "constant"} {
		p.Wide = append(p.Wide, profile.Width{Space: space, Load: 16, Store: 16})
	}
	return p
}

func check(t *testing.T, what string, f *ir.Func) {
	t.Helper()
	if err := irverify.Verify(f); err != nil {
		t.Fatalf("%s: %v\n%v", what, err, f)
	}
}

func code(t *testing.T, f *ir.Func) []byte {
	t.Helper()
	var b strings.Builder
	if err := ir.FormatCode(&b, f); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
