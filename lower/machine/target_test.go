package machine

import (
	"regexp"
	"strings"
	"testing"
)

// TestTargets: the table is read, targets have what those they are like have, and each number has a source.
func TestTargets(t *testing.T) {
	for _, name := range TargetNames() {
		g, err := LookupTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		if g.ISA == "" || g.WarpSize == 0 || g.OffsetBits == 0 || g.Source == "" {
			t.Errorf("%s: %+v", name, g)
		}
	}
	g, err := LookupTarget("sm_90")
	if err != nil {
		t.Fatal(err)
	}
	if g.MaxRegisters != 255 || g.Parameters != 0x210 || g.UniformRegisters != 63 || !g.Has("clusters") || g.Latencies["fma"] != 4 {
		t.Errorf("sm_90: %+v", g)
	}
	if _, err := LookupTarget("sm_1"); err == nil || !strings.Contains(err.Error(), "sm_50") {
		t.Errorf("sm_1: %v", err)
	}
	for i, line := range strings.Split(string(targetsYAML), "\n") {
		if regexp.MustCompile(`\{value:`).MatchString(line) && !strings.Contains(line, "source: ") {
			t.Errorf("line %d has no source: %s", i+1, line)
		}
	}
}
