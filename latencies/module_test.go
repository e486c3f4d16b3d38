package latencies

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// TestGivenModule: A 6.3 as printed, on 12/345 and 4/216 (GTX 1060, global memory and L2), 1/25 (its
// local memory), 23/475 and 2/28 (C2050). R = 1/128 is what 128 groups that read the same rows of a matrix make of it.
func TestGivenModule(t *testing.T) {
	const g, l, c = idg.SpaceGlobal, idg.SpaceLocal, idg.SpaceConstant
	for _, k := range []struct {
		gpu, op      string
		space        idg.Space
		width        uint16
		rules        string
		cpi, latency string
		source       string
	}{
		{"gtx1060", "ld.global", g, 4, "ld.global@3:R=1/128", "4.0625", "217.0078125", "A 6.3: R = 0.0078125 (--set)"},
		{"gtx1060", "ld.global", g, 4, "R=0", "4", "216", "A 6.3: R = 0 (--set)"},
		{"gtx1060", "st.global", g, 4, "R=0.5", "8", "280.5", "A 6.3: R = 0.5 (--set)"},
		{"gtx1060", "ld.global", g, 4, "R=1", "12", "345", "A 6.3: R = 1 (--set)"},
		{"gtx1060", "ld.global", g, 4, "R=2", "24", "357", "A 6.3: R = 2 (--set)"},
		{"c2050", "ld.global", g, 4, "R=5/4", "28.75", "480.75", "A 6.3: R = 1.25 (--set)"},
		{"gtx1060", "ld.global", g, 16, "R=1", "48", "381", "A 6.3, scaled to 512 of 128 bytes: R = 1 (--set)"},
		{"gtx1060", "ld.global", g, 4, "R=2 global:R=1/2", "8", "280.5", "A 6.3: R = 0.5 (--set)"},
		{"gtx1060", "ld.global", g, 4, "R=2,latency=7", "24", "7", "A 6.3: R = 2 (--set); --set"},
		{"gtx1060", "ld.global", g, 4, "R=2,D=3", "24", "357", "A 6.3: R = 2 (--set)"},
		{"gtx1060", "ld.local", l, 4, "R=2,D=3", "4", "28", "A 6.3: D = 3 (--set)"},
		{"gtx1060", "ld.local", l, 4, "D=0", "1", "25", "A 6.3: D = 0 (--set)"},
		{"gtx1060", "st.local", l, 4, "D=1/2", "1.5", "25.5", "A 6.3: D = 0.5 (--set)"},
		{"c2050", "ld.local", l, 4, "D=7", "16", "42", "A 6.3: D = 7 (--set)"},
		{"gtx1060", "ld.constant", c, 4, "D=3", "1", "12.75", "CPG 5.3.2: D = 3 (--set)"},
	} {
		d := builtin(t, k.gpu)
		var rules []string
		for _, r := range strings.Fields(k.rules) {
			if !strings.Contains(r, ":") {
				r = "*:" + r
			}
			rules = append(rules, r)
		}
		// without a rule R = 4, D = 3
		access := op{op: k.op, typ: "f32", line: 3, access: strided(k.space, 32, 0, 4*int64(k.width), k.width)}
		other := op{op: "ld.local", typ: "f32", line: 4, access: strided(idg.SpaceLocal, 32, 0, 4, 4)}
		if k.space == l {
			other = op{op: "ld.global", typ: "f32", line: 4, access: strided(idg.SpaceGlobal, 32, 0, 4, 4)}
		}
		e := mapped(t, d, graphOf(t, 32, access, other), rules...).Entry(1)
		if e.Timing != timing(t, k.cpi, k.latency) || !strings.HasSuffix(e.Source, "; "+k.source) || e.Assumed != "" {
			t.Errorf("%s %s, %s: %v/%v, %q, want %s/%s, %q", k.gpu, k.op, k.rules,
				e.Timing.CPI, e.Timing.Latency, e.Source, k.cpi, k.latency, k.source)
		}
	}
}

// TestFoundModule: what is found is told in the same terms, and given again it has the same result where
// the graph tells no locality.
func TestFoundModule(t *testing.T) {
	for _, k := range []struct {
		op       string
		access   *idg.Access
		want     string
		addition string // what else of the access is found
	}{
		{"ld.global", strided(idg.SpaceGlobal, 32, 0, 4, 4), "R=1", ""},
		{"ld.global", strided(idg.SpaceGlobal, 32, 0, 8, 4), "R=2", ""},
		{"ld.global", strided(idg.SpaceGlobal, 32, 0, 0, 4), "R=0.25", ""},
		{"st.global", strided(idg.SpaceGlobal, 32, 0, 16, 16), "R=1", ""},
		{"ld.global", &idg.Access{Space: idg.SpaceGlobal, Width: 4}, "R=1", ""},
		{"ld.local", strided(idg.SpaceLocal, 32, 0, 4, 4), "D=0", ""},
		{"ld.local", strided(idg.SpaceLocal, 32, 0, 16, 4), "D=3", ""},
		{"atomic.add.local", strided(idg.SpaceLocal, 32, 0, 0, 4), "D=0", "32 lanes take turns"},
		{"ld.constant", strided(idg.SpaceConstant, 32, 0, 4, 4), "D=31", ""},
		{"ld.private", strided(idg.SpacePrivate, 32, 0, 0, 4), "", ""},
		{"add.f32", nil, "", ""},
	} {
		d, o := builtin(t, "gtx1060"), op{op: k.op, typ: "f32", line: 3, access: k.access}
		e := entryOf(t, d, o)
		got := ""
		if f := e.Module.Ratio; f.Known {
			got += "R=" + f.String()
		}
		if f := e.Module.Conflicts; f.Known {
			got += "D=" + f.String()
		}
		if got != k.want || !strings.Contains(e.Source, k.addition) {
			t.Errorf("%s: found %q, want %q; %s", k.op, got, k.want, e.Source)
		}
		if k.want == "" {
			continue
		}
		again := entryOf(t, d, o, "*:"+k.want)
		if again.Timing != e.Timing || again.Module != e.Module || again.Transactions != e.Transactions {
			t.Errorf("%s:%s is %+v, found %+v", k.op, k.want, again, e)
		}
	}
}

