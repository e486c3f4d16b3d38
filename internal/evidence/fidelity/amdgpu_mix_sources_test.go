package fidelity

import "strings"

// amdStatements are kernels of one statement each, which show what LLVM makes of integers,
// addresses and what is the same in all lanes for AMD's GPUs.
func amdStatements() (list []source) {
	for _, k := range []struct{ name, parameters, body string }{
		{"index of floats", "__global const float *a, __global float *b", "b[x] = a[x];"},
		{"index of bytes", "__global const char *a, __global float *b, int n", "b[x] = a[x * n];"},
		{"index, unsigned", "__global const float *a, __global float *b, uint n", "b[(uint)x] = a[(uint)x * n];"},
		{"index of 64 bits", "__global const float *a, __global float *b, long n", "b[x] = a[x * n];"},
		{"index of five buffers", "__global const float *a, __global float *b, __global const float *c, __global " +
			"const float *d, __global float *e", "float s = a[x] + c[x] + d[x]; b[x] = s; e[x] = s;"},
		{"index of a group", "__global const float *a, __global float *b, int n",
			"b[x] = a[(int)get_group_id(0) * n + (int)get_local_id(0)];"},
		{"index of local ids", "__global const float *a, __global float *b",
			"b[get_local_id(0)] = a[get_local_id(0)];"},
		{"neighbours", "__global const int *a, __global int *b", "b[x] = a[x] + a[x + 1] + a[x + 2];"},
		{"a row apart", "__global const int *a, __global int *b, int n", "b[x] = a[x] + a[x + n] + a[x + 2 * n];"},
		{"sum of five", "__global const int *a, __global int *b",
			"b[x] = a[x] + a[x + 1] - a[x + 2] + a[x + 3] - a[x + 4];"},
		{"shift and sum", "__global const int *a, __global int *b", "b[x] = (a[x] << 3) + a[x + 1];"},
		{"logic of three", "__global const int *a, __global int *b", "b[x] = (a[x] & a[x + 1]) | a[x + 2];"},
		{"remainder by a power of two", "__global int *b, int n", "b[x] = (x - n) % 64;"},
		{"bounds", "__global int *b, int n, int m",
			"int y = get_global_id(1); if (x > 0 && x < n && y > 0 && y < m) b[y] = x;"},
		{"same in all lanes", "__global const float *a, __global float *b, int n",
			"int g = get_group_id(0); b[x] = a[(g * n + 3) & (n - 1)] * a[(g + n) * 5];"},
		{"condition of the group", "__global const float *a, __global float *b, int n",
			"int g = get_group_id(0); if ((g & 1) == 0 && g * 3 < n) b[x] = a[x] * g;"},
		{"constants", "__constant float *a, __global float *b", "b[x] = a[0] + a[1] * a[2] + a[3] * x;"},
		{"local memory", "__global const float *a, __global float *b",
			"__local float s[32][33]; int t = get_local_id(0), y = get_local_id(1); s[y][t] = a[x]; " +
				"barrier(CLK_LOCAL_MEM_FENCE); b[x] = s[t][y];"},
		{"rolled loop of floats", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) s += a[i * 64 + (int)get_local_id(0)]; " +
				"b[x] = s;"},
		{"rolled loop of columns", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) s += a[x * n + i]; b[x] = s;"},
		{"rolled loop of rows", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) s += a[i * n + x]; b[x] = s;"},
		{"rolled loop of the same", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) s += a[i] * x; b[x] = s;"},
		{"rolled loop of constants", "__constant float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) s += a[i] * x; b[x] = s;"},
		{"loop of eight constants", "__constant float *a, __global const float *c, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) { _Pragma(\"unroll\") for (int j = 0; j " +
				"< 8; j++) s += a[i * 8 + j] * c[i * n + x + j]; } b[x] = s;"},
		{"loop of the local memory", "__global const float *a, __global float *b, int n",
			"__local float s[1024]; int t = get_local_id(0); s[t] = a[x]; s[t + 512] = a[x + 1]; " +
				"barrier(CLK_LOCAL_MEM_FENCE); float r = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) r += " +
				"s[i * 4 + t] * s[i]; b[x] = r;"},
		{"loop of a grid", "__global const float *a, __global float *b, int n",
			"_Pragma(\"unroll 1\") for (int i = x; i < n * 64; i += (int)get_global_size(0)) b[i] = a[i] * 2;"},
		{"loop of a group", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = get_local_id(0); i < n * 64; i += 64) s += a[i]; " +
				"b[x] = s;"},
		{"loop with a condition", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 1\") for (int i = 0; i < n; i++) if (i & 3) s += a[i * 64 + x]; else s += " +
				"b[x]; b[x] = s;"},
		{"loop by eight", "__global const float *a, __global float *b, int n",
			"float s = 0; _Pragma(\"unroll 8\") for (int i = 0; i < n; i++) s += a[i * 1024 + x]; b[x] = s;"},
	} {
		args := ""
		for _, a := range []string{"n=48", "m=512"} {
			if strings.Contains(k.parameters, " "+a[:1]) {
				args += " arg." + a
			}
		}
		list = append(list, source{
			name: "statement: " + k.name, file: "k.cl", only: []string{"k"},
			text: "// idgen: local=32,8 groups=64,64" + args + "\n__kernel __attribute__((reqd_work_group_size(32, " +
				"8, 1))) void k(" + strings.ReplaceAll(k.parameters, "*", "*restrict ") +
				")\n{\n    int x = get_global_id(0);\n    " + k.body + "\n}\n",
		})
	}
	return list
}

