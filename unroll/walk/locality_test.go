package walk_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// TestLocality: the reuse of kernels for which it can be derived by hand, by source line: sectors requested, and of
// these touched before by the same warp, by another warp of the group and by earlier groups, and not at all.
func TestLocality(t *testing.T) {
	for _, c := range []struct {
		name, text, options string
		want                []string
		foot                string
		note                string
	}{{
		name: "tiled matrix multiplication",
		text: `kernel void k(global const float *a, global const float *b, global float *c, int n) {
  local float s[16][16], t[16][16];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    s[j][i] = a[y * n + m + i];
    t[j][i] = b[(m + j) * n + x];
    barrier(1);
    for (int k = 0; k < 16; k++) sum += s[j][k] * t[k][i];
    barrier(1);
  }
  c[y * n + x] = sum;
}`,
		options: "--local 16x16 --groups 16x16 --arg n=256 --locality launch",
		want: []string{
			"6: 512 = groups 1:512",  // the group on the left read the same rows
			"7: 512 = groups 16:512", // the one above the same columns
			"12: 32 = cold 32",
		},
		foot: "group 32768 1024, launch 524288 262144, estimated, of 6 groups",
	}, {
		name: "naive matrix multiplication",
		text: `kernel void k(global const float *a, global const float *b, global float *c) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  #pragma unroll 1
  for (int i = 0; i < 64; i++)
    sum += a[y * 64 + i] * b[i * 64 + x];
  c[y * 64 + x] = sum;
}`,
		// A group is one warp, of 4 rows: a broadcast in each of them, of which 8
		// in turn lie in one sector, and a whole sector of 8 floats of b.
		options: "--local 8x4 --groups 8x16 --locality launch",
		want: []string{
			// 4 sectors of a stay for 8 iterations; between two of them lies one of b.
			"6: 320 = warp 160:224 groups 1:32 8:64",
			"7: 4 = cold 4",
		},
		foot: "group 3072 128, launch 32768 16384, estimated, of 6 groups",
	}, {
		name: "counted loops in counted loops",
		text: `kernel void k(global const float *a, global float *b, int n) {
  float sum = 0;
  #pragma unroll 1
  for (int l = 0; l < n; l++) {
    #pragma unroll 1
    for (int i = 0; i < n; i++) {
      #pragma unroll 1
      for (int j = 0; j < n; j++)
        sum += a[(l * n + i) * n + j];
      barrier(1);
      b[i * 64 + get_global_id(0)] = sum;
    }
  }
}`,
		options: "--local 32 --arg n=64 --locality group",
		// Of 262,144 floats 8 lie in a sector. Each of b's 64 rows of 4 sectors is written again for each l, when the
		// others and 512 sectors of a have been touched.
		want: []string{
			"9: 262144 = warp 32:229376 cold 32768",
			"11: 16384 = warp 24576:16128 cold 256",
		},
		foot: "",
	}, {
		name: "transposed through one's own group only",
		text: `kernel void k(global const float *a, global float *b) {
  int x = get_global_id(0), y = get_global_id(1);
  b[x * 1024 + y] = a[y * 1024 + x];
}`,
		options: "--local 32x8 --groups 32x128 --locality group",
		// Each warp writes to the same 32 sectors.
		want: []string{"3: 288 = group 1024:224 cold 64"},
		foot: "group 1024 1024, launch 4194304 4194304, estimated, of 1 groups",
		note: "other groups are not analysed",
	}, {
		name: "guard of the last group",
		text: `kernel void k(global float *a, int n) {
  int x = get_global_id(0);
  if (x < n) a[x] += a[x + 1];
}`,
		// The first warp's a[x + 1] has the first sector of the second one's a[x]; the group before has had the first.
		// Of the 9 sectors 8 are then read, and written.
		options: "--local 64 --groups 100 --arg n=6390 --locality launch",
		want:    []string{"3: 26 = warp 32:1 256:7 320:8 group 256:1 groups 1:1 cold 8"},
		note:    "none",
	}, {
		name: "subscripts from memory",
		text: `kernel void k(global const int *at, global const float *a, global float *b) {
  int x = get_global_id(0);
  b[x] =
    a[
      at[x]];
}`,
		options: "--local 64 --groups 100 --locality launch",
		want:    []string{"3: 8 = cold 8", "5: 8 = cold 8"},
		foot:    "group 256 256, launch 25600 25600, estimated, of 5 groups",
	}, {
		name: "every warp has its own way",
		text: `kernel void k(global const float *a, global float *b) {
  int x = get_global_id(0), y = get_group_id(1) * 8;
  float sum = 0;
  #pragma unroll 1
  for (int j = 0; j <= get_local_id(1); j++)
    sum += a[(y + 2 * j) * 2048 + x];
  b[(y + get_local_id(1)) * 2048 + x] = sum;
}`,
		options: "--local 32x8 --groups 64x64 --locality launch",
		// Warp j reads j + 1 rows, 36 in all, of 8 that are different: the upper 4 of these are the
		// lower 4 of the group above. The launch reads every other one of 520 rows of 8 KiB.
		want: []string{"6: 144 = group 128:112 groups 64:16 cold 16", "7: 32 = cold 32"},
		foot: "group 1024 1024, launch 2129920 4194304, estimated, of 6 groups",
	}, {
		name: "small launch",
		text: `kernel void k(global float *a) {
  atomic_add((global int *)a + get_group_id(0) % 3, 1);
}`,
		options: "--local 32 --groups 8 --locality launch",
		want:    []string{"2: 1 = groups 1:1"},
		foot:    "group 32 32, launch 32 32, of 8 groups",
	}, {
		name: "scattered groups",
		text: `kernel void k(global float *a) {
  a[get_group_id(0) * get_group_id(0) * 32 + get_local_id(0)] = 0;
}`,
		options: "--local 32 --groups 1000 --locality launch",
		want:    []string{"2: 4 = cold 4"},
		foot:    "group 0 128, launch 0 128000, estimated, of 13 groups",
		note:    "other groups are sampled",
	}, {
		name:    "first warp alone",
		text:    `kernel void k(global float *a) { a[get_local_id(0)] = 1; }`,
		options: "--local 64 --groups 10 --warps first --locality group",
		want:    []string{"1: 4 = cold 4"},
		note:    "of the 2 warps of a group only 1 is analysed",
	}} {
		g, _ := graphOf(t, "k.cl", c.text, c.options)
		if got := reuseByLine(g); !slices.Equal(got, c.want) {
			t.Errorf(c.name+": got  %q\nwant %q", got, c.want)
		}
		f := g.Footprint
		foot := fmt.Sprintf("group %d %d, launch %d %d", f.ReadBytes, f.WrittenBytes, f.LaunchReadBytes,
			f.LaunchWrittenBytes)
		if f.Estimated {
			foot += ", estimated"
		}
		if foot += fmt.Sprintf(", of %d groups", len(f.Sampled)); c.foot != "" && foot != c.foot {
			t.Errorf(c.name+": got %q, want %q", foot, c.foot)
		}
		var notes []string
		for _, n := range g.Notes {
			if n.Code == "LOCALITY" {
				notes = append(notes, n.Text)
			}
		}
		if text := strings.Join(notes, "\n"); (c.note == "" || c.note == "none") != (text == "") ||
			c.note != "none" && !strings.Contains(text, c.note) {
			t.Errorf(c.name+": notes %q, want %q", text, c.note)
		}
	}
}

