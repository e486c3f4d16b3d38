package latencies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"gpupipe/internal/diag"
)

// minimal is the smallest device file.
const minimal = `version: 1
name: mini
title: Mini
vendor: V
architecture: A
compute_units: {value: 2, source: S}
clock_mhz: {value: 1000.5, source: S}
warp_size: {value: 32, source: S}
issue_limit: {value: 1, source: S}
memory:
  segment_bytes: {value: 32, source: S}
  local_banks: {value: 32, source: S}
  local_bank_bytes: {value: 4, source: S}
subsystems:
  - name: alu
instructions:
  - {match: add.f32, subsystem: alu, cpi: 1, latency: 1/6, source: S}
`

func TestParseMinimal(t *testing.T) {
	d, err := ParseDevice("mini.yaml", []byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "mini" || d.ClockHz != 1_000_500_000 || d.Partitions != 1 || d.Memory.SegmentLanes != 32 ||
		d.Memory.LocalLanes != 32 || d.Memory.L2 != nil {
		t.Errorf("parsed as %+v", d)
	}
	if in := d.Instructions[0]; in.Timing != timing(t, "1", "1/6") ||
		in.Pos != (diag.Pos{File: "mini.yaml", Line: 17, Column: 6}) {
		t.Errorf("entry %+v", in)
	}
	if o, ok := d.Origin("clock_mhz"); !ok || o.Value != "1000.5" || o.Source != "S" || o.Pos.Line != 7 {
		t.Errorf("origin of the clock: %+v", o)
	}
}

// edit is a change of the minimal file, which is then wrong.
type edit struct {
	name, old, new string
	want           string // position and message
	schema         bool   // the JSON Schema rejects it too
}

// spreadOf is a file's memory up to the first row of a spread.
const spreadOf = "memory:\n  contention: {unloaded: 1, queueing: 1, capacity: 9, source: S}\n  spread:\n    - "

var wrongFiles = []edit{
	{"number without a source", "compute_units: {value: 2, source: S}", "compute_units: {value: 2}",
		"x.yaml:6:17: error[DEVICE]: compute_units has no source", true},
	{"bare number", "compute_units: {value: 2, source: S}", "compute_units: 2",
		"x.yaml:6:16: error[DEVICE]: compute_units has no source: write compute_units: {value: ..., " +
			"source: ...}", true},
	{"empty source", "compute_units: {value: 2, source: S}", `compute_units: {value: 2, source: ""}`,
		"compute_units.source is empty", true},
	{"entry without a source", "latency: 1/6, source: S", "latency: 1/6",
		"x.yaml:17:6: error[DEVICE]: the entry for add.f32 has no source", true},
	{"no value", "compute_units: {value: 2, source: S}", "compute_units: {source: S}",
		"compute_units has no value", true},
	{"unknown key", "clock_mhz:", "clock_mzh:",
		`x.yaml:7:1: error[DEVICE]: unknown key "clock_mzh"; did you mean clock_mhz?`, true},
	{"unknown inner key", "cpi: 1,", "cpi: 1, cpy: 1,", `unknown key "cpy"; did you mean cpi?`, true},
	{"empty alias", "vendor: V", `vendor: V
aliases: [""]`, "an alias must be text", true},
	{"alias is a list", "vendor: V", "vendor: V\naliases: [x, [y]]", "x.yaml:5:14: error[DEVICE]: an alias must be text",
		true},
	{"endless alias", "vendor: V", "vendor: V\naliases: [" + strings.Repeat("x", maxText+1) + "]",
		"an alias must be text", false},
	{"capitals", "name: mini", "name: Mini", "use lower-case letters", true},
	{"name with a space", "name: mini", "name: mi ni", "use lower-case letters", true},
	{"key twice", "vendor: V", "vendor: V\nvendor: W", "x.yaml:5:1", false},
	{"zero λ", "cpi: 1,", "cpi: 0,", "x.yaml:17:43: error[DEVICE]: instructions.add.f32.cpi must be more than 0", true},
	{"zero Λ", "latency: 1/6", "latency: 0", "instructions.add.f32.latency must be more than 0", true},
	{"negative λ", "cpi: 1,", "cpi: -1,", "non-negative number", true},
	{"λ is no number", "cpi: 1,", "cpi: fast,", "non-negative number", true},
	{"λ is NaN", "cpi: 1,", "cpi: .nan,", "must be a number", false},
	{"λ is a list", "cpi: 1,", "cpi: [1],", "must be a number, not a sequence", true},
	{"fine denominator", "cpi: 1,", "cpi: 10001/10000.5,", "denominator", false},
	{"enormous Λ", "latency: 1/6", "latency: 10000001", "it must lie between 0 and 10000000", false},
	{"faster than the issue limit", "cpi: 1,", "cpi: 0.5,", "add.f32: cpi 0.5 is less than 1/issue_limit", false},
	{"needless excuse", "latency: 1/6, source: S}", "latency: 1/6, source: S, faster_than_issue: x}",
		"drop faster_than_issue", false},
	{"rule of a latency without its source", "latency: 1/6, source: S}",
		"latency: 1/6, source: S, latency_derived: little}", "latency_derived without latency_source", true},
	{"unknown op", "match: add.f32", "match: fam.f32", `no op is called "fam"; did you mean fma`, false},
	{"malformed op", "match: add.f32", "match: add..f32", "not an op", true},
	{"unknown subsystem", "subsystem: alu", "subsystem: alo",
		`the device has no subsystem "alo"; did you mean alu?`, false},
	{"entry twice", "instructions:\n", "instructions:\n" +
		"  - {match: add.f32, subsystem: alu, cpi: 1, latency: 2, source: S}\n",
		"x.yaml:18:13: error[DEVICE]: there are two entries for add.f32", false},
	{"subsystem twice", "  - name: alu\n", "  - name: alu\n  - name: alu\n", `subsystem "alu" is given twice`, false},
	{"subsystem's name", "- name: alu", "- name: A L U", "not a name of a subsystem", true},
	{"subsystem without a name", "  - name: alu\n", "  - name: alu\n  - doc: x\n", "a subsystem has no name", true},
	{"fraction of a unit", "compute_units: {value: 2,", "compute_units: {value: 2.5,", "must be a whole number", true},
	{"warp size", "warp_size: {value: 32,", "warp_size: {value: 65,", "it must lie between 1 and 64", false},
	{"no clock", "clock_mhz: {value: 1000.5, source: S}\n", "", "the device has no clock_mhz", true},
	{"no title", "title: Mini\n", "", "the device has no title", true},
	{"no instructions", minimal[strings.Index(minimal, "instructions:"):], "", "the device has no instructions", true},
	{"version", "version: 1", "version: 2", `x.yaml:1:10: error[DEVICE]: version is "2"; this program reads version 1`,
		true},
	{"no version", "version: 1\n", "", `version is ""`, true},
	{"name with spaces", "name: mini", "name: my GPU", "without spaces", true},
	{"unknown rule", "value: 2, source: S}", "value: 2, source: S, derived: guess}",
		`compute_units.derived is "guess"; it must be one of achieved-share, `, true},
	{"unknown base", "name: mini", "name: mini\nextends: gtx9999",
		"x.yaml:3:10: error[UNKNOWN-GPU]: extends: no GPU is called \"gtx9999\"", false},
	{"scheduler", "vendor: V", "vendor: V\nscheduler: fifo", "it must be one of rr, gto, gty, oldest, group", true},
	{"flag", "memory:", "limits: {registers_by_group: 1}\nmemory:", "must be true or false", true},
	{"limits is a list", "memory:", "limits: [1]\nmemory:", "limits must be a mapping, not a sequence", true},
	{"instructions is a mapping", "instructions:\n  - {match", "instructions:\n  x: {match",
		"instructions must be a list, not a mapping", true},
	{"half of l2", "memory:\n", "memory:\n  l2: {cpi: {value: 1, source: S}}\n", "memory.l2 has no latency", false},
	{"l2 without a source", "memory:\n", "memory:\n  l2: {cpi: 1, latency: 2}\n", "memory.l2.cpi has no source", true},
	{"l1 without loads", "memory:\n", "memory:\n  l1: {cpi: {value: 1, source: S}, latency: {value: 9, source: S}, " +
		"subsystem: alu}\n", "memory.l1 has no loads", false},
	{"l1 of no subsystem", "memory:\n", "memory:\n  l1: {cpi: {value: 1, source: S}, latency: {value: 9, source: S}, " +
		"loads: all, subsystem: tex}\n", `the device has no subsystem "tex"`, false},
	{"half of l1's banks", "memory:\n", "memory:\n  l1: {cpi: {value: 1, source: S}, latency: {value: 9, source: S}, " +
		"loads: all, subsystem: alu, banks: {value: 1, source: S}}\n", "both banks and bank_bytes", false},
	{"l1 serves stores", "memory:\n", "memory:\n  l1: {loads: stores}\n",
		"memory.l1.loads is \"stores\"; it must be one of none, read-only, all", true},
	{"choice without a source", "vendor: V", "vendor: V\nissue: {value: in-order}", "issue has no source", true},
	{"choice without a value", "vendor: V", "vendor: V\nissue: {source: S}", "issue has no value", true},
	{"dual issue without a source", "vendor: V", "vendor: V\ndual_issue: {value: none}",
		"dual_issue has no source", true},
	{"dual issue", "vendor: V", "vendor: V\ndual_issue: pairs",
		`dual_issue is "pairs"; it must be one of none, in-limit, in-rates, paired`, true},
	{"barrier without a source", "vendor: V", "vendor: V\nbarrier_waits_for: {value: issue, note: n}",
		"barrier_waits_for has no source", true},
	{"barrier", "vendor: V", "vendor: V\nbarrier_waits_for: {value: arrival, source: S}",
		`barrier_waits_for.value is "arrival"; it must be one of issue, complete`, true},
	{"compiler", "vendor: V", "vendor: V\ncompiler: {value: gcc, source: S}",
		`compiler.value is "gcc"; it must be one of nvcc, clang`, true},
	{"contention without a source", "memory:\n", "memory:\n  contention: {unloaded: 1, queueing: 1, capacity: 1}\n",
		"memory.contention has no source", true},
	{"spread without contention", "memory:\n", "memory:\n  spread: []\n", "which is missing", false},
	{"falling spread", "memory:\n", spreadOf + "{throughput: 1, p5: 1, p25: 2, p50: 4, p75: 3, p95: 5, source: S}\n",
		"memory.spread must not fall", false},
	{"short spread", "memory:\n", spreadOf + "{throughput: 1, p5: 1, source: S}\n", "memory.spread has no p25", true},
	{"spread beyond the capacity", "memory:\n",
		spreadOf + "{throughput: 9, p5: 1, p25: 2, p50: 3, p75: 4, p95: 5, source: S}\n", "rising throughputs below", false},
	{"limit without a source", "memory:\n", "limits: {warps: {value: 8}}\nmemory:\n",
		"limits.warps has no source", true},
	{"rule of a choice", "vendor: V", "vendor: V\nissue: {value: in-order, source: S, derived: guess}",
		`issue.derived is "guess"`, true},
	{"alias of YAML", "vendor: V", "vendor: &v V", "vendor must be text, not a anchor", false},
	{"tab", "vendor: V", "\tvendor: V", "x.yaml:4", false},
	{"second document", "vendor: V", "---\nvendor: V", "second one", false},
	{"unclosed bracket", "source: S}\n", "source: S\n", "error[YAML]", false},
	{"control character", "vendor: V", "vendor: \"a\\u0001b\"", "control characters", false},
	{"NUL", "vendor: V", "vendor: \x00", "NUL byte", false},
}

func TestParseRejects(t *testing.T) {
	for _, c := range wrongFiles {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(minimal, c.old, c.new, 1)
			if text == minimal {
				t.Fatalf("%q is not in the minimal file", c.old)
			}
			d, err := ParseDevice("x.yaml", []byte(text))
			if err == nil {
				t.Fatalf("accepted as %+v", d)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
			if !strings.HasPrefix(err.Error(), "x.yaml:") {
				t.Errorf("%q has no position", err)
			}
		})
	}
}

