package unroll_test

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// opsOf lists the ops of warp 0 with their number.
func opsOf(g *idg.Graph) map[string]int {
	ops := map[string]int{}
	p := flat(g.Programs()[0])
	for v := range p.Len() {
		ops[g.Instr(p.Instr(idg.NodeID(v))).Op]++
	}
	return ops
}

// imageAccesses lists the accesses of images in warp 0, in program order.
func imageAccesses(g *idg.Graph) (all []*idg.Access) {
	p := flat(g.Programs()[0])
	for v := range p.Len() {
		if in := g.Instr(p.Instr(idg.NodeID(v))); in.Access != 0 && g.Access(in.Access).Space == idg.SpaceImage {
			all = append(all, g.Access(in.Access))
		}
	}
	return all
}

// TestImageAccess checks the class and the context of image accesses: rows of a
// row-major image whose width is given, clamped at its edge, and why addresses
// are not known otherwise.
func TestImageAccess(t *testing.T) {
	const text = `__kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
	int x = get_local_id(0), y = get_local_id(1);
	float4 v = read_imagef(in, (int2)(x + 1, y)) + read_imagef(in, s, (float2)(x, y));
	write_imagef(out, (int2)(x, y), v);
}`
	res := resolveText(t, text, "--local 8x4 --arg in.width=100")
	got := imageAccesses(res.Graph)
	if len(got) != 3 {
		t.Fatalf("%d image accesses, want 3", len(got))
	}
	if got[0].Width != 16 || got[0].Store || !got[2].Store || got[2].Buffer != "out" {
		t.Errorf("accesses %+v, %+v", got[0], got[2])
	}
	if ops := opsOf(res.Graph); ops["ld.image"] != 2 || ops["st.image"] != 1 {
		t.Errorf("ops %v", ops)
	}
	var want []int64
	for y := range int64(4) {
		for x := range int64(8) {
			want = append(want, (y*100+x+1)*16)
		}
	}
	if !got[0].Known() || !slices.Equal(got[0].Offsets, want) {
		t.Errorf("offsets %v (%s), want %v", got[0].Offsets, got[0].Assumed, want)
	}
	edge := imageAccesses(resolveText(t, text, "--local 8x4 --arg in.width=4").Graph)[0]
	if edge.Offsets[7]-edge.Offsets[0] != 2*16 {
		t.Errorf("columns 1 to 8 of an image of 4: %v", edge.Offsets[:8])
	}
}

// TestImagePixels checks which pixels of an image coordinates name: those that
// floating ones lie in, fractions of the image where none is beyond 1, and bytes of a row in
// CUDA's surfaces. An image without given extents is as wide as the launch.
func TestImagePixels(t *testing.T) {
	at := func(coord string) *lower.Kernel {
		return lowerKernel(t, "__kernel void k(read_only image2d_t in, sampler_t s, global float *o, float w) { int "+
			"x = get_global_id(0), y = get_global_id(1); o[x] = read_imagef(in, s, "+coord+").x; }")
	}
	const launch, column = "--local 8x2 --groups 4x2 ", "--local 1x8 --groups 1x4 "
	for _, c := range []struct {
		name        string
		k           *lower.Kernel
		options     string
		right, down int64  // bytes to the next lane, and to the next row
		unknown     string // why they are not known
		assumed     int    // extents
	}{
		{"integers", at("(int2)(x, y)"), launch, 16, 32 * 16, "", 1},
		{"the width is given", at("(int2)(x, y)"), launch + "--arg in.width=100", 16, 100 * 16, "", 0},
		{"middles of pixels", at("(float2)(x + 0.5f, y + 0.5f)"), launch, 16, 32 * 16, "", 1},
		{"every other one", at("(float2)(2 * x, y)"), launch, 32, 32 * 16, "", 1},
		{"fractions of the image", at("(float2)((x + 0.5f) / 32, (y + 0.5f) / 4)"), launch, 16, 32 * 16, "", 2},
		{"left of it", at("(float2)(x - 99.5f, y)"), launch, 0, 32 * 16, "", 1},
		{"a surface", lowerSource(t, "k.cu", "__global__ void k(cudaSurfaceObject_t in, float *o) { int x = "+
			"blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; o[x] = "+
			"surf2Dread<float>(in, 4 * x, y); }")[0],
			launch, 4, 32 * 4, "", 1},
		{"a launch of one column", at("(int2)(x, y)"), column, 0, 0, "the extents of the image are not known", 0},
		{"an argument", at("(float2)(x * w, y)"), launch, 0, 0, "coordinate depends on an argument without a value", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := parseOptions(t, c.options)
			res := resolve(t, c.k, opt)
			a := imageAccesses(res.Graph)[0]
			if a.Assumed != c.unknown {
				t.Fatalf("assumed %q, want %q", a.Assumed, c.unknown)
			}
			for i, at := range a.Offsets {
				if want := a.Offsets[0] + int64(i%8)*c.right + int64(i/8)*c.down; at != want {
					t.Errorf("lane %d reads byte %d, want %d", i, at, want)
				}
			}
			assumed := 0
			for _, w := range res.Warnings {
				if w.Code == "ASSUMED-EXTENTS" {
					assumed++
				}
			}
			if assumed != c.assumed {
				t.Errorf("%d extents assumed, want %d: %v", assumed, c.assumed, res.Warnings)
			}
			opt.Strict = true
			if _, err := unroll.Resolve(c.k, opt); (err != nil) != (assumed > 0) {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

// TestImageReuse checks that a pixel is read once as long as nothing may have
// changed it.
func TestImageReuse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		loads      int
	}{
		{"the same pixel", "v = read_imagef(in, p) + read_imagef(in, p);", 1},
		{"two pixels", "v = read_imagef(in, p) + read_imagef(in, p + 1);", 2},
		{"two types", "v = read_imagef(in, p) + convert_float4(read_imagei(in, p));", 2},
		{"two samplers", "v = read_imagef(in, s, p) + read_imagef(in, 16, p);", 2},
		{"with another image written", "v = read_imagef(in, p); write_imagef(out, p, v); v += read_imagef(in, p);", 1},
		{"with a write between", "v = read_imagef(both, p); write_imagef(both, p, v + 1); v += read_imagef(both, p);",
			2},
		{"with a barrier between", "v = read_imagef(both, p); barrier(CLK_IMAGE_MEM_FENCE); v += read_imagef(both, p);",
			2},
	} {
		res := resolveText(t,
			`__kernel void k(read_only image2d_t in, write_only image2d_t out, read_write image2d_t both, sampler_t s, __global float4 *o) {
	int2 p = (int2)(get_global_id(0), 1);
	float4 v;
	`+c.text+`
	o[get_global_id(0)] = v;
}`, "--local 32")
		if got := opsOf(res.Graph)["ld.image"]; got != c.loads {
			t.Errorf("%s: %d reads, want %d", c.name, got, c.loads)
		}
	}
}

// TestImageExtent checks that an extent bounds a loop once it is given.
func TestImageExtent(t *testing.T) {
	k := lowerKernel(t, `__kernel void k(read_only image2d_t in, __global float *o) {
	float s = 0;
	for (int x = 0; x < get_image_width(in); x++) s += read_imagef(in, (int2)(x, 0)).x;
	o[get_global_id(0)] = s;
}`)
	res := resolve(t, k, unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{"in.width": {Int: 7}}})
	if got := opsOf(res.Graph)["ld.image"]; got != 7 {
		t.Errorf("%d reads, want 7", got)
	}
}