// TestModuleOfLevels: where the graph tells its locality, R counts what comes from device memory,
// and the number is not said to be A 6.3's. A given R is applied as printed, and the traffic follows it.
func TestModuleOfLevels(t *testing.T) {
	f := &idg.Footprint{LaunchReadBytes: 100_000 * 128, ReadBytes: 128, SectorBytes: 32}
	g := launchOf(t, 32, 100_000, 0, f,
		seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Group: reuse(1024, 12), Cold: 4}})
	found := mapped(t, builtin(t, "gtx1060"), g)
	if e := found.Entry(1); e.Module.Ratio != (Factor{cyc(t, "0.25"), true}) || strings.Contains(e.Source, "A 6.3") {
		t.Errorf("found R = %v: %s", e.Module.Ratio, e.Source)
	}
	given := mapped(t, builtin(t, "gtx1060"), g, "ld.global:R=3/4")
	e := given.Entry(1)
	if e.Timing != timing(t, "10", "312.75") || given.Subsystems[e.Subsystem] != "global" ||
		!e.Second.CPI.IsZero() || e.Served != (Served{L2: 1, Memory: 3}) {
		t.Errorf("R = 3/4: %+v", e)
	}
	if got, want := given.Traffic.ReadBytes, 3*found.Traffic.ReadBytes; got != want {
		t.Errorf("%d bytes read, want %d", got, want)
	}
	e = mapped(t, builtin(t, "gtx1060"), g, "ld.global:R=3").Entry(1)
	if e.Transactions != 12 || e.Served != (Served{Memory: 12}) {
		t.Errorf("R = 3: %+v", e)
	}
}

func TestModuleRefused(t *testing.T) {
	for rule, want := range map[string]string{ // line and message
		"ld.global:D=1":   `3 D is of accesses of local and constant memory, and it picks none (ld.global)`,
		"ld.local:R=1":    `4 R is of accesses of device memory, and it picks none (ld.local)`,
		"@5:R=1":          `5 R is of accesses of device memory, and it picks none (add.f32)`,
		"ld.local:D=63/2": `4 D of ld.local is at most 31, with 32 lanes of 4 bytes one after the other`,
		"@6:D=128":        `6 D of ld.local is at most 127, with 32 lanes of 16 bytes one after the other`,
	} {
		r, err := ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewMapper(builtin(t, "c2050"), []Rule{r})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Map(graphOf(t, 32,
			op{op: "ld.global", typ: "f32", line: 3, access: strided(idg.SpaceGlobal, 32, 0, 4, 4)},
			op{op: "ld.local", typ: "f32", line: 4, access: strided(idg.SpaceLocal, 32, 0, 4, 4)},
			op{op: "add.f32", line: 5},
			op{op: "ld.local", typ: "f32", line: 6, access: strided(idg.SpaceLocal, 32, 0, 16, 16)}))
		line, text, _ := strings.Cut(want, " ")
		want := fmt.Sprintf("k.cl:%s: error[SET]: --set %q: %s", line, rule, text)
		if err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
	r, err := ParseRule("ld.global:R=1/2")
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMapper(builtin(t, "gtx280"), []Rule{r})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Map(graphOf(t, 32, op{op: "ld.global", typ: "f32", line: 3,
		access: strided(idg.SpaceGlobal, 32, 0, 4, 4)}))
	const want = `dir/k.cl:3: error[SET]: --set "ld.global:R=1/2": R below 1 needs λ and Λ of L2, which ` +
		"GeForce GTX 280 does not have\n\tgive those of the access: --set 'ld.global:cpi=N,latency=N'"
	if err == nil || fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	if r, err = ParseRule("ld.global:R=1"); err != nil {
		t.Fatal(err)
	}
	if m, err = NewMapper(builtin(t, "gtx280"), []Rule{r}); err != nil {
		t.Fatal(err)
	}
	if _, err = m.Map(graphOf(t, 32, op{op: "ld.global", typ: "f32", line: 3,
		access: strided(idg.SpaceGlobal, 32, 0, 4, 4)})); err != nil {
		t.Errorf("R = 1 needs no L2: %v", err)
	}
	for rule, want := range map[string]string{
		"ld.global:R=-1":                 `R: "-1" is not a non-negative number`,
		"ld.local:D=many":                `D: "many" is not a non-negative number`,
		"ld.global:R=1,R=2":              "R is given twice",
		"ld.global:R=1025":               "R is more than 1024",
		"ld.global:cpi=1,latency=2,R=1":  "cpi and latency leave nothing for R and D to say",
		"ld.global:r=1":                  `no parameter is called "r"; did you mean R?`,
		"ld.local:cpi=2,latency=3,D=1/2": "cpi and latency leave nothing for R and D to say",
	} {
		_, err := ParseRule(rule)
		var e *diag.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
}
