kernel void triangle(global const float *a, global float *b) {
  int x = get_global_id(0);
  float s = 0;
  for (int j = 0; j < x; j++) s += a[j];
  b[x] = s;
}
