package main

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// executedColumns are Nsight Compute's figures of a launch: warp instructions in all and by pipe.
var executedColumns = []string{"warp_instructions", "alu_pipe", "fma_pipe", "fmaheavy_pipe", "fp64_pipe", "lsu_pipe",
	"tensor_pipe", "uniform_pipe", "xu_pipe", "cbu_pipe", "l1_sectors_spill_loads"}

// importMeasured makes the tables of what was measured on an H100, of the files of that campaign.
func importMeasured(folder string, list []Source, to string) error {
	times, err := readCSV(filepath.Join(folder, "times.csv"), "kernel")
	if err != nil {
		return err
	}
	counters, err := readCSV(filepath.Join(folder, "counters.csv"), "kernel")
	if err != nil {
		return err
	}
	spaces, err := readCSV(filepath.Join(folder, "space_conv", "ptxas.csv"), "id")
	if err != nil {
		return err
	}
	code, err := zippedSASS(filepath.Join(folder, "sass.txt.gz"))
	if err != nil {
		return err
	}
	executed := &table{comments: []string{"Executed by one launch on an H100, by Nsight Compute: warp instructions, " +
		"in all and by pipe.", "Code: nvcc 13.0.88 -O3 -std=c++17 -arch=sm_90 -lineinfo."},
		columns: append([]string{"name"}, executedColumns...)}
	var measured, space []Truth
	for i := range list {
		s := &list[i]
		number := func(row map[string]string, column string) int64 {
			n, err := strconv.ParseInt(row[column], 10, 64)
			if err != nil {
				return -1
			}
			return n
		}
		switch s.Set {
		case "h100":
			row, f := counters[s.Name], code[s.Symbol()]
			if row == nil {
				return fmt.Errorf("nothing of %s", s.Name)
			}
			cells := []string{s.Name}
			for _, c := range executedColumns {
				cells = append(cells, row[c])
			}
			executed.rows = append(executed.rows, cells)
			t := times[s.Name]
			u := Truth{Name: s.Name, Arch: "sm_90", Registers: number(t, "registers"), Scalars: -1,
				Stack: number(t, "local_bytes"), Shared: number(t, "shared_bytes") - max(0, s.Dynamic)}
			u.SpillStores, u.SpillLoads, u.Instructions = max(-1, -u.Stack), max(-1, -u.Stack), -1
			if f != nil { // not all kernels are in the listing
				u.describe(f)
				u.SpillStores, u.SpillLoads = f.privateBytes()
			}
			measured = append(measured, u)
		case "conv":
			row := spaces[s.Name]
			u := Truth{Name: s.Name, Arch: "sm_90", Registers: number(row, "registers"), Scalars: -1,
				SpillStores: number(row, "spill_stores"), SpillLoads: number(row, "spill_loads"),
				Stack: number(row, "stack"), Shared: max(0, number(row, "shared")), Instructions: -1}
			space = append(space, u)
		}
	}
	if err := executed.write(to, "h100-executed.tsv"); err != nil {
		return err
	}
	said := "nvcc 13.0.88 -O3 -std=c++17 -arch=sm_90"
	t := truthTable([]string{said + " -lineinfo; instructions of cuobjdump -sass; spills: bytes of the loads and " +
		"stores relative to the stack pointer in it"}, measured)
	if err := t.write(to, "h100-nvcc-13.tsv"); err != nil {
		return err
	}
	return truthTable([]string{said + "; what ptxas -v says"}, space).write(to, "conv-nvcc-13.tsv")
}

// privateBytes is what the instructions for spilled registers store and load, static: accesses of private memory
// relative to the stack pointer, R1. Arrays are subscripted by others.
func (f *flow) privateBytes() (stores, loads int64) {
	for i := range f.ops {
		o := &f.ops[i]
		if !strings.Contains(o.operands, "[R1]") && !strings.Contains(o.operands, "[R1+") {
			continue
		}
		bytes := int64(4 * o.words())
		switch ClassOf(o.name, "") {
		case LoadPrivate:
			loads += bytes
		case StorePrivate:
			stores += bytes
		}
	}
	if loads == 0 { // what is stored is not loaded again by the same pointer: an array
		return 0, 0
	}
	return stores, loads
}

// readCSV reads a file of commas by the text of a column; of several rows of a text the first counts.
func readCSV(file, key string) (map[string]map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]string{}
	for _, r := range rows[1:] {
		row := map[string]string{}
		for i, c := range rows[0] {
			row[c] = r[i]
		}
		if _, ok := out[row[key]]; !ok {
			out[row[key]] = row
		}
	}
	return out, nil
}

// zippedSASS reads a compressed listing by plain names.
func zippedSASS(file string) (map[string]*flow, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	code, out := parseSASS(string(text)), map[string]*flow{}
	for _, symbol := range slices.Sorted(maps.Keys(code)) {
		out[plainName(symbol)] = code[symbol]
	}
	return out, nil
}
