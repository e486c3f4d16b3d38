package encoding

// Opaque types that the checker knows by name.
const (
	TypeSampler = "sampler_t"
	TypeEvent   = "event_t"
)

// OpenCLOpaque are the types of OpenCL C that are typedefs of int in the prelude and no numbers.
var OpenCLOpaque = []string{"image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t", "image2d_depth_t", "image2d_array_depth_t",
	"image2d_msaa_t", "image2d_array_msaa_t", "image2d_msaa_depth_t", "image2d_array_msaa_depth_t", "image3d_t", "sampler_t", "event_t",
	"queue_t", "ndrange_t", "clk_event_t", "reserve_id_t"}

// HalfPairNames are the names of the pairs of halves of CUDA.
var HalfPairNames = []string{"half2", "__half2", "__nv_bfloat162", "nv_bfloat162"}

// CUDAOpaque are the types of CUDA that are typedefs of int in the prelude and have a meaning of their own.
var CUDAOpaque = []string{"half2", "__half2", "__nv_bfloat162", "nv_bfloat162", "cudaTextureObject_t", "cudaSurfaceObject_t", "cudaStream_t", "cudaEvent_t", TypeCallable}
