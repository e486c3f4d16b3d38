package resolve

import "testing"

// TestTextureReferences: a fetch gives what the declaration of the texture says, and a program may use the names for
// types of its own.
func TestTextureReferences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"texture<float> in;\n__global__ void k(float *o) { o[0] = tex1Dfetch(in, 3); }",
			"o[0] = tex1Dfetch.float(in, 3)"},
		{"static texture<int2, cudaTextureType2D, cudaReadModeElementType> in;\n__global__ void k(int *o) { o[0] = " +
			"tex2D(in, 1, 2).y; }",
			"tex2D.int2(in, (float2){1.0f, 2.0f}).s1"},
		{"texture<uchar4, 2, cudaReadModeNormalizedFloat> in;\n__global__ void k(float4 *o) { o[0] = tex2D(in, " +
			"1, 2); }", "tex2D.float4(in"},
		{"surface<void, cudaSurfaceType2D> out;\n__global__ void k(float *o) { surf2Dwrite(o[0], out, 4, 5); }",
			"surf2Dwrite.void(out, (int2){4, 5}, o[0])"},
		{"template <typename T> struct texture { T *p; };\nstruct surface { float r; };\n__global__ void k(float *o, " +
			"texture<float> t, surface s) { o[0] = *t.p + s.r; }",
			"(*t.p) + s.r"},
	} {
		readsAs(t, c.text, c.text, c.want)
	}
}
