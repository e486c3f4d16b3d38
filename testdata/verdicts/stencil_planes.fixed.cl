// Heat in three dimensions, with the column as the first number of a work item.
__kernel void heat(__global const float *a, __global float *b, int nx, int ny, int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int c = (z * ny + y) * nx + x;
  b[c] = a[c] + 0.1f * (a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny] - 6.0f * a[c]);
}