func TestParseReportsAllErrors(t *testing.T) {
	text := strings.NewReplacer("cpi: 1,", "cpi: 0,", "value: 32, source: S", "value: 32", "vendor: V",
		"vendr: V").Replace(minimal)
	_, err := ParseDevice("x.yaml", []byte(text))
	list, ok := err.(diag.List)
	if !ok || len(list) < 4 {
		t.Fatalf("%d errors: %v", len(list), err)
	}
	for i := range list[1:] {
		if list[i].Pos.Compare(list[i+1].Pos) > 0 {
			t.Errorf("errors are not in the order of the file:\n%v", err)
		}
	}
}

func TestParseHostileInput(t *testing.T) {
	for name, text := range map[string]string{
		"empty":              "",
		"only comments":      "# nothing\n",
		"a scalar":           "hello",
		"a list":             "- 1\n- 2\n",
		"null":               "null",
		"too large":          strings.Repeat("# filler\n", 40000),
		"10 MB of brackets":  strings.Repeat("[", 10<<20),
		"lines of brackets":  strings.Repeat("[\n", 10000),
		"braces":             strings.Repeat("{a: ", 300),
		"nested sequences":   strings.Repeat("- ", 300) + "1",
		"nested questions":   strings.Repeat("? ", 300) + "1",
		"deep indentation":   strings.Repeat(" ", 200) + "a: 1",
		"long line":          "name: " + strings.Repeat("x", 5000),
		"billion laughs":     "a: &a [x, x]\nb: &b [*a, *a]\nname: *b\n",
		"merge":              "a: &a {x: 1}\n<<: *a\n",
		"binary":             "\xff\xfe\x00\x01",
		"invalid UTF-8 name": "version: 1\nname: \"\xff\xfe\"\n",
		"unterminated quote": "name: \"abc\n",
		"directive":          "%YAML 9.9\n---\na: 1\n",
		"tag":                "name: !!binary aGk=\n",
	} {
		if d, err := ParseDevice("x.yaml", []byte(text)); err == nil {
			t.Errorf("%s: accepted as %+v", name, d)
		} else if !strings.HasPrefix(err.Error(), "x.yaml:") {
			t.Errorf("%s: %q has no position", name, err)
		}
	}
}

