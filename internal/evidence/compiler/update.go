package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// truthFolder is where tables are written: commands and tests run in the package's folder or that of the module.
func truthFolder(root string) string { return filepath.Join(root, "testdata", "truth") }

// update makes the table of a set anew, or the rows of some of its kernels.
func update(root, set, only string, all []Source) error {
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
		comments := []string{fmt.Sprintf("clang 14 %v -target amdgcn-amd-amdhsa; registers of a lane (AGPRs included) "+
			"and of a wavefront, bytes of private memory, spills: bytes of the accesses of private memory at constant "+
			"offsets in code that spills", amdFlags),
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
	kept, err := keptRows(set+"-nvcc-11.8.tsv", only, list)
	if err != nil {
		return err
	}
	some := slices.DeleteFunc(slices.Clone(list), func(s Source) bool { return !strings.Contains(s.Name, only) })
	out, err := compileAll(some, archs, func(j *job, arch string) (map[string]Truth, error) {
		said, _, err := j.machineCode(arch)
		return said, err
	})
	comments := []string{fmt.Sprintf("nvcc %s %v; what ptxas -v says and the instructions of cuobjdump -sass",
		nvccRelease, nvccFlags), "Written by: go run ./compiler --update " + set}
	table := truthTable(comments, inOrder(append(out, kept...), list))
	return errors.Join(err, table.write(truthFolder(root), set+"-nvcc-11.8.tsv"))
}

// keptRows are the rows of a table whose kernels are still in the list and are not made anew.
func keptRows(file, only string, list []Source) ([]Truth, error) {
	if only == "" {
		return nil, nil
	}
	all, err := readTruth(file)
	return slices.DeleteFunc(all, func(u Truth) bool {
		return strings.Contains(u.Name, only) ||
			!slices.ContainsFunc(list, func(s Source) bool { return s.Name == u.Name })
	}), err
}

// inOrder sorts rows as the kernels are listed.
func inOrder(rows []Truth, list []Source) []Truth {
	at := map[string]int{}
	for i, s := range list {
		at[s.Name] = i
	}
	slices.SortStableFunc(rows, func(a, b Truth) int {
		return cmp.Or(cmp.Compare(at[a.Name], at[b.Name]), cmp.Compare(a.Arch, b.Arch))
	})
	return rows
}
