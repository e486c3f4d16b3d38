package cxxoracle

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed standin.h
var standin string

var (
	checkFlags = []string{"-w", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics"}
	buildFlags = []string{"-w", "-fsanitize=undefined", "-fsanitize-trap=undefined"}
)

// standard is the language of programs: C++17, or C++20 where the first says so.
func standard(list []Program) string {
	if strings.Contains(list[0].Text, "// C++20") {
		return "-std=c++20"
	}
	return "-std=c++17"
}

// compile returns what clang++ computes for each program; programs that it rejects have no values. All are one
// translation unit: together is for programs whose names differ.
func compile(clang, dir string, list []Program) ([]Values, error) {
	rejected, err := mistakes(clang, dir, list)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString("#include \"standin.h\"\n")
	for i := range list {
		if rejected[i] == nil {
			fmt.Fprintf(&text, "%s\n", list[i].Text)
		}
	}
	text.WriteString("#undef main\nint main() {\n")
	for i := range list {
		if rejected[i] == nil {
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
	build := exec.Command(clang, append(buildFlags, standard(list), "-o", exe, file)...)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %.2000s", list[0].Name(), out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: undefined behaviour in it or a later one: %v", list[0].Name(), err)
	}
	lines := strings.Split(string(out), "\n")
	values := make([]Values, len(list))
	for i := range list {
		if rejected[i] != nil {
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

// mistakes are the lines of programs, from 0, in which clang++ reports an error; -1 for one in a header.
func mistakes(clang, dir string, list []Program) (map[int][]int, error) {
	var text strings.Builder
	text.WriteString("#include \"standin.h\"\n")
	var first []int // line of each program, from 1
	next := 2
	for i := range list {
		fmt.Fprintf(&text, "%s\n", list[i].Text)
		first = append(first, next)
		next += strings.Count(list[i].Text, "\n") + 1
	}
	if err := os.WriteFile(filepath.Join(dir, "standin.h"), []byte(standin), 0o666); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "check.cpp")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		return nil, err
	}
	lines := map[int][]int{}
	out, err := exec.Command(clang, append(checkFlags, standard(list), file)...).CombinedOutput()
	switch {
	case err == nil:
		return lines, nil
	case len(list) == 1 && strings.Contains(string(out), "error: "): // perhaps in a header
		lines[0] = []int{-1}
	}
	for _, m := range errorLine.FindAllStringSubmatch(string(out), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 2 || n >= next {
			return nil, fmt.Errorf("%s", m[0])
		}
		i, found := slices.BinarySearch(first, n)
		if !found {
			i--
		}
		lines[i] = append(lines[i], n-first[i])
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: %.2000s", list[0].Name(), out)
	}
	return lines, nil
}

// wholeLine is a declaration or statement on one line.
var wholeLine = regexp.MustCompile(`(;|; \}|\{\})$`)

// withoutMistakes removes the lines that clang++ rejects from programs whose declarations and statements have one each.
// It leaves a program rejected if an error is where a block begins or ends.
func withoutMistakes(clang, dir string, list []Program) ([]Program, error) {
	list = slices.Clone(list)
	for {
		wrong, err := mistakes(clang, dir, list)
		if err != nil {
			return nil, err
		}
		removed := false
		for i, numbers := range wrong {
			lines := strings.Split(list[i].Text, "\n")
			for _, n := range numbers {
				if n >= 0 && wholeLine.MatchString(lines[n]) {
					lines[n], removed = "", true
				}
			}
			list[i].Text = strings.Join(lines, "\n")
		}
		if !removed {
			return list, nil
		}
	}
}