// A user's file refines a built-in device: its numbers replace, the others stay
// with the device that they belong to.
func TestParseExtends(t *testing.T) {
	text := `version: 1
name: mine
title: Mine
extends: GTX 1060
clock_mhz: {value: 1700, source: my card}
limits:
  local_bytes: {value: 65536, source: my card}
subsystems:
  - {name: tensor, doc: new, queue: {value: 5, source: mine}}
instructions:
  - {match: fma.f32, subsystem: tensor, cpi: 0.5, latency: 4, source: mine}
  - {match: fma, subsystem: alu, cpi: 2, latency: 9, source: mine}
`
	d, err := ParseDevice("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	base := builtin(t, "gtx1060")
	if d.Name != "mine" || d.ClockHz != 1700e6 || d.ComputeUnits != 10 || d.Limits.LocalBytes != 65536 ||
		d.Limits.Warps != 64 || len(d.Aliases) != 0 {
		t.Errorf("parsed as %+v", d)
	}
	if in := entry(t, d, "fma.f32"); in.Timing != timing(t, "0.5", "4") || in.Inherited != "" ||
		d.Subsystems[in.Subsystem].Name != "tensor" || d.Subsystems[in.Subsystem].Queue != 5 {
		t.Errorf("refined entry %+v", in)
	}
	if in := entry(t, d, "add.f32"); in.Inherited != "gtx1060" || in.Pos.File != "gtx1060.yaml" {
		t.Errorf("inherited entry %+v", in)
	}
	if o, _ := d.Origin("compute_units"); o.Inherited != "gtx1060" {
		t.Errorf("origin of an inherited number: %+v", o)
	}
	if len(d.Instructions) != len(base.Instructions)+1 || len(d.Subsystems) != len(base.Subsystems)+1 {
		t.Errorf("%d entries and %d subsystems", len(d.Instructions), len(d.Subsystems))
	}
	if base.ClockHz != 1506e6 || entry(t, base, "fma.f32").Timing != timing(t, "0.25", "6") {
		t.Error("the built-in device was changed")
	}
}

// A user's file may extend what the devices of an architecture have in common, which
// is no device by itself.
func TestParseExtendsArchitecture(t *testing.T) {
	text := `version: 1
name: mine
title: Mine
extends: cc8.6
compute_units: {value: 30, source: my card}
clock_mhz: {value: 1500, source: my card}
issue: {value: in-order, source: my taste, note: to see}
memory:
  l1:
    latency: {value: 40, source: my card}
instructions:
  - {match: ld.global, subsystem: global, cpi: 20, latency: 500, source: my card}
`
	d, err := ParseDevice("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if d.Limits.Warps != 48 || d.Partitions != 4 || d.Scheduler != GreedyThenYoungest || d.Issue != InOrder {
		t.Errorf("parsed as %+v", d)
	}
	if o, _ := d.Origin("issue"); o.Value != "in-order" || o.Source != "my taste" || o.Inherited != "" {
		t.Errorf("origin of the issue mode: %+v", o)
	}
	if o, _ := d.Origin("scheduler"); o.Value != "gty" || o.Inherited != "cc8.6" {
		t.Errorf("origin of the scheduler: %+v", o)
	}
	if l1 := d.Memory.L1; l1.Latency != cyc(t, "40") || l1.CPI != cyc(t, "2") || !l1.Unified || l1.Loads != AllLoads ||
		l1.Subsystem != "local" {
		t.Errorf("L1 %+v", l1)
	}
	if other := builtin(t, "a6000").Memory.L1; other.Latency != cyc(t, "32") {
		t.Errorf("the common part was changed: %+v", other)
	}
	for _, name := range Architectures() {
		if _, err := Builtin(name); err == nil {
			t.Errorf("%s is a device", name)
		}
	}
	if _, err := ParseDevice("half.yaml", []byte("version: 1\nname: half\ntitle: Half\nextends: cc8.6\n")); err ==
		nil || !strings.Contains(err.Error(), "the device has no compute_units") {
		t.Errorf("a device without compute units: %v", err)
	}
}

// A file that lowers the issue limit is told about the entries that it inherits.
func TestParseInheritedFloor(t *testing.T) {
	d, err := ParseDevice("slow.yaml", []byte("version: 1\nname: slow\ntitle: Slow\nextends: gtx1060\n"+
		"issue_limit: {value: 2, source: S}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Warnings) != 1 || !strings.HasPrefix(d.Warnings[0].Error(), "slow.yaml:5:15: warning[ISSUE-FLOOR]: cpi "+
		"less than 1/issue_limit in entries of gtx1060: add.f32, mul.f32, fma.f32, add.s32") {
		t.Errorf("warnings: %v", d.Warnings)
	}
}

// A file that changes the clock alone is told what becomes of the bandwidth of memory.
func TestParseInheritedBandwidth(t *testing.T) {
	const head = "version: 1\nname: fast\ntitle: Fast\nextends: gtx1060\nsources: {S: s}\n"
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"clock_mhz: {value: 1506, source: S}\n", ""},
		{"clock_mhz: {value: 1707, source: S}\n", "fast.yaml:6:13: warning[BANDWIDTH]: device memory moves 182 GB/s, " +
			"on gtx1060 161: the cpi of ld.global is inherited, 12 cycles of a compute unit"},
		{"compute_units: {value: 9, source: S}\n",
			"fast.yaml:6:17: warning[BANDWIDTH]: device memory moves 145 GB/s, on gtx1060 161"},
		{"clock_mhz: {value: 1707, source: S}\ninstructions:\n  - {match: ld.global, subsystem: global, cpi: 13.6, " +
			"latency: 391, source: S}\n", ""},
	} {
		d, err := ParseDevice("fast.yaml", []byte(head+c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := d.Warnings.Error(); len(d.Warnings) > 0 != (c.want != "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %v, want %s", c.text, d.Warnings, c.want)
		}
	}
}

// compileSchema compiles the schema: of whole devices, or of what those of an architecture have in common too.
func compileSchema(t testing.TB, e extent) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema(t)))
	if err != nil {
		t.Fatal(err)
	}
	if e == commonPart {
		delete(doc.(map[string]any), "if")
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("device.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("device.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// schema is the JSON Schema of device files.
func schema(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("schema/device.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asJSON is a YAML file as the JSON Schema sees it.
func asJSON(t testing.TB, data []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSchemaAcceptsDevices(t *testing.T) {
	whole, common := compileSchema(t, wholeDevice), compileSchema(t, commonPart)
	if err := whole.Validate(asJSON(t, []byte(minimal))); err != nil {
		t.Error(err)
	}
	files, err := fs.Glob(deviceFiles, "*/*.yaml")
	if err != nil || len(files) != len(Names())+len(Architectures()) {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		data, err := deviceFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := whole
		if strings.HasPrefix(name, "architectures/") {
			s = common
		}
		if err := s.Validate(asJSON(t, data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRejects(t *testing.T) {
	s := compileSchema(t, wholeDevice)
	n := 0
	for _, c := range wrongFiles {
		if !c.schema {
			continue
		}
		n++
		if err := s.Validate(asJSON(t, []byte(strings.Replace(minimal, c.old, c.new, 1)))); err == nil {
			t.Errorf("%s: accepted", c.name)
		}
	}
	if n < 15 {
		t.Errorf("only %d files", n)
	}
}

// The schema and the decoder know the same keys and rules.
func TestSchemaKeys(t *testing.T) {
	var s struct {
		Properties map[string]struct {
			Properties map[string]any
		}
		Defs map[string]struct{ Enum []string } `json:"$defs"`
	}
	if err := json.Unmarshal(schema(t), &s); err != nil {
		t.Fatal(err)
	}
	check := func(what string, want []string, has func(string) bool, n int) {
		for _, k := range want {
			if !has(k) {
				t.Errorf("the schema's %s lacks %q", what, k)
			}
		}
		if n != len(want) {
			t.Errorf("the schema's %s has %d keys, the decoder %d", what, n, len(want))
		}
	}
	check("device", deviceKeys(), func(k string) bool { _, ok := s.Properties[k]; return ok }, len(s.Properties))
	for what, want := range map[string][]string{"limits": keysOf(new(Limits).numbers(), "registers_by_group"),
		"memory": keysOf(new(Memory).numbers(), memoryParts...)} {
		p := s.Properties[what].Properties
		check(what, want, func(k string) bool { _, ok := p[k]; return ok }, len(p))
	}
	var memory struct {
		Properties struct {
			Memory struct {
				Properties map[string]struct{ Properties map[string]any }
			}
		}
	}
	if err := json.Unmarshal(schema(t), &memory); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string][]string{"l1": keysOf(new(L1).numbers(), l1Words...),
		"l2": keysOf(new(Cache).l2Numbers()), "l3": keysOf(new(Cache).numbers()),
		"contention": keysOf(new(Contention).numbers(), "source", "derived", "note", "interval")} {
		p := memory.Properties.Memory.Properties[what].Properties
		check("memory."+what, want, func(k string) bool { _, ok := p[k]; return ok }, len(p))
	}
	if got, want := strings.Join(s.Defs["rule"].Enum, " "), strings.Join(deriveRuleNames(), " "); got != want {
		t.Errorf("the schema's rules are %s, the decoder's %s", got, want)
	}
}

// TestSchemaWords: the schema and the decoder know the same words.
func TestSchemaWords(t *testing.T) {
	want := schema(t)
	for _, c := range deviceChoices {
		enum := regexp.MustCompile(`"` + c.key + `": \{"enum": \[.*\]`)
		want = enum.ReplaceAll(want, fmt.Appendf(nil, `"%s": {"enum": ["%s"]`, c.key, strings.Join(c.words, `", "`)))
	}
	if *update {
		if err := os.WriteFile("schema/device.schema.json", want, 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(want, schema(t)) {
		t.Error("the schema's words are others: run this test with -update")
	}
}

// FuzzParseDevice: no input crashes the reader; every error has a position, and
// what is accepted has a source for every number and maps a simple graph.
func FuzzParseDevice(f *testing.F) {
	f.Add([]byte(minimal))
	for _, name := range []string{"devices/gtx1060-p19", "devices/gtx980", "devices/r9380", "devices/a100",
		"devices/w6600", "architectures/cc8.6"} {
		data, err := deviceFiles.ReadFile(name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, c := range wrongFiles {
		f.Add([]byte(strings.Replace(minimal, c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseDevice("f.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Errorf("%q has no position", err)
			}
			return
		}
		for _, o := range d.Origins {
			if o.Source == "" || o.Value == "" || !o.Pos.IsValid() {
				t.Errorf("origin %+v", o)
			}
		}
		m, err := NewMapper(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := graphOf(t, d.WarpSize, op{op: "fma.f32", line: 1}, op{op: "loop", line: 2}, op{op: "ld.global", line: 3})
		if out, err := m.Map(g); err == nil {
			if err := out.Verify(g); err != nil {
				t.Error(err)
			}
		}
	})
}
