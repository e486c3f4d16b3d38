// What decides at the edge of a rule, a kernel each.
kernel void saturated(global float *x, int n) { x[convert_ulong_sat(n - 1)] = n; }
kernel void uniform(global float *x, long n, long m, double d) { // and a subscript below an array behind another
  local float a[8], b[8];
  int i = get_local_id(0);
  if (n == m) x[1] = 2;
  if (d == 2) x[3] = 4;
  a[i & 7] = i;
  b[i & 7] = x[i];
  x[i] = b[i - 99] + a[i & 3];
}
struct V { float4 v; int k; };
kernel void elided(global float *x) { struct V s = {1, 2, 3, 4, 5}; x[0] = s.v.w + s.k; }
