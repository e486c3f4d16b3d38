package fidelity

import (
	"fmt"
	"strings"
)

// filter is a kernel written out as a tuned convolution is: the sums are those of a tile of
// columns x rows points, the steps go through a filter, and rows share words of local memory, columns do
// not. A filter of one row has sums at distances that are given.
type filter struct {
	columns, rows int
	apart         int   // rows of the tile, in rows of the filter
	distances     []int // in place of a tile: the sums', in words
	width, height int   // of the filter
	guards        int   // stores under a condition
	off           bool  // the estimate is known to be off
}

// columnsApart is the distance of columns, in words: more than any filter's width.
const columnsApart = 64

// name tells the kernels apart.
func (f filter) name() string {
	if f.distances != nil {
		return fmt.Sprintf("filter-%s-%dx%d-%d",
			strings.Join(strings.Fields(strings.Trim(fmt.Sprint(f.distances), "[]")), "-"), f.width, f.height, f.guards)
	}
	return fmt.Sprintf("filter-%dx%d-%d-%dx%d-%d", f.columns, f.rows, f.apart, f.width, f.height, f.guards)
}

// sums says where the sums are, for the table.
func (f filter) sums() string {
	if f.distances != nil {
		return strings.Trim(fmt.Sprint(f.distances), "[]")
	}
	return fmt.Sprintf("%dx%d, rows %d apart", f.columns, f.rows, f.apart)
}

// source is the kernel in CUDA.
func (f filter) source() source {
	pitch := f.width + columnsApart*f.columns
	offsets := f.distances
	for y := range f.rows {
		for x := range f.columns {
			offsets = append(offsets, y*f.apart*pitch+x*columnsApart)
		}
	}
	var words []int
	for i := range f.height {
		for j := range f.width {
			words = append(words, i*pitch+j)
		}
	}
	return source{name: f.name(), file: "k.cu", text: sumsWrittenOut(offsets, words, f.guards), only: []string{"k"}}
}

// filters are the kernels that are compiled: around the conditions under which the
// compiler does not cut.
func filters() []filter {
	uneven := []int{0, 7, 31, 100, 130, 250, 300, 420}
	return []filter{
		{distances: uneven, width: 515, height: 1},
		{distances: uneven, width: 525, height: 1},
		{distances: uneven, width: 530, height: 1},
		{distances: uneven, width: 560, height: 1},
		{columns: 4, rows: 4, apart: 1, width: 15, height: 15},
		{columns: 4, rows: 4, apart: 1, width: 15, height: 15, guards: 7},
		{columns: 4, rows: 4, apart: 1, width: 15, height: 15, guards: 8},
		{columns: 4, rows: 4, apart: 2, width: 15, height: 15},
		{columns: 4, rows: 4, apart: 3, width: 15, height: 15},
		{columns: 4, rows: 4, apart: 4, width: 15, height: 12},
		{columns: 4, rows: 4, apart: 4, width: 15, height: 14},
		{columns: 4, rows: 4, apart: 4, width: 15, height: 15, off: true},
		{columns: 4, rows: 4, apart: 8, width: 15, height: 15},
		{columns: 4, rows: 4, apart: 8, width: 15, height: 19, off: true},
		{columns: 8, rows: 2, apart: 5, width: 15, height: 15},
		{columns: 2, rows: 4, apart: 4, width: 15, height: 31},
	}
}
