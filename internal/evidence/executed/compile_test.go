package executed

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// toolchain are the programs that compile and execute kernels.
type toolchain struct{ clang, opt, oclgrind string }

func findTools(t *testing.T) toolchain {
	t.Helper()
	tc := toolchain{
		clang:    tools.Path(t, "clang", "clang, libclang-common-14-dev"),
		opt:      tools.Path(t, "opt", "llvm"),
		oclgrind: tools.Path(t, "oclgrind-kernel", "oclgrind"),
	}
	out, err := exec.Command(tc.clang, "-dumpversion").Output()
	if v := strings.TrimSpace(string(out)); err != nil || !strings.HasPrefix(v, "14.") {
		tools.Missing(t, "oclgrind reads the code of clang 14, this is clang %q", v)
	}
	return tc
}

// pipelines are the passes of clang's levels, without those that make vectors: work items of GPUs
// have none. What LLVM makes of loops that copy or clear would be calls of unknown size.
var pipelines = map[level][]string{
	O0: {"-passes=default<O0>"},
	O2: {"-passes=default<O2>", "-vectorize-slp=0", "-vectorize-loops=0", "-disable-loop-idiom-all"},
}

// Of the layouts of data for spir64 and for nvptx64 only the latter says which integers the machine
// has. Without, LLVM makes integers of 2 bits, which oclgrind does not compute with.
const integers, spirLayout = "-n16:32:64",
	`target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024`

// compile writes the bitcode of a kernel's source at a level, in which every vector operation
// but loads, stores and calls is one for each component.
func (tc toolchain) compile(dir string, s *source, l level) (bitcode string, err error) {
	args := []string{"-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown", "-Xclang",
		"-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins",
		"-w", l.String(), "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes", "-S",
		"-emit-llvm", "-o", "-"}
	for _, d := range s.defines {
		args = append(args, "-D"+d)
	}
	if s.dir != "" {
		args = append(args, "-I"+s.dir)
	}
	assembly, err := pipe(tc.clang, s.text, append(args, "-")...)
	if err != nil {
		return "", err
	}
	if !strings.Contains(assembly, spirLayout+`"`) {
		return "", errors.New("clang's layout of data for spir64 is another one")
	}
	assembly = strings.Replace(assembly, spirLayout, spirLayout+integers, 1)
	if assembly, err = pipe(tc.opt, assembly, append(pipelines[l], "-S", "-o", "-", "-")...); err != nil {
		return "", err
	}
	bitcode = filepath.Join(dir, "k.bc")
	_, err = pipe(tc.opt, nameCopies(assembly), "-passes=scalarizer", "-o", bitcode, "-")
	return bitcode, err
}

// pipe runs a program on a text and returns what it prints; an error is its first line with one.
func pipe(program, input string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C") // no separators between digits
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		for line := range strings.Lines(stderr.String()) {
			if strings.Contains(line, "error:") {
				return "", fmt.Errorf("%s: %s", filepath.Base(program), strings.TrimSpace(line))
			}
		}
		return "", fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	// of accesses outside of buffers
	if complaint := strings.Join(strings.Fields(stderr.String()), " "); complaint != "" {
		return "", fmt.Errorf("%s: %.200s", filepath.Base(program), complaint)
	}
	return string(out), nil
}

var memcpy = regexp.MustCompile(`call void @llvm\.memcpy\.p(\d)i8\.p(\d)i8\.i64\((.*), i64 (\d+), i1 false\)`)

// nameCopies gives copies of structures, which oclgrind counts by name alone, names that tell
// their spaces and size. What a private array is initialised from is in memory only for clang.
func nameCopies(assembly string) string {
	defined := map[string]string{}
	assembly = memcpy.ReplaceAllStringFunc(assembly, func(call string) string {
		m := memcpy.FindStringSubmatch(call)
		to, from, size := m[1], m[2], m[4]
		name := fmt.Sprintf("copied.%s.%s.%s", to, from, size)
		pointer := func(space string) string {
			if space == "0" {
				return "i8*"
			}
			return "i8 addrspace(" + space + ")*"
		}
		operands := strings.Split(m[3], "@__const.")
		if len(operands) > 1 {
			name += ".constant"
		}
		defined[name] = fmt.Sprintf("define internal void @%s(%s %%to, %s %%from) {\n"+
			"  call void @llvm.memcpy.p%si8.p%si8.i64(%s %%to, %s %%from, i64 %s, i1 false)\n  ret void\n}\n",
			name, pointer(to), pointer(from), to, from, pointer(to), pointer(from), size)
		return "call void @" + name + "(" + noundef.ReplaceAllString(m[3], "") + ")"
	})
	var b strings.Builder
	b.WriteString(assembly)
	for _, text := range sorted(defined) {
		b.WriteString("\n" + text)
	}
	return b.String()
}

// noundef are attributes of an argument that a copy has.
var noundef = regexp.MustCompile(`(noundef|nonnull|align \d+|dereferenceable\(\d+\)) `)
