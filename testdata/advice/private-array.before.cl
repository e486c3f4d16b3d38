__kernel void sort8(__global float *a, int n)
{
    int i = get_global_id(0);
    float v[16];
    for (int k = 0; k < 16; k++) v[k] = a[i * 16 + k];
    for (int k = 0; k < 16; k++)
        for (int j = 0; j + 1 < n; j++)
            if (v[j] > v[j + 1]) { float t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }
    for (int k = 0; k < 16; k++) a[i * 16 + k] = v[k];
}
