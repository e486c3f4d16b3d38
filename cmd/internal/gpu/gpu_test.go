package gpu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nname: mine\ntitle: Mine\nextends: gtx1060\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, make([]byte, maxFileBytes+1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, device, err string }{
		{"GTX 1060", "gtx1060", ""},
		{file, "mine", ""},
		{"gtx1061", "", "did you mean gtx1060"},
		{"missing.yaml", "", "missing.yaml: error[FILE]: no such file or directory"},
		{filepath.Join(dir, "missing"), "", "error[FILE]: no such file or directory"},
		{large, "", "a device file of more than 4 MB"},
	} {
		d, err := Find(c.name)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case d.Name != c.device:
			t.Errorf("%s is %s, want %s", c.name, d.Name, c.device)
		}
	}
}
