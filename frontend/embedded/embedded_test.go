package embedded

import (
	"strings"
	"testing"
)

// TestSource: programs with source in strings, and what is found in them, less the blanks.
func TestSource(t *testing.T) {
	const kernel = "__kernel void k(__global float *a) { a[0] = 1; }"
	for _, c := range []struct{ title, name, text, want string }{
		{"no program", "k.cl", kernel, ""},
		{"kernel and strings", "k.cl", kernel + "\n__constant char s[] = \"__kernel\";", ""},
		{"commented kernel", "k.c", "// __kernel\nint main() { return 0; }", ""},
		{"raw", "k.opencl", "// c\nR\"(\n#define N 4\n" + kernel + "\n)\"\n", "#define N 4\n" + kernel},
		{"raw without a kernel", "common.opencl", "R\"(\ntypedef float real;\n)\"\nR\"(\n#define N 4\n)\"\n",
			"typedef float real;\n#define N 4"},
		{"raw with a delimiter", "k.cpp", "const char *s = R\"CL(\n" + kernel + " // )\"\n)CL\";\n" +
			"int f() { return 1'000; }", kernel + " // )\""},
		{"stringified", "k.cl", "MSTRINGIFY(\n\\n#define N 4\n\\n\n" + kernel + "\n// it's (\n)\n",
			"#define N 4\n" + kernel + "\n// it's ("},
		{"macro of its own", "k.h", "#define Q(...) #__VA_ARGS__\nconst char *s = Q(\n" + kernel + "\n);", kernel},
		{"macro of another file", "k.cpp",
			"string s() { return R( " + kernel + "\n)+R( inline float f() { return 1; }\n); }",
			kernel + "\ninline float f() { return 1; }"},
		{"macro that is none of strings", "k.cl", "#define KEEP(x) x\nKEEP(" + kernel + ")\n", ""},
		{"pieces", "k.c", "char *s = \"\\n\" \\\n\"__kernel void k(int n) {  \\n\" // the kernel\n" +
			"\"  printf(\\\"%d\\\\n\\\", n); }\";\nint main() { puts(\"typed\"); }",
			"__kernel void k(int n) {\nprintf( \"%d \\n \", n); }"},
		{"Python", "k.py", "'''It's a typedef'd kernel'''\n# __kernel\ns = \"\"\"\n" + kernel + "\n\"\"\"\n", kernel},
		{"cut short", "k.cpp", "s = R\"(" + kernel, kernel},
		{"quote in a comment", "k.cl", "/* \"*/ " + kernel, ""},
	} {
		got, from, found := Source(c.name, c.text)
		if !found {
			if c.want != "" || got != c.text {
				t.Errorf("%s: nothing found", c.title)
			}
			continue
		}
		if len(got) != len(c.text) || strings.Count(got, "\n") != strings.Count(c.text, "\n") {
			t.Errorf("%s: positions changed:\n%s", c.title, got)
		}
		if strings.TrimSpace(got[:from]) != "" {
			t.Errorf("%s: source before byte %d", c.title, from)
		}
		var lines []string
		for line := range strings.Lines(got) {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				lines = append(lines, line)
			}
		}
		if have := strings.Join(lines, "\n"); have != strings.Join(strings.Split(c.want, "\n"), "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", c.title, have, c.want)
		}
	}
}

// FuzzSource: any text keeps its length and lines.
func FuzzSource(f *testing.F) {
	f.Add("k.py", "'''__kernel")
	f.Add("k.c", "\"__kernel\" \\\n \"x\\\"")
	f.Add("k.cpp", "R\"(__kernel void f)\" R(kernel void (")
	f.Fuzz(func(t *testing.T, name, text string) {
		got, from, found := Source(name, text)
		if len(got) != len(text) || strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Fatalf("positions changed: %q", got)
		}
		if found && (from < 0 || from > len(text)) {
			t.Fatalf("source from byte %d", from)
		}
	})
}
