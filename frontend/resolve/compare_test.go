package resolve_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/resolve"
	"gpupipe/frontend/source"
)

var one = flag.String("file", "", "compare this file alone and print both trees")

// parse has the signature of frontend.Parse.
func parse(cfg frontend.Config) (*frontend.Unit, error) {
	return resolve.Parse(resolve.Config{File: cfg.File, Text: cfg.Text, Dialect: cfg.Dialect, Defines: cfg.Defines, Undefs: cfg.Undefs,
		Includes: cfg.Includes, FS: cfg.FS, IncludePaths: cfg.IncludePaths, Architecture: cfg.Architecture,
		SinglePrecision: cfg.SinglePrecision, Templates: cfg.Templates})
}

func describe(u *frontend.Unit, err error) string {
	if err != nil {
		return "error " + err.Error() + "\n"
	}
	var b strings.Builder
	b.WriteString(u.String())
	if err := u.Verify(); err != nil {
		b.WriteString("VERIFY " + err.Error() + "\n")
	}
	for _, k := range u.Broken {
		b.WriteString("broken " + k.Name + ": " + k.Err.Error() + "\n")
	}
	return b.String()
}

// TestAgainstOld compares the trees of both front ends.
func TestAgainstOld(t *testing.T) {
	var paths []string
	for _, p := range []string{"../../kernels/*.cl", "../../kernels/*.cu", "../../testdata/*/*.cl", "../../testdata/*/*.cu"} {
		found, _ := filepath.Glob(p)
		paths = append(paths, found...)
	}
	if *one != "" {
		paths = []string{*one}
	}
	equal := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := source.OpenCL
		if filepath.Ext(path) == ".cu" {
			d = source.CUDA
		}
		cfg := frontend.Config{File: filepath.Base(path), Text: string(text), Dialect: d}
		got := describe(parse(cfg))
		want := describe(frontend.Parse(cfg))
		if got == want {
			equal++
			continue
		}
		if *one != "" {
			t.Logf("--- new\n%s\n--- old\n%s", got, want)
		}
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				old := ""
				if i < len(b) {
					old = b[i]
				}
				t.Errorf("%s:\n  new %s\n  old %s", path, a[i], old)
				break
			}
		}
	}
	t.Logf("%d of %d equal", equal, len(paths))
}
