#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a) { cg::thread_block b = cg::this_thread_block(); a[b.thread_index().y * 32 + b.thread_index().x] = b.group_index().z; }
