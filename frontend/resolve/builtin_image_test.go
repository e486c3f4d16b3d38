package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// TestImages checks the types of the functions on images: how many coordinates
// each image takes, what a pixel is, and what is refused.
func TestImages(t *testing.T) {
	const params = `read_only image1d_t l, read_only image2d_t i, image2d_array_t n, read_only image3d_t v, read_only image2d_depth_t d,
	write_only image2d_t w, read_write image1d_buffer_t b, sampler_t s, __global float4 *o, int2 p, int4 q, float2 f`
	for _, c := range []struct{ stmt, want string }{
		{"o[0] = read_imagef(i, s, f);", ""},
		{"o[0] = read_imagef(i, s, p);", ""},
		{"o[0] = read_imagef(i, p);", ""},
		{"o[0] = read_imagef(i, CLK_FILTER_NEAREST, p);", ""},
		{"o[0].x = read_imagef(d, s, f);", ""},
		{"o[0] = read_imagef(l, 3) + read_imagef(l, s, 0.5f);", ""},
		{"o[0] = read_imagef(v, q) + read_imagef(n, s, (float4)(0));", ""},
		{"o[0].x = read_imagei(i, p).s3 + read_imageui(i, p).w;", ""},
		{"o[0] = convert_float4(read_imageh(i, p));", ""},
		{"write_imagef(w, p, o[0]); write_imagei(w, p, q); write_imageui(w, p, (uint4)(1)); write_imagef(b, " +
			"3, o[1]);", ""},
		{"o[0].x = get_image_width(i) + get_image_dim(i).y + get_image_dim(v).z + get_image_array_size(n) + " +
			"get_image_channel_order(i);", ""},
		{"write_imagef(w, convert_int2(f), (float4)(0));", ""},
		{"o[0].x = get_image_channel_data_type(i) == CLK_UNORM_INT8;", ""},
		{"const sampler_t local_sampler = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR; o[0] = read_imagef(i, " +
			"local_sampler, f);", ""},

		{"o[0] = read_imagef(i, s, 1.0f);", "2 coordinates are needed for image2d_t, this is float"},
		{"o[0] = read_imagef(i, f);", "coordinates of type float need a sampler"},
		{"o[0] = read_imagef(o, s, f);", "an image is needed"},
		{"o[0] = read_imagef(i);", "takes an image"},
		{"o[0] = read_imagef(d, s, f).x;", "float has no members"},
		{"write_imagef(i, p, o[0]);", "the image is read_only"},
		{"write_imagef(w, p, q);", "int4 does not become float4"},
		{"o[0].x = get_image_width(s);", "an image is needed"},
		{"image2d_t j = i;", "objects of type image2d_t are not supported"},
		{"o[0].x = i;", "a value of type float is needed, this is image2d_t"},
	} {
		_, err := Parse(Config{File: "k.cl", Text: "__kernel void k(" + params + ") { " + c.stmt + " }",
			Dialect: ast.OpenCL})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.stmt, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.stmt, err, c.want)
		}
	}
}

// TestVectorFunctions checks shuffle, upsample and the asynchronous copies.
func TestVectorFunctions(t *testing.T) {
	const params = "__global float4 *a, __global uint4 *m, __global const int *g, __local int *l, __global short *s"
	for _, c := range []struct{ stmt, want string }{
		{"a[0] = shuffle(a[1], m[0]);", ""},
		{"a[0].xy = shuffle2(a[1], a[2], (uint2)(7, 0));", ""},
		{"int x = upsample(s[0], (ushort)1); long y = upsample(x, 1u); int2 z = upsample((short2)(1), " +
			"(ushort2)(2));", ""},
		{"event_t e = async_work_group_copy(l, g, 16, 0); e = async_work_group_strided_copy(l, g, 4, 2, e); " +
			"wait_group_events(1, &e);", ""},
		{"event_t e[2]; e[0] = async_work_group_copy(l, g, 16, 0); wait_group_events(2, e);", ""},

		{"a[0] = shuffle(a[1], (int4)(0));", "the mask is a vector of unsigned integers"},
		{"a[0] = shuffle(a[1].x, m[0]);", "vectors of one type are needed"},
		{"a[0].x = upsample(1.0f, 2.0f);", "two integers of one width"},
		{"async_work_group_copy(g, l, 16, 0);", "the destination is constant"},
		{"async_work_group_copy(l, a, 16, 0);", "two pointers to numbers or vectors of one type"},
	} {
		_, err := Parse(Config{File: "k.cl", Text: "__kernel void k(" + params + ") { " + c.stmt + " }",
			Dialect: ast.OpenCL})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.stmt, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.stmt, err, c.want)
		}
	}
}

// TestPipeIsOnlyAWord checks that pipes lose their own kernel alone and that the
// word may be a name in older programs.
func TestPipeIsOnlyAWord(t *testing.T) {
	u, err := Parse(Config{File: "k.cl", Dialect: ast.OpenCL, Text: `
__kernel void reader(read_only pipe int p, __global int *a) { a[0] = 1; }
__kernel void named(__global int *pipe) { int n = pipe[0]; pipe[1] = n; }`})
	if err != nil || u.Kernel("named") == nil || len(u.Kernels) != 1 {
		t.Fatalf("%v, %+v", err, u)
	}
	if b := u.BrokenKernel("reader"); b == nil || !strings.Contains(b.Err.Error(), "pipes are not supported") {
		t.Errorf("reader: %v", b)
	}
}
