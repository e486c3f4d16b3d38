package fidelity

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// libclc is clang 14's OpenCL library for PTX as Debian's package libclc-14
// installs it.
const libclc = "/usr/lib/clc/nvptx64--nvidiacl.bc"

// missingClang says which part of the compiler that the tables were made with is
// missing.
func missingClang() error {
	out, err := exec.Command("clang", "-dumpversion").Output()
	if err != nil {
		return errors.New("clang is not installed (Debian: clang, libclang-common-14-dev, libclc-14)")
	}
	if v := strings.TrimSpace(string(out)); !strings.HasPrefix(v, "14.") {
		return fmt.Errorf("the tables are clang 14's, this is clang %s", v)
	}
	if _, err := os.Stat(libclc); err != nil {
		return fmt.Errorf("%s is not installed (Debian: libclc-14)", libclc)
	}
	return nil
}

// oneArgument and twoArguments are the functions that stay calls, by the names
// of OpenCL C 1.2, 6.12.2; native_ and half_ come in addition.
var (
	oneArgument = strings.Fields("acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt cos cosh cospi erf erfc " +
		"exp exp2 exp10 expm1 lgamma log log2 log10 log1p rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma")
	twoArguments = strings.Fields("atan2 atan2pi fmod hypot pow powr remainder")
	variants1    = strings.Fields("cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan")
	variants2    = strings.Fields("divide powr")
)

// specialPrefix marks those calls.
const specialPrefix = "idgen_special_"

// openCLHeader makes the special functions calls of functions without effects,
// one for each component.
func openCLHeader() string {
	var b strings.Builder
	b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	function := func(name string, args int) {
		f := specialPrefix + name
		list := func(format, sep string) string {
			var parts []string
			for _, a := range "ab"[:args] {
				parts = append(parts, strings.ReplaceAll(format, "%", string(a)))
			}
			return strings.Join(parts, sep)
		}
		for _, t := range []string{"float", "double"} {
			fmt.Fprintf(&b, "%s __attribute__((overloadable, const)) %s(%s);\n", t, f, list(t+" %", ", "))
			for _, n := range []int{2, 4, 8, 16} {
				v := fmt.Sprintf("%s%d", t, n)
				// A vector's halves, down to its components.
				fmt.Fprintf(&b, "static inline %s __attribute__((overloadable, const)) %s(%s) { return (%s)(%s(%s), "+
					"%s(%s)); }\n",
					v, f, list(v+" %", ", "), v, f, list("%.lo", ", "), f, list("%.hi", ", "))
			}
			v := t + "3"
			fmt.Fprintf(&b, "static inline %s __attribute__((overloadable, const)) %s(%s) { return (%s)(%s(%s), "+
				"%s(%s)); }\n",
				v, f, list(v+" %", ", "), v, f, list("%.xy", ", "), f, list("%.z", ", "))
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, f)
	}
	for _, name := range oneArgument {
		function(name, 1)
	}
	for _, name := range twoArguments {
		function(name, 2)
	}
	for _, kind := range []string{"native_", "half_"} {
		for _, name := range variants1 {
			function(kind+name, 1)
		}
		for _, name := range variants2 {
			function(kind+name, 2)
		}
	}
	return b.String()
}

// inlineAll makes clang inline as GPU compilers do: everything.
const inlineAll = "-inline-threshold=1000000"

// compile returns the PTX of an OpenCL source that begins with a header.
func compile(s source, header string, flags ...string) (string, error) {
	dir, err := os.MkdirTemp("", "fidelity")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	first := filepath.Join(dir, "header.h")
	args := append([]string{"-S", "-o", "-", "-w", "-O3", "-ffp-contract=fast", "-mllvm", inlineAll, "-include",
		first}, flags...)
	args = append(args, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-target",
		"nvptx64--nvidiacl",
		"-Xclang", "-mlink-builtin-bitcode", "-Xclang", libclc)
	if err := os.WriteFile(first, []byte(header), 0o600); err != nil {
		return "", err
	}
	for _, d := range s.defines {
		args = append(args, "-D"+d)
	}
	args = append(args, "-")
	cmd := exec.Command("clang", args...)
	cmd.Stdin = strings.NewReader(s.text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		for _, line := range strings.Split(stderr.String(), "\n") {
			if strings.Contains(line, "error: ") {
				return "", fmt.Errorf("clang: %s", line)
			}
		}
		return "", fmt.Errorf("clang: %w", err)
	}
	return string(out), nil
}
