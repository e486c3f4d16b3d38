package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKTT: results of the Kernel Tuning Toolkit are a table, of which counters are compared with
// the graph. The kernel has a load and a store for each work item.
func TestKTT(t *testing.T) {
	result := func(block, tile, status string, ms, loads string) string {
		return `{"Configuration": [{"Name": "block_size", "Value": ` + block +
			`, "ValueType": "UnsignedInt"}, {"Name": "tile", "Value": ` + tile + `}], "Status": "` + status + `",
			"ComputationResults": [{"Duration": ` + ms +
			`, "CompilationData": {"RegistersCount": 10}, "ProfilingData": {"Counters": [{"Name": "loads.sum", "Type": "Double", "Value": ` + loads + `}]}}]}`
	}
	run1 := func(t *testing.T, doc, spec string) (int, string, string) {
		dir := t.TempDir()
		text, err := os.ReadFile("testdata/scale.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"results.json": doc,
			"ktt.yaml": strings.NewReplacer("scale.csv", "results.json", "column: ms", "column: Duration").
				Replace(string(text)) + spec} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var stdout, stderr bytes.Buffer
		status := run([]string{"--gpu", "a100", "--sources", "testdata", "--measured", dir,
			filepath.Join(dir, "ktt.yaml")}, &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	doc := `{"Metadata": {"TimeUnit": "Microseconds"}, "Results": [` + result("64", "1", "Ok", "0.5", "1024") + "," +
		result("128", "1", "Ok", "0.4", "2048.0") + "," + result("128", "4", "DeviceLimitsExceeded", "0", "0") + `]}`
	const spec = "\nparameters: [block_size, tile]\ncounts:\n  - {name: Loads, column: loads.sum, predicted: " +
		"ld_global}\n  - {name: Registers, column: RegistersCount, predicted: 0 * loop + registers}\n"
	status, report, said := run1(t, doc, spec)
	if status != exitDone {
		t.Fatal(said)
	}
	for _, want := range []string{"3 configurations", "1 of 3 rows have no measured time", "| Loads |",
		"| Registers |"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
	for _, c := range []struct{ doc, spec, want string }{
		{"{", spec, "unexpected end"},
		{`{"Results": [{"Configuration": [], "ComputationResults": [{}, {}]}]}`, spec, "only results of one"},
		{doc, strings.Replace(spec, "loads.sum", "stores.sum", 1), "no column \"stores.sum\" to count"},
		{doc, strings.Replace(spec, "ld_global", "nothing", 1), "counts: "},
		{strings.Replace(doc, `{"Name": "tile", "Value": 4}`, "", 1), spec, ""},
	} {
		if status, _, said := run1(t, c.doc, c.spec); status != exitInput || !strings.Contains(said, c.want) {
			t.Errorf("status %d: %s, want %q", status, said, c.want)
		}
	}
}
