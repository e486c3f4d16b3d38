package cxxoracle

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

//go:embed standin.h
var standin string

var (
	checkFlags = []string{"-std=c++17", "-w", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics"}
	buildFlags = []string{"-std=c++17", "-w", "-fsanitize=undefined", "-fsanitize-trap=undefined"}
)

// compile returns what clang++ computes for each program; programs that it rejects have no values. All are one
// translation unit: together is for programs whose names differ.
func compile(clang, dir string, list []Program) ([]Values, error) {
	header := filepath.Join(dir, "standin.h")
	if err := os.WriteFile(header, []byte(standin), 0o666); err != nil {
		return nil, err
	}
	rejected, err := reject(clang, dir, list)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString("#include \"standin.h\"\n")
	for i := range list {
		if !rejected[i] {
			fmt.Fprintf(&text, "%s\n", list[i].Text)
		}
	}
	text.WriteString("#undef main\nint main() {\n")
	for i := range list {
		if !rejected[i] {
			fmt.Fprintf(&text, "\tfor (threadIdx.x = 0; threadIdx.x < %d; ++threadIdx.x) {\n\t\tint out[%d] = {};\n"+
				"\t\t(%s)(out);\n\t\tfor (int word : out) printf(\"%%d \", word);\n\t}\n\tprintf(\"\\n\");\n",
				Items, Words, list[i].launch())
		}
	}
	text.WriteString("}\n")
	file, exe := filepath.Join(dir, "run.cpp"), filepath.Join(dir, "run")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.Command(clang, append(buildFlags, "-o", exe, file)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %.2000s", list[0].Name(), out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: undefined behaviour in it or a later one: %v", list[0].Name(), err)
	}
	lines := strings.Split(string(out), "\n")
	values := make([]Values, len(list))
	for i := range list {
		if rejected[i] {
			continue
		}
		numbers := strings.Fields(lines[0])
		lines = lines[1:]
		var v [Items][Words]int32
		for n := range Items * Words {
			x, err := strconv.Atoi(numbers[n])
			if err != nil {
				return nil, err
			}
			v[n/Words][n%Words] = int32(x)
		}
		values[i] = valuesOf(v)
	}
	return values, nil
}

var errorLine = regexp.MustCompile(`(?m)^\S*check\.cpp:(\d+):\d+: (?:fatal )?error: (.*)$`)

// reject says which programs clang++ rejects: those in whose lines it reports an error.
func reject(clang, dir string, list []Program) (map[int]bool, error) {
	var text strings.Builder
	text.WriteString("#include \"standin.h\"\n")
	owner := []int{-1, -1} // by line, from 1
	for i := range list {
		fmt.Fprintf(&text, "%s\n", list[i].Text)
		for range strings.Count(list[i].Text, "\n") + 1 {
			owner = append(owner, i)
		}
	}
	file := filepath.Join(dir, "check.cpp")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		return nil, err
	}
	rejected := map[int]bool{}
	out, err := exec.Command(clang, append(checkFlags, file)...).CombinedOutput()
	switch {
	case err == nil:
		return rejected, nil
	case len(list) == 1 && strings.Contains(string(out), "error: "): // perhaps in a header
		rejected[0] = true
		return rejected, nil
	}
	for _, m := range errorLine.FindAllStringSubmatch(string(out), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n >= len(owner) || owner[n] < 0 {
			return nil, fmt.Errorf("%s", m[0])
		}
		rejected[owner[n]] = true
	}
	if len(rejected) == 0 {
		return nil, fmt.Errorf("%s: %.2000s", list[0].Name(), out)
	}
	return rejected, nil
}
