package unroll_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gpupipe/latencies"
	"gpupipe/unroll"
)

// points is a stencil with an early return at the borders.
const points = `kernel void k(global const float *a, global float *b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  b[y * w + x] = a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x];
}`

// tiled is the same with a tile in local memory, whose border only some work items load.
const tiled = `kernel void k(global const float *a, global float *b, int w, int h) {
  local float t[6][18];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0) + 1, j = get_local_id(1) + 1;
  if (x < w && y < h) {
    t[j][i] = a[y * w + x];
    if (i == 1 && x > 0) t[j][0] = a[y * w + x - 1];
    if (i == 16 && x < w - 1) t[j][17] = a[y * w + x + 1];
    if (j == 1 && y > 0) t[0][i] = a[(y - 1) * w + x];
    if (j == 4 && y < h - 1) t[5][i] = a[(y + 1) * w + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  b[y * w + x] = t[j][i] + t[j][i - 1] + t[j][i + 1] + t[j - 1][i] + t[j + 1][i];
}`

// The kinds of groups at the edges are as many groups together as the launch has, and what they move
// to and from device memory, where caches hold all, is each touched sector once; however few groups lie in a dimension.
func TestTrafficOfGroupsAtTheEdges(t *testing.T) {
	m := mapper(t)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 8))
		gx, gy := 1+r.Int64N(4), 1+r.Int64N(4)
		w, h := 16*(gx-1)+2+r.Int64N(15), 4*(gy-1)+2+r.Int64N(3)
		text := points
		if seed%2 == 0 {
			text = tiled
		}
		opt := parseOptions(t, fmt.Sprintf("--local 16x4 --groups %dx%d --arg w=%d --arg h=%d --group-kinds edges",
			gx, gy, w, h))
		opt.Locality = unroll.LaunchLocality
		g := resolve(t, lowerKernel(t, text), opt).Graph
		groups := int64(0)
		for _, k := range g.GroupKinds() {
			groups += k.Groups
		}
		if groups != gx*gy {
			t.Errorf("seed %d: the kinds are %d groups, the launch has %dx%d", seed, groups, gx, gy)
		}
		got, err := m.Map(g)
		if err != nil {
			t.Fatal(err)
		}
		read, written := bordered(w, h, text == tiled)
		if got.Traffic.ReadBytes != read || got.Traffic.WrittenBytes != written {
			t.Errorf("seed %d: %dx%d groups on %dx%d points: %d bytes are read and %d written, want %d and %d",
				seed, gx, gy, w, h, got.Traffic.ReadBytes, got.Traffic.WrittenBytes, read, written)
		}
	}
}

// bordered is how many bytes of sectors a stencil reads and writes; tiles read the corners of the points, too.
func bordered(w, h int64, corners bool) (read, written int64) {
	reads, writes := map[int64]bool{}, map[int64]bool{}
	for y := range h {
		for x := range w {
			at := func(x, y int64) int64 { return (y*w + x) / 8 }
			if corners {
				reads[at(x, y)] = true
			}
			if x == 0 || y == 0 || x == w-1 || y == h-1 {
				continue
			}
			writes[at(x, y)] = true
			for _, s := range [][2]int64{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				reads[at(x+s[0], y+s[1])] = true
			}
		}
	}
	return 32 * int64(len(reads)), 32 * int64(len(writes))
}

// What is stored between two reads of the same data pushes it out of L2.
func TestStoresBetweenReads(t *testing.T) {
	const text = `kernel void k(global float *a, global float *b, int n) {
  int l = get_local_id(0), g = get_group_id(0);
  float s = 0;
  for (int i = 0; i < 64; i++) s += a[(g * 64 + i) * 256 + l];
  for (int i = 0; i < n; i++) b[(g * n + i) * 256 + l] = s;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int i = 0; i < 64; i++) s += a[(g * 64 + i) * 256 + l];
  b[g * n * 256 + l] = s;
}`
	const once = 32 * 64 * 256 * 4 // bytes that 32 groups read; an RTX 3080's L2 has 5 MiB
	for n, want := range map[int]int64{8: once, 1024: 2 * once} {
		opt := parseOptions(t, fmt.Sprintf("--local 256 --groups 32 --arg n=%d", n))
		opt.Locality = unroll.LaunchLocality
		got, err := mapper(t).Map(resolve(t, lowerKernel(t, text), opt).Graph)
		if err != nil {
			t.Fatal(err)
		}
		if got.Traffic.ReadBytes != want {
			t.Errorf("%d stores: %d bytes are read, want %d", n, got.Traffic.ReadBytes, want)
		}
	}
}

// mapper maps graphs to an RTX 3080.
func mapper(t testing.TB) *latencies.Mapper {
	t.Helper()
	d, err := latencies.Builtin("rtx3080")
	if err != nil {
		t.Fatal(err)
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
