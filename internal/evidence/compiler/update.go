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
	archs := []string{"sm_80", "sm_90"}
	if set == "h100" || set == "conv" {
		archs = []string{"sm_90"}
	}
	if err := findNVCC(); err != nil {
		return err
	}
	out, err := compileAll(list, archs)
	comments := []string{fmt.Sprintf("nvcc %s %v; what ptxas -v says and the instructions of cuobjdump -sass",
		nvccRelease, nvccFlags), "Written by: go run ./compiler --update " + set}
	return errors.Join(err, truthTable(comments, out).write(truthFolder(root), set+"-nvcc-11.8.tsv"))
}
