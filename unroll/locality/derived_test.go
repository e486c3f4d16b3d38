package locality

import (
	"strings"
	"testing"

	"gpupipe/idg"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Kernels of which the reuse can be derived by hand.
func TestDerived(t *testing.T) {
	launch := func(local, groups [3]int64) idg.Launch {
		return idg.Launch{Local: local, Groups: groups, WarpSize: 32}
	}
	for _, c := range []struct {
		name string
		k    kernel
		want []idg.Locality
		foot idg.Footprint
		note string
	}{{
		// A float of each of 393,216 lines, and then, eight times, the next one, which is in the same sector. These
		// are more pieces than are listed one by one; but those of groups that differ in x do not meet.
		name: "a sector of each line",
		k: kernel{launch: launch([3]int64{256, 1, 1}, [3]int64{1536, 8, 1}), run: func(w *lanes) {
			w.load(1, 1, func(x item) int64 { return 4 * (32*x.global[0] + x.global[1]) })
		}},
		want: []idg.Locality{{Instr: 1, Sectors: 256, Groups: []idg.GroupReuse{{Groups: 1536, Sectors: 256}}}},
		foot: idg.Footprint{ReadBytes: 256 * 32, LaunchReadBytes: 393216 * 32, RowBytes: 393216 * 32,
			LineBytes: 393216 * 128, PairBytes: 393216 * 64, Estimated: true},
	}, {
		// C = A*B, 256x256 in tiles of 16x16: a group reads 16 rows of A, as all groups of
		// its row do, and 16 columns of B, as all groups of its column do; each
		// element once. 16 rows of 1 KiB are 512 sectors, 16 columns 2 in each of 256 rows.
		name: "tiled matrix multiplication",
		k: kernel{launch: launch([3]int64{16, 16, 1}, [3]int64{16, 16, 1}), run: func(w *lanes) {
			for tile := range int64(16) {
				w.load(1, 1, func(x item) int64 { return 4 * (256*x.global[1] + 16*tile + x.local[0]) })
				w.load(2, 2, func(x item) int64 { return 4 * (256*(16*tile+x.local[1]) + x.global[0]) })
				w.barrier()
			}
			w.store(3, 3, func(x item) int64 { return 4 * (256*x.global[1] + x.global[0]) })
		}},
		want: []idg.Locality{
			{Instr: 1, Sectors: 512, Groups: []idg.GroupReuse{{Groups: 1, Sectors: 512}}},
			{Instr: 2, Sectors: 512, Groups: []idg.GroupReuse{{Groups: 16, Sectors: 512}}},
			{Instr: 3, Sectors: 32, Cold: 32},
		},
		foot: idg.Footprint{ReadBytes: 2 * 16 << 10, WrittenBytes: 1 << 10, LaunchReadBytes: 2 * 256 << 10,
			LaunchWrittenBytes: 256 << 10, RowBytes: (16 + 256 + 16) << 10, Estimated: true},
	}, {
		// Five points of a grid whose rows are 1024 floats, groups of 32x8, a row for each warp, 4
		// sectors each. The group on the left has read the first sector of each row, the one
		// above all of the first row; to the left of each row lies what the left group
		// has in its middle; to the right of the first row, what the group above
		// and to the right has read below itself.
		name: "stencil",
		k: kernel{launch: launch([3]int64{32, 8, 1}, [3]int64{32, 128, 1}), run: func(w *lanes) {
			for i, at := range [][2]int64{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				w.load(idg.InstrID(i+1), 1, func(x item) int64 {
					return 4 * (1024*(x.global[1]+at[1]) + x.global[0] + at[0])
				})
			}
			w.store(6, 2, func(x item) int64 { return 4 * (1024*x.global[1] + x.global[0]) })
		}},
		want: []idg.Locality{
			{Instr: 1, Sectors: 32, Groups: []idg.GroupReuse{{Groups: 1, Sectors: 8}, {Groups: 32, Sectors: 3}},
				Cold: 21},
			// The 32 sectors of the 8 rows, and each warp's new one up to its own: 33
			// to 40 from each to itself.
			{Instr: 2, Sectors: 40, Warp: []idg.Reuse{{Distance: 1280, Sectors: 32}},
				Groups: []idg.GroupReuse{{Groups: 1, Sectors: 8}}},
			{Instr: 3, Sectors: 40, Warp: []idg.Reuse{{Distance: 1280, Sectors: 32}},
				Groups: []idg.GroupReuse{{Groups: 31, Sectors: 1}}, Cold: 7},
			// The last sector above is what the group above and to the right has on
			// its left.
			{Instr: 4, Sectors: 32, Group: []idg.Reuse{{Distance: 1280, Sectors: 12}, {Distance: 1536, Sectors: 16}},
				Groups: []idg.GroupReuse{{Groups: 31, Sectors: 1}, {Groups: 32, Sectors: 3}}, Leading: 32},
			// Six rows have just been read from below, with those of 6 warps in
			// between; the seventh has not.
			{Instr: 5, Sectors: 32, Group: []idg.Reuse{{Distance: 768, Sectors: 24}, {Distance: 1280, Sectors: 4}},
				Cold: 4},
			{Instr: 6, Sectors: 32, Cold: 32},
		},
		// 6 sectors in each of 8 rows and 4 above and below; of the launch, 1024 rows and
		// the one below; one sector at the end; before the beginning is nothing.
		foot: idg.Footprint{ReadBytes: 32 * (8*6 + 8), WrittenBytes: 1 << 10, LaunchReadBytes: 1025 << 12,
			LaunchWrittenBytes: 4 << 20, RowBytes: (8 + 2 + 8) << 12, Estimated: true},
	}, {
		// out[x][y] = in[y][x]: a warp writes to 32 rows, a sector each, in which the 8 warps
		// of the group are neighbours.
		name: "transposed",
		k: kernel{launch: launch([3]int64{32, 8, 1}, [3]int64{32, 128, 1}), run: func(w *lanes) {
			w.load(1, 1, func(x item) int64 { return 4 * (1024*x.global[1] + x.global[0]) })
			w.store(2, 2, func(x item) int64 { return 4 * (1024*x.global[0] + x.global[1]) })
		}},
		want: []idg.Locality{
			{Instr: 1, Sectors: 32, Cold: 32},
			{Instr: 2, Sectors: 256, Group: []idg.Reuse{{Distance: 1024, Sectors: 224}}, Cold: 32, Leading: 256},
		},
		foot: idg.Footprint{ReadBytes: 1 << 10, WrittenBytes: 1 << 10, LaunchReadBytes: 4 << 20,
			LaunchWrittenBytes: 4 << 20, RowBytes: (8 + 8) << 12, Estimated: true},
	}, {
		// A histogram of 256 bins in device memory that every group adds to, twice.
		name: "histogram",
		k: kernel{launch: launch([3]int64{64, 1, 1}, [3]int64{100, 1, 1}), run: func(w *lanes) {
			for range 2 {
				w.access(1, 1, 4, true, true, func(x item) (int64, bool) { return 4 * (x.local[0] * 5 % 256), true })
			}
		}},
		// Bins 20 bytes apart: the first warp's lie in sectors 0 to 19, the second's in 20
		// to 31 and, from the beginning again, 0 to 7.
		want: []idg.Locality{{Instr: 1, Sectors: 80,
			Warp:   []idg.Reuse{{Distance: 640, Sectors: 16}, {Distance: 1024, Sectors: 24}},
			Group:  []idg.Reuse{{Distance: 640, Sectors: 8}},
			Groups: []idg.GroupReuse{{Groups: 1, Sectors: 32}}, Shared: 32, Leading: 40}},
		foot: idg.Footprint{ReadBytes: 1 << 10, WrittenBytes: 1 << 10, LaunchReadBytes: 1 << 10,
			LaunchWrittenBytes: 1 << 10, SharedBytes: 1 << 10, Estimated: true},
	}, {
		// Groups take turns in four regions: no constant leads from one to the next. Each of the
		// three sampled neighbours adds one, but no sample lies outside of four.
		name: "swizzled",
		k: kernel{launch: launch([3]int64{32, 1, 1}, [3]int64{1000, 1, 1}), run: func(w *lanes) {
			w.load(1, 1, func(x item) int64 { return 128*(x.group[0]%4) + 4*x.local[0] })
			w.load(2, 1, func(x item) int64 { return 128*(x.group[0]%2) + 4*x.local[0] })
		}},
		want: []idg.Locality{
			{Instr: 1, Sectors: 4, Groups: []idg.GroupReuse{{Groups: 2, Sectors: 4}}},
			{Instr: 2, Sectors: 4, Warp: []idg.Reuse{{Distance: 128, Sectors: 4}}},
		},
		foot: idg.Footprint{ReadBytes: 128, LaunchReadBytes: 4 * 128, Estimated: true},
		note: "other groups are sampled",
	}, {
		// The first half of the groups has nothing to do, and so none of the neighbours before the
		// one in the middle: half of 999 groups add 128 bytes.
		name: "idle half",
		k: kernel{launch: launch([3]int64{32, 1, 1}, [3]int64{1000, 1, 1}), run: func(w *lanes) {
			w.access(1, 1, 4, true, false, func(x item) (int64, bool) {
				return 128*x.group[0] + 4*x.local[0], x.group[0] >= 500
			})
		}},
		want: []idg.Locality{{Instr: 1, Sectors: 4, Cold: 4}},
		foot: idg.Footprint{ReadBytes: 128, LaunchReadBytes: 128 + 999*64, Estimated: true},
		note: "other groups are sampled",
	}} {
		t.Run(c.name, func(t *testing.T) {
			got := verified(t, &c.k, c.k.input())
			if d := gocmp.Diff(c.want, got.Locality, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			c.foot.Sampled = got.Footprint.Sampled
			if d := gocmp.Diff(&c.foot, got.Footprint); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if notes := strings.Join(got.Notes, "\n"); c.note == "" != (notes == "") ||
				!strings.Contains(notes, c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}