// amdMixSources are the kernels of which the instructions are counted for AMD's GPUs, besides
// the built-in ones: statements, and kernels as people write them.
func amdMixSources() []source {
	list := amdStatements()
	for _, k := range []struct{ name, text string }{
		{"tiled product", `// idgen: local=16,16 groups=32,32 arg.n=512
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void k(__global float *restrict c, __global const float *restrict a, __global const float *restrict b, const int n)
{
    __local float as[64][17], bs[16][64];
    const int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 64, row = get_group_id(1) * 64;
    float sum[4][4] = {{0}};
    #pragma unroll 1
    for (int k = 0; k < n; k += 16) {
        #pragma unroll
        for (int i = 0; i < 4; i++) {
            as[y + 16 * i][x] = a[(row + y + 16 * i) * n + k + x];
            bs[y][x + 16 * i] = b[(k + y) * n + column + x + 16 * i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int j = 0; j < 16; j++)
            #pragma unroll
            for (int r = 0; r < 4; r++)
                #pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += as[y * 4 + r][j] * bs[j][x * 4 + q];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int r = 0; r < 4; r++)
        #pragma unroll
        for (int q = 0; q < 4; q++)
            c[(row + y * 4 + r) * n + column + x * 4 + q] = sum[r][q];
}
`},
		{"stencil of seven points", `// idgen: local=64,4 groups=8,32 arg.nx=512 arg.ny=128 arg.nz=64
__kernel void k(__global const float *restrict a, __global float *restrict b, const int nx, const int ny, const int nz)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1)
        return;
    float below = a[y * nx + x], here = a[(ny + y) * nx + x];
    #pragma unroll 1
    for (int z = 1; z < nz - 1; z++) {
        const int i = (z * ny + y) * nx + x;
        const float above = a[i + nx * ny];
        b[i] = below + above + a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] - 6 * here;
        below = here;
        here = above;
    }
}
`},
		{"convolution of 9x9", `// idgen: local=32,8 groups=16,64 arg.w=512
__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void k(__global const float *restrict in, __global float *restrict out, __constant float *f, const int w)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    #pragma unroll 1
    for (int j = 0; j < 9; j++)
        #pragma unroll
        for (int i = 0; i < 9; i++)
            s += in[(y + j) * (w + 8) + x + i] * f[j * 9 + i];
    out[y * w + x] = s;
}
`},
		{"reduction of a grid", `// idgen: local=256 groups=64 arg.n=1048576
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void k(__global const float *restrict a, __global float *restrict b, const int n)
{
    __local float m[256];
    const int t = get_local_id(0);
    float s = 0;
    #pragma unroll 1
    for (int i = get_global_id(0); i < n; i += 256 * 64)
        s += a[i];
    m[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll 1
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            m[t] += m[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        b[get_group_id(0)] = m[0];
}
`},
		{"bodies", `// idgen: local=64 groups=64 arg.n=512
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global const float4 *restrict p, __global float4 *restrict v, const int n, const float e)
{
    const int x = get_global_id(0);
    const float4 me = p[x];
    float ax = 0, ay = 0, az = 0;
    #pragma unroll 1
    for (int j = 0; j < n; j++) {
        const float4 o = p[j];
        const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
        const float r = rsqrt(dx * dx + dy * dy + dz * dz + e), f = o.w * r * r * r;
        ax += dx * f;
        ay += dy * f;
        az += dz * f;
    }
    v[x] = (float4)(ax, ay, az, 0);
}
`},
		{"copy of a grid", `// idgen: local=256 groups=64 arg.n=1048576
__kernel void k(__global const float4 *restrict a, __global float4 *restrict b, const int n)
{
    for (int i = get_global_id(0); i < n / 4; i += get_global_size(0))
        b[i] = a[i];
}
`},
		{"histogram of a row", `// idgen: local=64 groups=128 arg.n=512
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global const uint *restrict a, __global uint *restrict b, const int n)
{
    __local uint m[256];
    const int t = get_local_id(0);
    #pragma unroll
    for (int i = 0; i < 4; i++)
        m[t + 64 * i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll 1
    for (int i = t; i < n; i += 64)
        atomic_inc(&m[a[get_group_id(0) * n + i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int i = 0; i < 4; i++)
        b[get_group_id(0) * 256 + t + 64 * i] = m[t + 64 * i];
}
`},
		{"sum of a sparse row", `// idgen: local=64 groups=128 arg.n=16
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global const float *restrict value, __global const int *restrict column, __global const float *restrict x, __global float *restrict y, const int n, const int rows)
{
    const int row = get_global_id(0);
    float s = 0;
    #pragma unroll 1
    for (int j = 0; j < n; j++)
        s += value[j * rows + row] * x[column[j * rows + row]];
    y[row] = s;
}
`},
	} {
		list = append(list, source{name: k.name, file: "k.cl", text: k.text, only: []string{"k"}})
	}
	return list
}
