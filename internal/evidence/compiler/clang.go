package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// clangRelease is the release whose decisions are recorded: Debian's package clang.
const clangRelease = "14."

// findClang says what is missing.
func findClang() error {
	out, err := exec.Command("clang", "-dumpversion").Output()
	if err != nil {
		return errors.New("clang is not installed (Debian: clang, libclang-common-14-dev)")
	}
	if !strings.HasPrefix(string(out), clangRelease) {
		return fmt.Errorf("the tables are clang %s's, this is clang %s", clangRelease, out)
	}
	return nil
}

// llvm compiles a file of CUDA to LLVM's text, optimised.
func llvm(file string, args ...string) (map[string]*flow, error) {
	dir, err := os.MkdirTemp("", "compiler")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "k.ll")
	args = append(append([]string{"-O3", "-w", "-S", "-emit-llvm", "--cuda-device-only", "-o", to}, args...),
		filepath.Join("testdata", file))
	if _, err := output(exec.Command("clang", args...)); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(to)
	if err != nil {
		return nil, err
	}
	return parseIR(string(text)), nil
}

// updateLoops makes the table of unrolling anew. CUDA_PATH is where clang finds CUDA's headers and libdevice.
func updateLoops(root string, list []Source) error {
	if err := errors.Join(findNVCC(), findClang()); err != nil {
		return err
	}
	t := &table{comments: []string{fmt.Sprintf("Copies of a loop's body in an iteration of the code, 'whole' where no "+
		"loop is left, by nvcc %s %v -arch=sm_80 (PTX and machine code)", nvccRelease, nvccFlags),
		"and clang 14 -O3 for sm_80 and gfx90a (LLVM's text, optimised). '-': the code does not show it, or the " +
			"functions that are called are not the library's.",
		"Written by: CUDA_PATH=... go run ./compiler --update loops"},
		columns: []string{"name", "line", "mark", "nvcc_ptx", "nvcc_sass", "clang_nvptx", "clang_amdgcn"}}
	all := jobs(list)
	for i := range all {
		j := &all[i]
		intermediate, err := j.ptx("sm_80")
		if err != nil {
			return err
		}
		_, machine, err := j.machineCode("sm_80")
		if err != nil {
			return err
		}
		nvptx, err := llvm(j.file, "-x", "cuda", "--cuda-path="+os.Getenv("CUDA_PATH"), "--cuda-gpu-arch=sm_80")
		if err != nil {
			return err
		}
		amdgcn, err := llvm(j.file, "-x", "hip", "--offload-arch=gfx90a", "-nogpulib", "-nogpuinc")
		if err != nil {
			return err
		}
		for s := range j.sources {
			s := &j.sources[s]
			marks, name := marksOf(s), s.Symbol()
			columns := [][]int{intermediate[name].decisions(marks, countPTX), machine[name].decisions(marks, countSASS),
				nvptx[name].decisions(marks, countIR), amdgcn[name].decisions(marks, countIR)}
			for m, k := range marks {
				row := []string{s.Name, fmt.Sprint(k.line), k.what}
				for c := range columns {
					n := columns[c][m]
					if c == 3 && foreign(s.Name) {
						n = unknown
					}
					row = append(row, copiesText(n))
				}
				t.rows = append(t.rows, row)
			}
		}
	}
	return t.write(truthFolder(root), "unroll.tsv")
}

// foreign reports whether clang for AMD sees stand-ins of functions that its library would have.
func foreign(name string) bool {
	return strings.HasPrefix(name, "call_") || strings.HasPrefix(name, "shuffle") || strings.HasPrefix(name, "atomic")
}
