package kernels_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

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

// defineFlags returns the -D flags of a kernel's own macros.
func defineFlags(k kernels.Kernel) []string {
	var flags []string
	for _, d := range k.Defines {
		flags = append(flags, "-D"+d)
	}
	return flags
}

// TestKernelsCompile compiles every kernel with a real compiler, as it stands and
// with its defines, against the compiler's own header: no warning is allowed.
func TestKernelsCompile(t *testing.T) {
	clangPath(t)
	for _, k := range kernels.List() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			ptx := compilePTX(t, k.File, read(t, k.File), false, append(defineFlags(k), "-O2")...)
			if ins := parsePTX(t, ptx, k.Function).count([]int{0}); ins[""] == 0 {
				t.Error("the kernel is empty")
			}
		})
	}
}

// TestMacrosCanBeChanged compiles kernels with other sizes than the default.
func TestMacrosCanBeChanged(t *testing.T) {
	clangPath(t)
	for _, tt := range []struct{ name, defines string }{
		{"mmul", "BLOCK_SIZE=8"},
		{"mmul", "BLOCK_SIZE=32 WIDTH=512"},
		{"mmul-cuda", "BLOCK_SIZE=8"},
		{"vadd-cuda", "LENGTH=1000"},
		{"mix", "BETA=1 REPEAT=16"},
		{"mix-local", "ALPHA=0 OTHERS=4 REPEAT=2 ITEMS=32768"},
		{"barrier", "LOCAL_SIZE=64 N=16"},
		{"add-4", "N=32"},
		{"local-read", "STRIDE=2"},
		{"global-read", "N=8 ITEMS=65536"},
		{"transpose-tiled", "PAD=1 TILE=16 ROWS=16 WIDTH=256 HEIGHT=512"},
		{"reduction", "LOCAL_SIZE=64 LENGTH=4096"},
		{"convolution", "RADIUS=4 TILE=32"},
		{"stencil", "WIDTH=100 HEIGHT=50"},
		{"nbody", "UNROLL=1 LOCAL_SIZE=64"},
	} {
		t.Run(tt.name+"/"+tt.defines, func(t *testing.T) {
			t.Parallel()
			k, err := kernels.Lookup(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			// A macro without #ifndef would be defined twice, which -Werror forbids.
			flags := []string{"-O1"}
			for _, d := range strings.Fields(tt.defines) {
				flags = append(flags, "-D"+d)
			}
			compilePTX(t, k.File, read(t, k.File), false, flags...)
		})
	}
}

// TestLaunchesAreValid lets the compiler evaluate every launch directive, with all
// macros of the file defined: sizes are positive, a group is whole warps of 32
// and at most 1024 work items, and there are enough work items to fill a GPU.
func TestLaunchesAreValid(t *testing.T) {
	clangPath(t)
	const enough = 32768 // work items: 16 compute units with 64 warps of 32 lanes
	for _, k := range kernels.List() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			launch := map[string]string{}
			for _, field := range strings.Fields(k.Launch) {
				key, value, _ := strings.Cut(field, "=")
				launch[key] = value
			}
			product := func(key string) string {
				return "(" + strings.Join(strings.Split(launch[key], ","), ")*(") + ")"
			}
			var asserts strings.Builder
			assert := func(condition string) {
				fmt.Fprintf(&asserts, "_Static_assert(%s, \"%s\");\n", condition, condition)
			}
			for _, key := range []string{"local", "global", "groups", "dynamic-local"} {
				for _, value := range strings.Split(launch[key], ",") {
					if value != "" {
						assert("(" + value + ") > 0")
					}
				}
			}
			assert(product("local") + " <= 1024")
			assert(product("local") + " % 32 == 0")
			if _, ok := launch["global"]; ok {
				assert(product("global") + fmt.Sprintf(" >= %d", enough))
				locals, globals := strings.Split(launch["local"], ","), strings.Split(launch["global"], ",")
				if len(locals) != len(globals) {
					t.Fatalf("local has %d dimensions, global %d", len(locals), len(globals))
				}
				for i := range locals {
					assert(fmt.Sprintf("(%s) %% (%s) == 0", globals[i], locals[i]))
				}
			} else {
				assert(product("groups") + "*" + product("local") + fmt.Sprintf(" >= %d", enough))
			}
			for key, value := range launch {
				if strings.HasPrefix(key, "arg.") {
					assert("(int)(" + value + ") >= 0")
				}
			}
			compilePTX(t, k.File, read(t, k.File)+asserts.String(), false,
				append(defineFlags(k), "-fsyntax-only", "-Wno-unused-command-line-argument",
					"-Wno-c++17-extensions")...)
		})
	}
}

