package walk_test

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// TestImageAccess: rows of a row-major image whose width is given, clamped at its edge.
func TestImageAccess(t *testing.T) {
	const text = `kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
	int x = get_local_id(0), y = get_local_id(1);
	float4 v = read_imagef(in, (int2)(x + 1, y)) + read_imagef(in, s, (float2)(x, y));
	write_imagef(out, (int2)(x, y), v);
}`
	for _, level := range levels {
		g, _ := graphOf(t, "k.cl", text, level+" --local 8x4")
		for _, a := range accesses(t, g, idg.SpaceImage) {
			if a.Width != 16 {
				t.Errorf("%s: a pixel of %d bytes", level, a.Width)
			}
		}
	}
	g, _ := graphOf(t, "k.cl", text, "--local 8x4 --arg in.width=100")
	got := accesses(t, g, idg.SpaceImage)
	if len(got) != 3 || ops(g)["ld.image"] != 2 || ops(g)["st.image"] != 1 {
		t.Fatalf("%d image accesses, %v", len(got), ops(g))
	}
	if got[0].Width != 16 || got[0].Store || !got[2].Store || got[2].Buffer != "out" {
		t.Errorf("accesses %+v, %+v", got[0], got[2])
	}
	var want []int64
	for y := range int64(4) {
		for x := range int64(8) {
			want = append(want, (y*100+x+1)*16)
		}
	}
	for i := range want {
		if len(got[0].Offsets) != len(want) || got[0].Offsets[i]-got[0].Offsets[0] != want[i]-want[0] {
			t.Fatalf("offsets %v (%s), want %v", got[0].Offsets, got[0].Assumed, want)
		}
	}
	g, _ = graphOf(t, "k.cl", text, "--local 8x4 --arg in.width=4")
	if a := accesses(t, g, idg.SpaceImage)[0]; a.Offsets[7]-a.Offsets[0] != 2*16 {
		t.Errorf("columns 1 to 8 of an image of 4: %v", a.Offsets[:8])
	}
}

// TestImageExtents: extents from 1 to 2^31 - 1 are those of the image, others are not known.
func TestImageExtents(t *testing.T) {
	for extent, want := range map[string]bool{"1": true, "2": true, "2147483647": true, "0": false, "-1": false,
		"2147483648": false} {
		_, notes := graphOf(t, "k.cl", `kernel void k(read_only image2d_t in, sampler_t s, global float *o) {
	o[get_global_id(0)] = read_imagef(in, s, (float2)(0.5f, 0.5f)).x;
}`, "--arg in.width="+extent)
		if got := !slices.ContainsFunc(notes, func(e *diag.Error) bool { return e.Code == "ASSUMED-EXTENTS" }); got != want {
			t.Errorf("an extent of %s is taken: %v", extent, notes)
		}
	}
}

// TestImagePixels: which pixels coordinates name: those that floating ones lie in, fractions of the image where none
// is beyond 1, and bytes of a row in CUDA's surfaces. An image without given extents is as wide as the launch.
func TestImagePixels(t *testing.T) {
	at := func(coord string) string {
		return "kernel void k(read_only image2d_t in, sampler_t s, global float *o, global float *w, float u) { int " +
			"x = get_global_id(0), y = get_global_id(1); o[x] = read_imagef(in, s, " + coord + ").x; }"
	}
	const launch, column = "--local 8x2 --groups 4x2 ", "--local 1x8 --groups 1x4 "
	for _, c := range []struct {
		name, file, text, options string
		right, down               int64  // bytes to the next lane, and to the next row
		unknown                   string // why they are not known
		assumed                   int    // extents
	}{
		{"integers", "k.cl", at("(int2)(x, y)"), launch, 16, 32 * 16, "", 1},
		{"the width is given", "k.cl", at("(int2)(x, y)"), launch + "--arg in.width=100", 16, 100 * 16, "", 0},
		{"middles of pixels", "k.cl", at("(float2)(x + 0.5f, y + 0.5f)"), launch, 16, 32 * 16, "", 1},
		{"every other one", "k.cl", at("(float2)(2 * x, y)"), launch, 32, 32 * 16, "", 1},
		{"fractions", "k.cl", at("(float2)((x + 0.5f) / 32, (y + 0.5f) / 4)"), launch, 16, 32 * 16, "", 2},
		{"left of it", "k.cl", at("(float2)(x - 99.5f, y)"), launch, 0, 32 * 16, "", 1},
		{"a surface", "k.cu", "__global__ void k(cudaSurfaceObject_t in, float *o) { int x = blockIdx.x * blockDim.x + " +
			"threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; o[x] = surf2Dread<float>(in, 4 * x, y); }",
			launch, 4, 32 * 4, "", 1},
		{"a column", "k.cl", at("(int2)(x, y)"), column, 0, 0, "the extents of the image are not known", 0},
		{"an argument", "k.cl", at("(float2)(x * u, y)"), launch, 0, 0, "coordinate not known", 0},
		{"loaded", "k.cl", at("(float2)(w[x], y)"), launch, 0, 0, "coordinate loaded from memory", 0},
	} {
		g, notes := graphOf(t, c.file, c.text, c.options)
		a := accesses(t, g, idg.SpaceImage)[0]
		if a.Assumed != c.unknown {
			t.Errorf("%s: assumed %q, want %q", c.name, a.Assumed, c.unknown)
			continue
		}
		for i, at := range a.Offsets {
			if want := a.Offsets[0] + int64(i%8)*c.right + int64(i/8)*c.down; at != want {
				t.Errorf("%s: lane %d reads byte %d, want %d", c.name, i, at, want)
			}
		}
		if n := count(notes, "ASSUMED-EXTENTS"); n != c.assumed {
			t.Errorf("%s: %d extents assumed, want %d: %v", c.name, n, c.assumed, notes)
		}
	}
}

// TestImageReuse: a pixel is read again where something may have changed it.
func TestImageReuse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		loads      []int64 // that are right
	}{
		{"two pixels", "v = read_imagef(in, p) + read_imagef(in, p + 1);", []int64{2}},
		{"two types", "v = read_imagef(in, p) + convert_float4(read_imagei(in, p));", []int64{2}},
		{"a write between", "v = read_imagef(both, p); write_imagef(both, p, v + 1); v += read_imagef(both, p);", []int64{2}},
		{"a barrier between", "v = read_imagef(both, p); barrier(CLK_IMAGE_MEM_FENCE); v += read_imagef(both, p);",
			[]int64{2}},
		{"the same pixel", "v = read_imagef(in, p) + read_imagef(in, p);", []int64{1, 2}},
	} {
		g, _ := graphOf(t, "k.cl", `kernel void k(read_only image2d_t in, read_write image2d_t both, global float4 *o) {
	int2 p = (int2)(get_global_id(0), 1);
	float4 v;
	`+c.text+`
	o[get_global_id(0)] = v;
}`, "")
		if n := ops(g)["ld.image"]; !slices.Contains(c.loads, n) {
			t.Errorf("%s: %d reads, want %d", c.name, n, c.loads)
		}
	}
}

// TestImageExtent: an extent bounds a loop once it is given.
func TestImageExtent(t *testing.T) {
	g, _ := graphOf(t, "k.cl", `kernel void k(read_only image2d_t in, global float *o) {
	float s = 0;
	for (int x = 0; x < get_image_width(in); x++) s += read_imagef(in, (int2)(x, 0)).x;
	o[get_global_id(0)] = s;
}`, "--arg in.width=7")
	if n := ops(g)["ld.image"]; n != 7 {
		t.Errorf("%d reads, want 7", n)
	}
}
