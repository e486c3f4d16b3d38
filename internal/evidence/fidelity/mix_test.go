package fidelity

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/evidence/ptx"
	"gpupipe/internal/golden"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

var (
	update      = flag.Bool("update", false, "rewrite docs/evidence/tables and testdata/*.txt")
	darktable   = flag.String("darktable", "", "also compare the kernels of darktable, which are in DIR")
	directories = flag.String("kernels", "",
		"also compare the OpenCL kernels of DIR[:MACRO=VALUE...],... (with -darktable)")
)

// comparison is one kernel's counts.
type comparison struct {
	name         string
	ours, theirs counts
}

// compare counts the kernels of a source on both sides. left is why a kernel
// takes no part.
func compare(s source) (list []comparison, left map[string]string) {
	left = map[string]string{}
	u, err := s.parse()
	if err != nil {
		left[s.name] = firstLine(err)
		return nil, left
	}
	listing, err := compile(s, header(s))
	if err != nil {
		left[s.name] = firstLine(err)
		return nil, left
	}
	for _, fn := range u.Kernels {
		if s.only != nil && !slices.Contains(s.only, fn.Name) {
			continue
		}
		name := s.name
		if s.only == nil {
			name += " " + fn.Name
		}
		k, err := lower.Lower(u, fn)
		if err != nil {
			left[name] = firstLine(err)
			continue
		}
		if len(k.Loops) == 0 {
			left[name] = "no loop"
			continue
		}
		l := launchOf(fn, k)
		opt := l.options(k)
		opt.Level = unroll.O3 // as it is compiled
		res, err := unroll.Resolve(k, opt)
		if err != nil {
			left[name] = firstLine(err)
			continue
		}
		assumed := ""
		for _, w := range res.Warnings {
			if w.Code == "ASSUMED-TRIPS" {
				assumed = "a trip count depends on data"
			}
		}
		if assumed != "" {
			left[name] = assumed
			continue
		}
		compiled, err := ptx.Parse(listing, fn.Name)
		if err != nil {
			left[name] = err.Error()
			continue
		}
		executed, err := compiled.Run(l.ptx(fn))
		if err != nil {
			left[name] = err.Error()
			continue
		}
		if f := ownCall(compiled, listing); f != "" {
			left[name] = "clang has not inlined " + f
			continue
		}
		list = append(list, comparison{name, graphCounts(res.Graph), ptxCounts(compiled, executed)})
	}
	return list, left
}

// ownCall returns a function of the listing that the kernel calls: what that
// executes is not counted.
func ownCall(k *ptx.Kernel, listing string) string {
	for _, b := range k.Blocks {
		for i := range b.Code {
			f := b.Code[i].Callee()
			if f != "" && !regexp.MustCompile(`\.extern \.func[^;]*\b`+regexp.QuoteMeta(f)+`\b`).MatchString(listing) {
				return f
			}
		}
	}
	return ""
}

func firstLine(err error) string {
	s, _, _ := strings.Cut(err.Error(), "\n")
	return s
}

// Limits of the differences of each class, as fractions, over the kernels that
// have any of it.
const (
	medianLimit = 0.05
	ninetyLimit = 0.20
)

// TestMix compares the instruction mix of the built-in kernels with compiled
// code, and of darktable's and others where their directories are given, and
// writes docs/evidence/tables. The limits hold for the built-in
// kernels and for the whole of them.
func TestMix(t *testing.T) {
	tools.Heavy(t)
	if err := missingClang(); err != nil {
		tools.Missing(t, "the instruction mix is not compared with compiled code: %v", err)
	}
	builtin := compareAll(t, builtins(t))
	if len(builtin) < 30 {
		t.Errorf("%d built-in kernels are comparable, want at least 30", len(builtin))
	}
	checkLimits(t, "built-in kernels", builtin)
	writeSection(t, "mix_summary", summary(builtin))
	writeSection(t, "mix", table(builtin))
	if *darktable == "" {
		return
	}
	public := compareAll(t, directory(t, *darktable))
	writeSection(t, "mix_darktable", table(public))
	if *directories == "" {
		return
	}
	var sources []source
	for _, dir := range strings.Split(*directories, ",") {
		sources = append(sources, directory(t, dir)...)
	}
	others := compareAll(t, sources)
	public = append(public, others...)
	checkLimits(t, "kernels of other projects", public)
	writeSection(t, "mix_others", table(others))
	writeSection(t, "mix_public_summary", summary(public))
}

// compareAll compares the kernels of some sources, in the order of their names.
func compareAll(t *testing.T, sources []source) []comparison {
	t.Helper()
	var all []comparison
	for _, s := range sources {
		list, left := compare(s)
		all = append(all, list...)
		for _, name := range slices.Sorted(maps.Keys(left)) {
			t.Logf("left out: %s: %s", name, left[name])
		}
	}
	slices.SortFunc(all, func(a, b comparison) int { return cmp.Compare(a.name, b.name) })
	return all
}

// checkLimits fails where a class of instructions is off by too much.
func checkLimits(t *testing.T, what string, all []comparison) {
	t.Helper()
	for c := range classes {
		p := percentiles(all, c)
		t.Logf("%s, %v: %d kernels, median %.1f%%, 90th percentile %.1f%%", what, c, p.kernels, 100*p.median,
			100*p.ninety)
		if p.median > medianLimit || p.ninety > ninetyLimit {
			t.Errorf("%s, %v: median %.1f%%, 90th percentile %.1f%%, want at most %g%% and %g%%", what, c, 100*p.median,
				100*p.ninety, 100*medianLimit, 100*ninetyLimit)
		}
	}
}

// spread is how much the counts of one class are off.
type spread struct {
	kernels        int // that have any
	median, ninety float64
}

// percentiles are over the kernels that have instructions of a class on either
// side, by the nearest rank.
func percentiles(all []comparison, c class) (s spread) {
	var off []float64
	for _, k := range all {
		if k.ours[c]+k.theirs[c] > 0 {
			off = append(off, math.Abs(difference(k.ours[c], k.theirs[c])))
		}
	}
	if len(off) == 0 {
		return s
	}
	slices.Sort(off)
	rank := func(p float64) float64 { return off[max(0, int(math.Ceil(p*float64(len(off))))-1)] }
	return spread{len(off), rank(0.5), rank(0.9)}
}

func summary(all []comparison) string {
	var b strings.Builder
	for c := range classes {
		p := percentiles(all, c)
		fmt.Fprintf(&b, "| %v | %d | %.1f%% | %.1f%% |\n", c, p.kernels, 100*p.median, 100*p.ninety)
	}
	return b.String()
}

func table(all []comparison) string {
	var b strings.Builder
	for _, k := range all {
		fmt.Fprintf(&b, "| %s |", k.name)
		for c := range classes {
			switch {
			case k.ours[c] == k.theirs[c]:
				fmt.Fprintf(&b, " %d |", k.ours[c])
			default:
				fmt.Fprintf(&b, " %d / %d |", k.ours[c], k.theirs[c])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// writeSection compares the section of the tables in docs/evidence/tables with text, and rewrites it
// under -update. The page is named by the first word of the section's name.
func writeSection(t *testing.T, name, text string) {
	t.Helper()
	page, _, _ := strings.Cut(name, "_")
	golden.Section(t, "../../../docs/evidence/tables/"+page+".md", name, text, *update)
}