// TestCompiledCounts compares what an optimising compiler leaves of a kernel with
// what the kernel's header promises.
func TestCompiledCounts(t *testing.T) {
	clangPath(t)
	const n = 16
	for _, tt := range []struct {
		name    string
		defines string
		want    map[string]int // by the beginning of the op
		loops   int
	}{
		// L4, independent-madd: N multiply-adds, no loop.
		{"independent-madd", "", map[string]int{"fma.rn.f32": n, "add.s32": 0, "setp": 0, "bra": 0}, 0},
		{"madd-dependent", "", map[string]int{"fma.rn.f32": n, "bra": 0}, 0},
		{"madd-2", "", map[string]int{"fma.rn.f32": 2 * n, "bra": 0}, 0},
		{"madd-4", "", map[string]int{"fma.rn.f32": 4 * n, "bra": 0}, 0},
		{"add-dependent", "", map[string]int{"add.rn.f32": n, "bra": 0}, 0},
		{"add-2", "", map[string]int{"add.rn.f32": 2 * n, "bra": 0}, 0},
		{"add-4", "", map[string]int{"add.rn.f32": 4 * n, "bra": 0}, 0},
		// One multiply-add more is the work item's number.
		{"int-add-dependent", "", map[string]int{"add.s32": n, "mad.lo.s32": 1, "mul.lo.s32": 0}, 0},
		{"int-add-2", "", map[string]int{"add.s32": 2 * n, "mad.lo.s32": 1, "mul.lo.s32": 1}, 0},
		{"imad-dependent", "", map[string]int{"mad.lo.s32": n + 1}, 0},
		{"imad-2", "", map[string]int{"mad.lo.s32": 2*n + 1}, 0},
		{"div-dependent", "", map[string]int{"div.": n, "mul.rn.f32": 0}, 0},
		{"div-2", "", map[string]int{"div.": 2 * n}, 0},
		{"double-add-dependent", "", map[string]int{"add.rn.f64": n}, 0},
		{"double-add-2", "", map[string]int{"add.rn.f64": 2 * n}, 0},
		{"double-mul-dependent", "", map[string]int{"mul.rn.f64": n}, 0},
		{"cos-dependent", "", map[string]int{"call": n}, 0},
		{"cos-2", "", map[string]int{"call": 2 * n}, 0},
		{"loop-overhead", "", map[string]int{"add.rn.f32": 1, "setp": 1, "bra": 2}, 1},
		{"global-read", "", map[string]int{"ld.global": n, "add.rn.f32": n}, 0},
		{"global-read-dependent", "", map[string]int{"ld.global": n}, 0},
		{"local-read", "", map[string]int{"ld.shared": n, "add.rn.f32": n}, 1},
		{"local-read-dependent", "", map[string]int{"ld.shared": n}, 1},
		// A Eq. 43-45: BETA additions and one cosine, REPEAT times.
		{"mix", "BETA=3 REPEAT=4", map[string]int{"add.rn.f32": 12, "call": 4}, 0},
		// V16 4.1, 4.7: ALPHA additions and OTHERS other instructions, REPEAT times.
		{"mix-global", "ALPHA=3 OTHERS=2 REPEAT=4", map[string]int{"add.rn.f32": 12, "ld.global": 8}, 0},
		{"mix-special", "ALPHA=3 OTHERS=2 REPEAT=4", map[string]int{"add.rn.f32": 12, "call": 8}, 0},
		{"mix-local", "ALPHA=3 OTHERS=2 REPEAT=4", map[string]int{"add.rn.f32": 12, "ld.shared": 8}, 0},
		{"barrier", "", map[string]int{"add.rn.f32": n, "bar.": n}, 0},
		// P19 Listing 1: per iteration of the only loop.
		{"mmul", "BLOCK_SIZE=8", map[string]int{"ld.global": 2, "st.shared": 2, "bar.": 2, "ld.shared": 16,
			"fma": 8}, 1},
		{"mmul", "BLOCK_SIZE=16", map[string]int{"ld.global": 2, "st.shared": 2, "bar.": 2, "ld.shared": 32,
			"fma": 16}, 1},
		{"mmul-cuda", "BLOCK_SIZE=8", map[string]int{"ld.global": 2, "st.shared": 2, "bar.": 2, "ld.shared": 16,
			"fma": 8}, 1},
		{"transpose-naive", "", map[string]int{"ld.global": 1, "st.global": 1, "bra": 0}, 0},
		{"transpose-tiled", "", map[string]int{"ld.global": 4, "st.shared": 4, "ld.shared": 4, "st.global": 4,
			"bar.": 1}, 0},
		{"fig1", "", map[string]int{"ld.global": 2, "fma.rn.f32": 1, "st.global": 1, "bra": 0}, 0},
		{"vadd", "", map[string]int{"ld.global": 2, "add.rn.f32": 1, "st.global": 1, "bra": 0}, 0},
		{"vadd-cuda", "", map[string]int{"ld.global": 2, "add.f32": 1, "st.global": 1}, 0},
		{"permute", "", map[string]int{"ld.global": 2, "st.global": 1}, 0},
		{"vabs", "", map[string]int{"ld.global": 1, "setp": 1, "st.global": 1}, 0},
	} {
		t.Run(tt.name+"/"+tt.defines, func(t *testing.T) {
			t.Parallel()
			k, err := kernels.Lookup(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			flags := []string{"-O2", fmt.Sprintf("-DN=%d", n)}
			for _, d := range strings.Fields(tt.defines) {
				flags = append(flags, "-D"+d)
			}
			ptx := parsePTX(t, compilePTX(t, k.File, read(t, k.File), true, flags...), k.Function)
			for op, want := range tt.want {
				if got := ptx.countOp(op); got != want {
					t.Errorf("%d %s, want %d", got, op, want)
				}
			}
			if got := len(ptx.loops(ptx.all())); got != tt.loops {
				t.Errorf("%d loops, want %d", got, tt.loops)
			}
		})
	}
}
