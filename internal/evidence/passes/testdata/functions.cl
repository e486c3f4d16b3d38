// Small functions, each with something to do for a pass. What opt makes of them is in opt.tsv.
typedef global float *restrict F;
typedef global int *restrict I;

kernel void scalars(F o, F x, int i) { float a = x[i], b = a * 2.0f; a = b + a; o[i] = a - b; }
kernel void record(F o, F x, int i)
{
    struct { float re, im; } z;
    z.re = x[2 * i];
    z.im = x[2 * i + 1];
    o[i] = z.re * z.re + z.im * z.im;
}
kernel void fixed(F o, F x)
{
    float v[3];
    v[0] = x[0];
    v[1] = x[1];
    v[2] = v[0] + v[1];
    o[0] = v[2] * v[1];
}
kernel void table(F o, F x, int k)
{
    float v[2];
    v[0] = x[0];
    v[1] = x[1];
    o[0] = v[k];
}
kernel void identities(I o, int a, int b)
{
    o[0] = (a + 0) * 1 + (b - b) + (a ^ a);
    o[1] = (a & b) | (a & ~b);
    o[2] = -(-a);
    o[3] = a * 12 / 12;
}
kernel void shifts(global uint *restrict o, uint a, uint b)
{
    o[0] = a / 16 + b % 8;
    o[1] = (a << 3) >> 3;
    o[2] = (a >> 4) << 4;
    o[3] = a * 32;
}
kernel void compares(I o, int a, int b)
{
    o[0] = !(a < b);
    o[1] = a + 3 > 10;
    o[2] = (a == b) & (a != b);
    o[3] = a - b == 0;
}
kernel void conversions(I o, global uchar *restrict c, int a)
{
    o[0] = (int)(char)a;
    o[1] = c[0] & 255;
    o[2] = (int)(short)(a & 127);
}
kernel void maximum(F o, F x, int a)
{
    float m = x[0];
    if (x[1] > m) m = x[1];
    o[a > 3 ? a : 3] = m;
}
kernel void diamond(F o, int a, int b)
{
    int r;
    if (a < b) r = a + 1; else r = b - 1;
    o[r] = 1.0f;
}
kernel void chained(I o, int a, int b) { if (a > 0 && b > 0) o[0] = a; }
kernel void cases(I o, int a)
{
    int r = 0;
    switch (a) {
    case 0: r = 3; break;
    case 1: r = 5; break;
    case 2: r = 9; break;
    }
    o[0] = r;
}
kernel void associate(I o, int a, int b, int c)
{
    o[0] = (a + 3) + (b + 5);
    o[1] = a * b * c;
    o[2] = c * a * b;
    o[3] = (a + b) - a;
}
kernel void factors(I o, int a, int b, int c) { o[2] = a * 8 / 8; o[0] = a * b + a * c; o[1] = a + a + a; }
kernel void common(F o, F x, int i, int n)
{
    o[i] = x[i * n + 1] * x[i * n + 2];
    o[i + n] = x[i * n + 1] + x[i * n + 2];
}
kernel void forwarded(global float *o, global float *x, int i)
{
    o[i] = x[i] + 1.0f;
    o[i + 1] = o[i] * 2.0f;
}
kernel void partial(F o, F x, int a)
{
    float s = 0.0f;
    if (a > 0) { s = x[0]; o[1] = s; o[2] = s + 1.0f; o[3] = s * 3.0f; o[4] = s * 5.0f; o[5] = s * 7.0f; }
    o[0] = x[0] + s;
}
kernel void sunk(F o, F x, int a)
{
    float s = x[0] * x[1] + 3.0f;
    if (a > 0) { o[0] = s; o[1] = s * s; o[2] = s + s * 7.0f; o[3] = s * 9.0f; }
}
kernel void counted(F o, F x, int n)
{
    float s = 0.0f;
    for (int i = 0; i < n; ++i) s += x[i];
    o[0] = s;
}
kernel void hoisted(F o, F x, int n, int a, int b)
{
    for (int i = 0; i < n; ++i) o[i] = x[i] * (float)(a * b) + x[a];
}
kernel void kept_sum(F o, F x, int n)
{
    o[0] = 0.0f;
    for (int i = 0; i < n; ++i) o[0] += x[i];
}
kernel void endless(F o, F x) { int i = 0; while (x[i] > 0.0f) ++i; o[0] = (float)i; }
kernel void unswitched(F o, F x, int n, int a)
{
    for (int i = 0; i < n; ++i) {
        if (a > 0) o[i] = x[i] * 2.0f;
        else o[i + n] = x[i] + 3.0f;
    }
}
kernel void last_value(I o, int n)
{
    int k = 0;
    for (int i = 0; i < n; ++i) k += 3;
    o[0] = k;
}
kernel void eight(F o, F x)
{
    float s = 0.0f;
    for (int i = 0; i < 8; ++i) s += x[i];
    o[0] = s;
}
kernel void by_four(F o, F x, int n)
{
#pragma unroll 4
    for (int i = 0; i < n; ++i) o[i] = x[i] * 2.0f;
}
kernel void nest(F o, F x, int n)
{
    for (int i = 0; i < n; ++i) {
        float s = 0.0f;
        for (int j = 0; j < 3; ++j) s += x[i * 3 + j];
        o[i] = s;
    }
}
kernel void overwritten(F o, F x, int i)
{
    o[i] = 1.0f;
    o[i + 1] = x[0];
    o[i] = x[1];
    float t[2];
    t[0] = x[2];
    t[1] = x[3];
}
kernel void unused(F o, F x, int i) { float a = x[i], b = x[i + 1] * a; int c = i * i + 3; o[0] = a; }
kernel void adjacent(F o, F x)
{
    o[0] = x[0] + 1.0f;
    o[1] = x[1] + 1.0f;
    o[2] = x[2] + 1.0f;
    o[3] = x[3] + 1.0f;
}
