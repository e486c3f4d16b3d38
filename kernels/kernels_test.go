package kernels_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/kernels"
)

// read returns the text of a built-in kernel's file.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := fs.ReadFile(kernels.FS(), file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// comment matches C comments, which the patterns below must not look into.
var comment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

// kernelWord matches every definition of a kernel, however it is laid out; the
// groups are its name and its parameters.
var kernelWord = regexp.MustCompile(`(?:\b__kernel|\bkernel|\b__global__)\b\s+void\s+(\w+)\s*\(([^)]*)\)`)

// definitions returns the parameters of each kernel that a file defines, by name.
func definitions(t *testing.T, file string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, m := range kernelWord.FindAllStringSubmatch(comment.ReplaceAllString(read(t, file), ""), -1) {
		found[m[1]] = m[2]
	}
	return found
}

// embeddedFiles returns the names of all files of FS.
func embeddedFiles(t *testing.T) []string {
	t.Helper()
	entries, err := fs.ReadDir(kernels.FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestFSHoldsEveryKernelFile(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".go" && !e.IsDir() {
			want = append(want, e.Name())
		}
	}
	if diff := cmp.Diff(want, embeddedFiles(t)); diff != "" {
		t.Errorf("files of the folder and of FS differ (-folder +FS):\n%s", diff)
	}
}

// TestListIsComplete checks the catalogue against the files in both directions.
func TestListIsComplete(t *testing.T) {
	listed := map[string][]string{} // plain functions by file
	for _, k := range kernels.List() {
		if _, ok := definitions(t, k.File)[k.Function]; !ok {
			t.Errorf("%s: %s does not define %s", k.Name, k.File, k.Function)
		}
		if len(k.Defines) == 0 {
			listed[k.File] = append(listed[k.File], k.Function)
		}
	}
	for _, file := range embeddedFiles(t) {
		defined := definitions(t, file)
		if len(defined) == 0 {
			t.Errorf("%s defines no kernel", file)
		}
		for function := range defined {
			if n := len(listed[file]) - len(slices.DeleteFunc(slices.Clone(listed[file]),
				func(f string) bool { return f == function })); n != 1 {
				t.Errorf("%s of %s is listed without defines %d times, want once", function, file, n)
			}
		}
	}
}

func TestNames(t *testing.T) {
	list := kernels.List()
	if !slices.IsSortedFunc(list, func(a, b kernels.Kernel) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("List is not sorted by name")
	}
	wellFormed := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	byName := map[string]kernels.Kernel{}
	for _, k := range list {
		if !wellFormed.MatchString(k.Name) {
			t.Errorf("%q is not words joined by dashes", k.Name)
		}
		if _, ok := byName[k.Name]; ok {
			t.Errorf("%s is listed twice", k.Name)
		}
		byName[k.Name] = k
	}
	for _, k := range list {
		if base, twin := strings.CutSuffix(k.Name, "-cuda"); twin {
			if k.Dialect != kernels.CUDA || byName[base].Dialect != kernels.OpenCL {
				t.Errorf("%s must be the CUDA twin of an OpenCL kernel %s", k.Name, base)
			}
		}
	}
}

func TestDialect(t *testing.T) {
	for _, k := range kernels.List() {
		want := map[string]string{".cl": "opencl", ".cu": "cuda"}[filepath.Ext(k.File)]
		if got := k.Dialect.String(); got != want {
			t.Errorf("%s: dialect %s, want %s", k.File, got, want)
		}
	}
	if got := kernels.Dialect(0).String(); got != "invalid" {
		t.Errorf("zero Dialect is %q, want invalid", got)
	}
}

// goldenNumbers are the published results that kernels may show; docs/reference/kernels.md
// says what they are.
var goldenNumbers = []int{1, 2, 4, 6, 9, 10, 11, 13, 14}

func TestHeaders(t *testing.T) {
	shown := map[int]bool{}
	for _, k := range kernels.List() {
		if !strings.HasSuffix(k.Summary, ".") || len(k.Summary) < 20 || len(k.Summary) > 110 {
			t.Errorf("%s: summary %q is not one short sentence", k.Name, k.Summary)
		}
		for _, n := range k.Golden {
			if !slices.Contains(goldenNumbers, n) {
				t.Errorf("%s: golden number %d is not explained", k.Name, n)
			}
			if k.Source == "" {
				t.Errorf("%s shows a published number without its source", k.Name)
			}
			shown[n] = true
		}
	}
	for _, n := range goldenNumbers {
		if !shown[n] {
			t.Errorf("no kernel shows golden number %d", n)
		}
	}
}

// TestDirectivesStandInHeaders finds directives that List would not show, and
// kernels without one.
func TestDirectivesStandInHeaders(t *testing.T) {
	line := regexp.MustCompile(`(?m)^// idgen:(.*)$`)
	for _, file := range embeddedFiles(t) {
		var inText, inList []string
		for _, m := range line.FindAllStringSubmatch(read(t, file), -1) {
			inText = append(inText, strings.Fields(m[1])...)
		}
		for _, k := range kernels.List() {
			if k.File == file && len(k.Defines) == 0 {
				inList = append(inList, strings.Fields(k.Launch)...)
				if k.Launch == "" {
					t.Errorf("%s: no directive for %s", file, k.Function)
				}
			}
		}
		slices.Sort(inText)
		slices.Sort(inList)
		if diff := cmp.Diff(inText, inList); diff != "" {
			t.Errorf("%s: directives of the text and of List differ (-text +list):\n%s", file, diff)
		}
	}
}

// TestDirectives holds every kernel's launch directive to the grammar of the
// package comment.
func TestDirectives(t *testing.T) {
	identifier := regexp.MustCompile(`\b[A-Za-z_]\w*`)
	number := regexp.MustCompile(`\b[0-9][\w.]*`)
	for _, k := range kernels.List() {
		t.Run(k.Name, func(t *testing.T) {
			text := read(t, k.File)
			parameters := definitions(t, k.File)[k.Function]
			seen := map[string]bool{}
			for _, field := range strings.Fields(k.Launch) {
				key, value, ok := strings.Cut(field, "=")
				if !ok || value == "" {
					t.Errorf("field %q is not KEY=VALUE", field)
				}
				if seen[key] {
					t.Errorf("%s is given twice", key)
				}
				seen[key] = true
				switch argument, isArgument := strings.CutPrefix(key, "arg."); {
				case isArgument:
					scalar := regexp.MustCompile(`(?:int|float|double) ` + argument + `\b`)
					if !scalar.MatchString(parameters) {
						t.Errorf("%s is not a scalar argument of %s(%s)", argument, k.Function, parameters)
					}
				case key == "reference":
					if !strings.Contains(text, "void "+value+"(") {
						t.Errorf("%s is not a kernel of %s", value, k.File)
					}
				case key == "dynamic-local":
					if !strings.Contains(text, "extern __shared__") {
						t.Errorf("%s without dynamic shared memory", key)
					}
				case key != "local" && key != "global" && key != "groups":
					t.Errorf("unknown key %q", key)
				}
				if key == "reference" {
					continue
				}
				for _, macro := range identifier.FindAllString(number.ReplaceAllString(value, ""), -1) {
					if !regexp.MustCompile(`(?m)^#define ` + macro + `\b`).MatchString(text) {
						t.Errorf("%s: macro %s is not defined in %s", field, macro, k.File)
					}
				}
			}
			if !seen["local"] || seen["global"] == seen["groups"] {
				t.Errorf("%q must have local and one of global and groups", k.Launch)
			}
			// An integer argument that sizes the data must be known; float
			// arguments only change values.
			for _, m := range regexp.MustCompile(`int (width|height|n|wA|wB|sources)\b`).
				FindAllStringSubmatch(parameters, -1) {
				if !seen["arg."+m[1]] {
					t.Errorf("no value for the size %s", m[1])
				}
			}
			for _, d := range k.Defines {
				macro, _, _ := strings.Cut(d, "=")
				if !strings.Contains(text, "#ifndef "+macro+"\n") {
					t.Errorf("-D%s: %s does not guard the macro", d, k.File)
				}
			}
		})
	}
}

func TestLookup(t *testing.T) {
	for _, want := range kernels.List() {
		got, err := kernels.Lookup(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Lookup(%q) differs from List (-list +lookup):\n%s", want.Name, diff)
		}
	}
}

func TestLookupDetails(t *testing.T) {
	for _, tt := range []struct {
		name string
		want kernels.Kernel
	}{
		{"mmul", kernels.Kernel{
			Name: "mmul", File: "mmul.cl", Function: "mmul", Dialect: kernels.OpenCL,
			Summary: "Matrix multiplication C = A * B through square tiles in local memory.",
			Source:  "P19 Listing 1 (mmul_08 and mmul_16: BLOCK_SIZE 8 and 16)",
			Golden:  []int{9},
			Launch: "local=BLOCK_SIZE,BLOCK_SIZE groups=WIDTH/BLOCK_SIZE,WIDTH/BLOCK_SIZE" +
				" arg.wA=WIDTH arg.wB=WIDTH",
		}},
		{"local-read-conflict", kernels.Kernel{
			Name: "local-read-conflict", File: "micro_local_read.cl", Function: "local_read",
			Dialect: kernels.OpenCL, Defines: []string{"STRIDE=32"},
			Summary: "N independent local-memory reads per work item, summed.",
			Source:  "A Table 5 (ld.local), V16 2.6 (banks)",
			Golden:  []int{13, 14},
			Launch:  "local=LOCAL_SIZE groups=1024",
		}},
		{"permute", kernels.Kernel{
			Name: "permute", File: "permute.cu", Function: "permute", Dialect: kernels.CUDA,
			Summary: "Permutation a[i] = b[c[i]]: a gathering read, coalesced or not as the contents of c say.",
			Source:  "V16 Listing 3.6",
			Launch:  "local=256 groups=(LENGTH+255)/256",
		}},
	} {
		got, err := kernels.Lookup(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Lookup(%q) (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"mmull", `no built-in kernel is called "mmull"; did you mean mmul?`},
		{"Add_Dependent", `no built-in kernel is called "Add_Dependent"; did you mean add-dependent ` +
			`or madd-dependent?`},
		{"convolve", `no built-in kernel is called "convolve"; did you mean convolution?`},
		{"fft", `no built-in kernel is called "fft"`},
		{"convolutoin", `no built-in kernel is called "convolutoin"; did you mean convolution?`},
		{"transpose", `no built-in kernel is called "transpose"; did you mean transpose-naive, ` +
			`transpose-padded or transpose-tiled?`},
		{"", `no built-in kernel is called ""`},
		{strings.Repeat("x", 50), `no built-in kernel is called "` + strings.Repeat("x", 50) + `"`},
	} {
		k, err := kernels.Lookup(tt.name)
		var unknown *kernels.UnknownNameError
		if !errors.As(err, &unknown) || unknown.Name != tt.name {
			t.Errorf("Lookup(%q) = %v, %v, want an UnknownNameError", tt.name, k, err)
			continue
		}
		if err.Error() != tt.want {
			t.Errorf("Lookup(%q):\n got %s\nwant %s", tt.name, err, tt.want)
		}
		for _, s := range unknown.Suggestions {
			if _, err := kernels.Lookup(s); err != nil {
				t.Errorf("suggestion %q: %v", s, err)
			}
		}
	}
}

// TestResultsBelongToTheCaller changes everything that List returned.
func TestResultsBelongToTheCaller(t *testing.T) {
	want := kernels.List()
	changed := kernels.List()
	for i := range changed {
		for j := range changed[i].Defines {
			changed[i].Defines[j] = "changed"
		}
		for j := range changed[i].Golden {
			changed[i].Golden[j] = -1
		}
		changed[i].Name = "changed"
	}
	if diff := cmp.Diff(want, kernels.List()); diff != "" {
		t.Errorf("a caller changed the catalogue:\n%s", diff)
	}
}
