package encoding

import "strings"

// CUDA's textures and surfaces: texture and surface objects, and the older
// texture references, are images whose pixels have the type that a fetch asks
// for. Rewriting makes tex2D<float4>(t, x, y) of the name and a pointer that
// stands for the type: __kl_tex2D((float4 *)0, t, x, y).
const (
	TexturePrefix = "__kl_"
	TexelMark     = "__kl_texel" // of a reference: NAME__kl_texel is the type of its pixels
)

// TextureDims are the coordinates of the texture functions, layers and faces
// included; what follows them is a level of detail or a gradient.
var TextureDims = map[string]int{
	"tex1Dfetch": 1, "tex1D": 1, "tex2D": 2, "tex3D": 3, "tex1DLod": 1, "tex2DLod": 2, "tex3DLod": 3, "tex1DGrad": 1, "tex2DGrad": 2, "tex3DGrad": 3,
	"tex1DLayered": 2, "tex2DLayered": 3, "texCubemap": 3, "texCubemapLod": 3, "texCubemapLayered": 4, "tex2DLayeredLod": 3, "tex2Dgather": 2,
}

// surfaceDims are the coordinates of the surface functions; the first one
// counts bytes.
var surfaceDims = map[string]int{"surf1D": 1, "surf2D": 2, "surf3D": 3, "surf1DLayered": 2, "surf2DLayered": 3, "surfCubemap": 3}

// SurfaceFunction takes the name of a surface function apart.
func SurfaceFunction(name string) (dims int, write, ok bool) {
	if base, found := strings.CutSuffix(name, "read"); found {
		return surfaceDims[base], false, surfaceDims[base] > 0
	}
	base, found := strings.CutSuffix(name, "write")
	return surfaceDims[base], true, found && surfaceDims[base] > 0
}
