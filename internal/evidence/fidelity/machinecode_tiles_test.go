package fidelity

import "fmt"

// resultTile is a matrix product in which each work item has a square of results in
// private arrays, without a pragma that unrolls: a loop of a constant number of steps
// within the loop over blocks, and one over the results.
type resultTile struct{ size, steps int }

func resultTiles() []resultTile {
	return []resultTile{{2, 8}, {2, 64}, {2, 256}, {4, 8}, {4, 16}, {4, 64}, {6, 8}, {6, 32}, {8, 4}, {8, 8},
		{8, 16}, {8, 32}}
}

func (k resultTile) source() source {
	return source{
		name: fmt.Sprintf("tile %dx%d, %d steps", k.size, k.size, k.steps),
		file: "tile.cu", only: []string{"tiled"}, defines: []string{fmt.Sprintf("TILE=%d", k.size),
			fmt.Sprintf("STEPS=%d", k.steps)},
		text: resultTileText,
	}
}

const resultTileText = `// idgen: local=16,8 groups=64,64 arg.n=1024 arg.blocks=6
__global__ void tiled(const float *a, const float *b, float *c, int n, int blocks, float alpha, float beta) {
    __shared__ float as[16 * TILE][STEPS], bs[STEPS][8 * TILE];
    float sum[TILE * TILE] = {0}, column[TILE], row[TILE];
    int id = 16 * threadIdx.y + threadIdx.x;
    #pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
        #pragma unroll 1
        for (int i = id; i < 16 * TILE * STEPS; i += 128) as[i / STEPS][i % STEPS] = a[block * n + i];
        #pragma unroll 1
        for (int i = id; i < 8 * TILE * STEPS; i += 128) bs[i / (8 * TILE)][i % (8 * TILE)] = b[block * n + i];
        __syncthreads();
        for (int step = 0; step < STEPS; ++step) {
            for (int i = 0; i < TILE; ++i) column[i] = as[TILE * threadIdx.x + i][step];
            for (int j = 0; j < TILE; ++j) row[j] = bs[step][TILE * threadIdx.y + j];
            for (int i = 0; i < TILE; ++i)
                for (int j = 0; j < TILE; ++j) sum[i * TILE + j] += column[i] * row[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TILE; ++i)
        for (int j = 0; j < TILE; ++j) {
            int at = (TILE * threadIdx.x + i) * n + TILE * threadIdx.y + j;
            c[at] = alpha * sum[i * TILE + j] + beta * c[at];
        }
}
`
