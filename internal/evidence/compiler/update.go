package main

import (
	"errors"
	"fmt"
	"path/filepath"
)

// truthFolder is where tables are written: commands and tests run in the package's folder or that of the module.
func truthFolder(root string) string { return filepath.Join(root, "testdata", "truth") }

// update makes the tables of a set anew.
func update(root, set string, all []Source) error {
	var list []Source
	for _, s := range all {
		if s.Set == set {
			list = append(list, s)
		}
	}
	if set == "loops" {
		return updateLoops(root, list)
	}
	if set == "amd" {
		if err := findClang(); err != nil {
			return err
		}
		out, err := compileAll(list, []string{"gfx90a", "gfx1030"}, (*job).assembly)
		comments := []string{fmt.Sprintf("clang 14 %v -target amdgcn-amd-amdhsa; registers of a lane (AGPRs included) and "+
			"of a wavefront, bytes of private memory, spills: bytes of the accesses of private memory at constant offsets in code that spills", amdFlags),
			"Written by: go run ./compiler --update amd"}
		return errors.Join(err, truthTable(comments, out).write(truthFolder(root), "amd-clang-14.tsv"))
	}
	archs := []string{"sm_80", "sm_90"}
	if set == "h100" || set == "conv" {
		archs = []string{"sm_90"}
	}
	if err := findNVCC(); err != nil {
		return err
	}
	out, err := compileAll(list, archs, func(j *job, arch string) (map[string]Truth, error) {
		said, _, err := j.machineCode(arch)
		return said, err
	})
	comments := []string{fmt.Sprintf("nvcc %s %v; what ptxas -v says and the instructions of cuobjdump -sass",
		nvccRelease, nvccFlags), "Written by: go run ./compiler --update " + set}
	return errors.Join(err, truthTable(comments, out).write(truthFolder(root), set+"-nvcc-11.8.tsv"))
}
