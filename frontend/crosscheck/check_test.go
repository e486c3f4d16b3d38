package crosscheck

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/resolve"
	"gpupipe/frontend/source"
	"gpupipe/internal/diag"
)

var (
	folder   = flag.String("folder", "", "check the OpenCL files below this folder, too")
	defines  = flag.String("defines", "BLOCK_SIZE=8 T=8 N=64", "macros, as behind -D")
	includes = flag.String("includes", "", "folders of included files")
)

// openCLFiles are the files of OpenCL C below folders.
func openCLFiles(t *testing.T, folders ...string) (files []string) {
	for _, dir := range folders {
		if dir == "" {
			continue
		}
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(name) == ".cl" {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// hostFiles opens files by any name.
type hostFiles struct{}

func (hostFiles) Open(name string) (fs.File, error) { return os.Open(filepath.FromSlash(name)) }

func configurationOf(name, text string) source.Config {
	return source.Config{File: name, Text: text, Dialect: ast.OpenCL, FS: hostFiles{},
		Defines: strings.Fields(*defines), IncludePaths: strings.Fields(*includes)}
}

// checked reads a file twice; nil of one that the frontend refuses.
func checked(name, text string) *Result {
	unit, read, err := resolve.Read(configurationOf(name, text))
	if err != nil {
		return nil
	}
	return Check(unit, read)
}

// TestFiles: cc reads what the frontend reads, in every OpenCL file of the repository.
func TestFiles(t *testing.T) {
	files := openCLFiles(t, "../..", *folder)
	if len(files) < 40 {
		t.Fatalf("%d files", len(files))
	}
	var sum Result
	var unread []string
	refused := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := checked(name, string(text))
		if r == nil {
			refused++
			if *folder != "" {
				t.Logf("%s is refused here", name)
			}
			continue
		}
		if len(r.Differences) > 0 {
			t.Errorf("%v", r.Differences)
		}
		if r.Unreadable != nil {
			unread = append(unread, r.Unreadable.Error())
		}
		sum.Functions += r.Functions
		sum.Lines += r.Lines
		sum.Constants += r.Constants
		sum.Conditions += r.Conditions
	}
	t.Logf("%d files, %d refused here, %d functions, %d lines, %d constants, %d conditions; not read:\n%s", len(files),
		refused, sum.Functions, sum.Lines, sum.Constants, sum.Conditions, strings.Join(unread, "\n"))
}

// TestPlace: a difference stands where the user's text has it.
func TestPlace(t *testing.T) {
	own, other := outlineOf(t, "void f(){\n\n  g(1+2*3);\n}"), outlineOf(t, "void f(){\n\n  g((1+2)*3);\n}")
	list := differences(own, other)
	if len(list) != 1 || list[0].Pos != (diag.Pos{File: "k.cl", Line: 3, Column: 3}) {
		t.Errorf("%v", list)
	}
}

// TestUnreadable: where cc stops is told in the user's text.
func TestUnreadable(t *testing.T) {
	tokens := preprocess.Run(preprocess.Config{File: "k.cl", Text: "void f() {\n  int x = 1\n  return;\n}"}).Tokens
	_, bad := readable(tokens, func(string) bool { return false }, nil).outline()
	const want = "k.cl:3:3: warning[UNREAD]: cc cannot read this: unexpected 'return', expected ';'"
	if bad == nil || bad.Error() != want {
		t.Errorf("%v, want %s", bad, want)
	}
}

// outlineOf is cc's reading of a text.
func outlineOf(t *testing.T, text string) *outline {
	t.Helper()
	_, read, _ := resolve.Read(configurationOf("k.cl", text))
	own, _ := ownOutline(read.File)
	o, bad := readable(read.Tokens.Tokens, read.IsType, own.names).outline()
	if bad != nil {
		t.Fatal(bad)
	}
	return o
}

const valued = `enum { A = 3, B, C = B * 2 };
#define N 4
#if N > 3 && N << 1 == 8
__kernel void f(__global int *p)
{
	int a[C + 1][N * sizeof(int)];
	switch (p[0]) { case A: p[1] = 1; break; case B + 1: p[2] = a[p[3]][1]; }
}
#endif
`

// TestValues: another value of a constant, or of #if, is told at its place with both values.
func TestValues(t *testing.T) {
	unit, read, err := resolve.Read(configurationOf("k.cl", valued))
	if err != nil {
		t.Fatal(err)
	}
	if r := Check(unit, read); r.Constants != 5 || r.Conditions != 1 || len(r.Differences) > 0 {
		t.Errorf("%+v", r)
	}
	for i := range unit.Constants {
		if unit.Constants[i].Value == 9 {
			unit.Constants[i].Value = 10
		}
	}
	const want = "k.cl:6:8: error[READINGS]: two parsers read this differently\n\t" +
		"read here: (C + 1) = 10\n\tcc reads: (C + 1) = 9"
	if r := Check(unit, read); r.Differences.Error() != want {
		t.Errorf("%v, want\n%s", r.Differences, want)
	}
	conditions := read.Tokens.Conditions
	for i := range conditions {
		conditions[i].Value.Int++
	}
	r := &Result{}
	if r.conditions(conditions); len(r.Differences) != 1 || r.Differences[0].Pos.Line != 3 {
		t.Errorf("%v", r.Differences)
	}
}

// TestBounds: what hangs or breaks cc never reaches it, or is told as unreadable.
func TestBounds(t *testing.T) {
	deep := func(n int) string {
		return "__kernel void f(__global int *p) { p[0] = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + "; }"
	}
	bomb := "#define a x x x x x x x x\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		bomb += "#define " + string(c) + " " + strings.Repeat(p+" ", 8) + "\n"
	}
	for name, text := range map[string]string{
		"deep": deep(900), "deeper": deep(50_000), "bomb": bomb + "int j;", "pragma": "_Pragma(\"\")\n" + deep(1),
		"open": "__kernel void f(__global int *", "assembly": "__kernel void f(void) { asm(\"nop\" ::); }",
		"raw": "#if 0\nit's\n#endif\n" + deep(1), "end": deep(1) + "\n#pragma unroll",
		"type": "__kernel void f(__global int *p) { unknown *q = 0; p[0] = 1; }",
	} {
		if r := checked("k.cl", text); r != nil && len(r.Differences) > 0 {
			t.Errorf("%s: %v", name, r.Differences)
		}
	}
}
