package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counted is a series of which hardware counted what its launches moved: the first one's streams of 4 MiB read and
// written, of which L2 still holds what was written, and a wrong count of the second one.
const counted = `kernel,dram_read,dram_written,l2_sectors_read,l2_sectors_written,l2_sectors_atom,l2_sectors_red
one,4194304,0,196608,196608,0,0
four,20971520,0,393216,589824,0,0
`

// runCounted evaluates a series with counters, of which texts are replaced.
func runCounted(t *testing.T, replace ...string) (status int, report, said string) {
	t.Helper()
	dir := t.TempDir()
	text := strings.NewReplacer(replace...)
	spec := strings.Replace(seriesSpec, "title: Copies", "title: Copies\nwarm: true\ncounters: counts.csv\n"+
		"hints: {branches: ['1=taken'], set: ['add.f32:cpi=1']}\nratios: [{of: four, to: one}]", 1)
	for name, content := range map[string]string{"series.yaml": spec, "counts.csv": counted} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.Replace(content)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	status = run([]string{"--gpu", "a100", "--sources", "testdata", "--measured", dir,
		filepath.Join(dir, "series.yaml")}, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// TestCounters: traffic of cold launches is compared with counters, and times by their ratio.
func TestCounters(t *testing.T) {
	status, report, said := runCounted(t)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	for _, want := range []string{"within 15% in 1 of 2 launches, sectors of L2 within 20% in 2.",
		"1 launches are off by more than a factor of 2.", "| four | 20.97 | 4.194 **0.20** | 983 | 983 |",
		"| four / one | 1.5 | "} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if strings.Contains(report, "| one | 4.194 |") {
		t.Error("a launch that is as counted is listed")
	}
	_, report, _ = runCounted(t, "warm: true", "warm: true\ncounted_warm: true", ",l2_sectors_atom,l2_sectors_red",
		",atom,red")
	if want := "one launch behind others: "; !strings.Contains(report, want) ||
		strings.Contains(report, "| four | 20.97 | 4.194 **0.20** |") {
		t.Errorf("the report lacks %q, or has the traffic of a cold launch:\n%s", want, report)
	}
	for _, c := range [][3]string{
		{"one,41", "won,41", "there is no row of one"},
		{"dram_read", "dram", `there is no column "dram_read"`},
		{"20971520", "much", `parsing "much"`},
		{"of: four", "of: five", `ratio of "five" to "one": there is no such step`},
		{"1=taken", "1=often", `unknown branch choice "often"`},
		{"1=taken", "1", "want LOC=VALUE"},
		{"add.f32:cpi=1", "add.f32", "SET"},
		{"branches: ['1=taken']", "trips: ['1=x']", "hints: trips"},
	} {
		if status, _, said := runCounted(t, c[0], c[1]); status != exitInput || !strings.Contains(said, c[2]) {
			t.Errorf("%s: status %d, %q lacks %q", c[1], status, said, c[2])
		}
	}
}