// reuseByLine sums up the records of each source line.
func reuseByLine(g *idg.Graph) []string {
	type sum struct {
		total, cold         int64
		warp, group, groups map[int64]int64
	}
	lines := map[int]*sum{}
	var order []int
	for _, l := range g.Locality {
		line := g.Instr(l.Instr).Pos.Line
		s := lines[line]
		if s == nil {
			s = &sum{warp: map[int64]int64{}, group: map[int64]int64{}, groups: map[int64]int64{}}
			lines[line] = s
			order = append(order, line)
		}
		s.total, s.cold = s.total+l.Sectors, s.cold+l.Cold
		for _, r := range l.Warp {
			s.warp[r.Distance] += r.Sectors
		}
		for _, r := range l.Group {
			s.group[r.Distance] += r.Sectors
		}
		for _, r := range l.Groups {
			s.groups[r.Groups] += r.Sectors
		}
	}
	slices.Sort(order)
	var out []string
	for _, line := range order {
		s := lines[line]
		text := fmt.Sprintf("%d: %d =", line, s.total)
		for _, part := range []struct {
			name string
			by   map[int64]int64
		}{{"warp", s.warp}, {"group", s.group}, {"groups", s.groups}} {
			if len(part.by) == 0 {
				continue
			}
			text += " " + part.name
			var keys []int64
			for k := range part.by {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				text += fmt.Sprintf(" %d:%d", k, part.by[k])
			}
		}
		if s.cold > 0 {
			text += fmt.Sprintf(" cold %d", s.cold)
		}
		out = append(out, text)
	}
	return out
}

