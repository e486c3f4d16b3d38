package pass_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/kernels"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
)

// tested is the profile of the tests.
var tested = &profile.Profile{Name: "test", Contract: profile.ContractFast}

// built gives every kernel of a source as package build makes it.
func built(t testing.TB, c frontend.Config) []*ir.Func {
	t.Helper()
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	var out []*ir.Func
	for _, fn := range u.Kernels {
		k, err := translate.Kernel(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, build.Build(k))
	}
	return out
}

// dialect is the language of a file.
func dialect(name string) ast.Dialect {
	if strings.HasSuffix(name, ".cu") {
		return ast.CUDA
	}
	return ast.OpenCL
}

// sources are those of the built-in kernels and of package lower's golden files.
func sources(t testing.TB) []frontend.Config {
	t.Helper()
	var out []frontend.Config
	for _, e := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), e.File)
		if err != nil {
			t.Fatal(err)
		}
		d := ast.OpenCL
		if e.Dialect == kernels.CUDA {
			d = ast.CUDA
		}
		out = append(out, frontend.Config{File: e.File, Text: string(text), Dialect: d, Defines: e.Defines,
			FS: kernels.FS()})
	}
	names, err := filepath.Glob("../translate/testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, frontend.Config{File: a.Files[0].Name, Text: string(a.Files[0].Data),
			Dialect: dialect(a.Files[0].Name)})
	}
	return out
}

// TestCorpus runs all passes over the built-in kernels and those that package lower's golden files have, and
// verifies the code after each.
func TestCorpus(t *testing.T) {
	for _, c := range sources(t) {
		t.Run(c.File, func(t *testing.T) { runAll(t, c) })
	}
}

// runAll runs the passes over every kernel of a source.
func runAll(t *testing.T, c frontend.Config) {
	t.Helper()
	for _, f := range built(t, c) {
		before := f.String()
		err := pass.Run(f, &profile.Context{Profile: tested}, "", irverify.After)
		if err != nil {
			t.Errorf("%v\nbefore:\n%s\nafter:\n%s", err, before, f)
		}
	}
}

// controlFlow has what the kernels above lack.
var controlFlow = []string{
	`kernel void k(global const float *a, global float *o, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; j++) { if (a[j] < 0) continue; s += a[i*n+j]; if (s > 100.f) break; }
  switch (i & 3) { case 0: s += 1; case 1: s *= 2; break; case 2: s = 7; break; default: return; }
  o[i] = s;
}`,
}

// TestControlFlow runs all passes over kernels with unusual jumps.
func TestControlFlow(t *testing.T) {
	for _, text := range controlFlow {
		runAll(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
	}
}

// TestBehind runs the passes that Run leaves out as well: they change nothing.
func TestBehind(t *testing.T) {
	for _, c := range sources(t) {
		all, some := built(t, c), built(t, c)
		context := &profile.Context{Profile: tested}
		for i, f := range all {
			for _, p := range pass.List {
				p.Run(f, context)
			}
			if err := pass.Run(some[i], context, "", nil); err != nil {
				t.Fatal(err)
			}
			if want, got := f.String(), some[i].String(); got != want {
				t.Errorf("%s: %s:\nall passes:\n%s\nwithout those that nothing changed for:\n%s", c.File, f.Name, want, got)
			}
		}
	}
}
