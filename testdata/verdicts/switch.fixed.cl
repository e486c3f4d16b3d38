float a(float x) { for (int i = 0; i < 40; i++) x = mad(x, x, 0.3f); return x; }
float b(float x) { for (int i = 0; i < 40; i++) x = mad(x, 0.5f, x * x); return x; }
float c(float x) { for (int i = 0; i < 40; i++) x = mad(-x, x, x); return x; }
__kernel void kinds(__global float *v, uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    switch (i / 32 % 3) {
    case 0: v[i] = a(v[i]); break;
    case 1: v[i] = b(v[i]); break;
    default: v[i] = c(v[i]);
    }
}