// TestLocalityAndGraphAgree: analysing locality changes nothing else in a graph, and counts for each class the sectors
// of its access pattern, as often as it is executed.
func TestLocalityAndGraphAgree(t *testing.T) {
	known := 0
	for seed := range tools.Cases(150, 5) {
		u := unit(t, "k.cl", walk.RandomKernel(uint64(seed)))
		o := parsed(t, fmt.Sprintf("--local 24x5 --groups 5x4 --arg n=%d --arg m=3 %s", seed%40, levels[seed%len(levels)]))
		plain, _, err := execute(u, u.Kernels[0], o)
		if err != nil {
			continue
		}
		o.Locality = unroll.LaunchLocality
		g, _, err := execute(u, u.Kernels[0], o)
		if err != nil {
			t.Fatal(err)
		}
		want := map[idg.InstrID]int64{}
		for i, n := range g.Executions() {
			for in, times := range g.Programs()[i].Tally(len(g.Instrs())) {
				a := g.Access(g.Instrs()[in].Access)
				if times == 0 || a == nil || !a.Known() || a.Space != idg.SpaceGlobal {
					continue
				}
				sectors := map[int64]bool{}
				for _, o := range a.Offsets {
					for b := range int64(a.Width) {
						sectors[(o+b)/idg.SectorBytes] = true
					}
				}
				want[idg.InstrID(in+1)] += n * times * int64(len(sectors))
			}
		}
		for _, l := range g.Locality {
			if want[l.Instr] != l.Sectors {
				t.Fatalf("seed %d: class %d requests %d sectors, the graph has %d", seed, l.Instr, l.Sectors, want[l.Instr])
			}
			known++
			delete(want, l.Instr)
		}
		if len(want) > 0 {
			t.Fatalf("seed %d: classes %v have no locality", seed, want)
		}
		g.Locality, g.Footprint = nil, nil
		g.Notes = slices.DeleteFunc(g.Notes, func(n idg.Note) bool { return n.Code == "LOCALITY" })
		if !bytes.Equal(encoded(t, plain), encoded(t, g)) {
			t.Fatalf("seed %d: the graph is another one", seed)
		}
	}
	if known < tools.Cases(500, 10) {
		t.Errorf("only %d classes have a locality", known)
	}
}

// TestLocalityOfLongLoops: locality of a long loop takes no more memory than that of a short one.
func TestLocalityOfLongLoops(t *testing.T) {
	const text = `kernel void k(global const float *a, global float *b, long n) {
  float x = 0, y = 0;
  for (long i = 0; i < n; i++) x += a[32 * i + get_local_id(0)];
  for (long i = 0; i < n; i++) y += x * a[32 * i + get_local_id(0)];
  b[get_global_id(0)] = y;
}`
	allocated := func(n int64) (bytes uint64, g *idg.Graph) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g, _ = graphOf(t, "k.cl", text, fmt.Sprintf("--local 64 --groups 16 --locality launch --arg n=%d", n))
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, g
	}
	short, _ := allocated(50_000)
	long, g := allocated(50_000_000)
	if long > 2*short {
		t.Errorf("%d bytes are allocated for 5*10^4 iterations, %d for 5*10^7", short, long)
	}
	if g.Footprint.ReadBytes != 50_000_000*128+128 {
		t.Errorf("%d bytes are read", g.Footprint.ReadBytes)
	}
}
