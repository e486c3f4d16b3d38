// A stand-in for NVIDIA's driver: one device whose kernels take a time by a formula. It executes two
// kernels, by their names and their text: "count", and the microbenchmark of add.f32. Calls fail when
// asked to: STANDIN_FAIL=CALL:STATUS:N, or standin_fail, is the N-th CALL and all that follow.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { char *text; } module;
typedef struct { module *of; char name[64]; } function;
typedef struct { double at; } event;

static char failing[64];
static int failure, left = -1, devices = 1;
static double now; // seconds of the device

void standin_fail(const char *call, int status, int n) { snprintf(failing, sizeof failing, "%s", call); failure = status; left = n; }
void standin_devices(int n) { devices = n; }

static int fails(const char *call) {
	static int read;
	const char *asked = getenv("STANDIN_FAIL");
	if (!read++ && asked)
		sscanf(asked, "%63[^:]:%d:%d", failing, &failure, &left);
	if (left < 0 || strcmp(call, failing))
		return 0;
	if (left > 1) {
		left--;
		return 0;
	}
	return failure;
}
#define CALL int status = fails(__func__); if (status) return status

int cuInit(unsigned flags) { CALL; return devices ? 0 : 100; }
int cuDriverGetVersion(int *v) { CALL; *v = 12040; return 0; }
int cuDeviceGetCount(int *n) { CALL; *n = devices; return 0; }
int cuDeviceGet(int *d, int i) { CALL; *d = i; return 0; }
int cuDeviceGetName(char *name, int n, int d) { CALL; snprintf(name, n, "Stand-in GPU"); return 0; }
int cuDeviceTotalMem_v2(size_t *n, int d) { CALL; *n = 1 << 28; return 0; }
int cuDeviceGetAttribute(int *v, int attribute, int d) {
	CALL;
	switch (attribute) {
	case 1: *v = 1024; break;
	case 8: *v = 49152; break;
	case 10: *v = 32; break;
	case 13: *v = 1000000; break;
	case 16: *v = 2; break;
	case 38: *v = 1 << 20; break;
	case 39: *v = 1024; break;
	case 75: *v = 8; break;
	case 76: *v = 6; break;
	case 81: *v = 102400; break;
	case 82: *v = 65536; break;
	case 97: *v = 101376; break;
	case 106: *v = 16; break;
	default: return 1;
	}
	return 0;
}
int cuDevicePrimaryCtxRetain(void **c, int d) { CALL; *c = &devices; return 0; }
int cuDevicePrimaryCtxRelease_v2(int d) { CALL; return 0; }
int cuCtxSetCurrent(void *c) { CALL; return c == &devices ? 0 : 201; }
int cuModuleLoadData(module **m, const char *image) { CALL; *m = malloc(sizeof **m); (*m)->text = strdup(image); return 0; }
int cuModuleUnload(module *m) { CALL; free(m->text); free(m); return 0; }
int cuModuleGetFunction(function **f, module *m, const char *name) {
	CALL;
	char call[80];
	snprintf(call, sizeof call, " %s(", name);
	if (!strstr(m->text, call))
		return 500;
	*f = malloc(sizeof **f);
	(*f)->of = m;
	snprintf((*f)->name, sizeof (*f)->name, "%s", name);
	return 0;
}
int cuFuncSetAttribute(function *f, int attribute, int value) { CALL; return attribute == 8 && value <= 101376 ? 0 : 1; }
int cuMemAlloc_v2(uint64_t *p, size_t n) { CALL; if (n > 1 << 28) return 2; *p = (uint64_t)calloc(1, n); return 0; }
int cuMemFree_v2(uint64_t p) { CALL; free((void *)p); return 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t n) { CALL; memcpy((void *)to, from, n); return 0; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t n) { CALL; memcpy(to, (void *)from, n); return 0; }
int cuEventCreate(event **e, unsigned flags) { CALL; *e = calloc(1, sizeof **e); return 0; }
int cuEventRecord(event *e, void *stream) { CALL; e->at = now; return 0; }
int cuEventSynchronize(event *e) { CALL; return 0; }
int cuEventElapsedTime(float *ms, event *from, event *to) { CALL; *ms = (to->at - from->at) * 1000; return 0; }
int cuEventDestroy_v2(event *e) { CALL; free(e); return 0; }
int cuGetErrorString(int status, const char **text) { *text = status == 719 ? "unspecified launch failure" : "stand-in's error"; return 0; }

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, function *f, int items, size_t shared) {
	CALL;
	int warps = 32 / ((items + 31) / 32), memory = 102400 / (shared + 1024);
	*n = warps < 16 ? warps : 16;
	if (memory < *n)
		*n = memory;
	return 0;
}

static int times(const char *text, const char *word) {
	int n = 0;
	for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
		n++;
	return n;
}

// bench is the microbenchmark of add.f32: chains of additions.
static void bench(const char *text, long items, void **arg) {
	float *out = *(float **)arg[0], a = *(float *)arg[3];
	int iterations = *(int *)arg[2], chains = times(text, "    T r"), steps = times(text, "        r0 = "), additions = times(text, " r0 = r0 + a;");
	uint64_t *counters = *(uint64_t **)arg[5];
	for (long i = 0; i < items; i++)
		for (int c = 0; c < chains; c++) {
			float r = 2 * (i & 7) + 1 + 2 * c;
			if (i < 8 || i > items - 8 || i == items / 3 || i == items / 2 + 5) // those that are looked at
				for (long k = 0; k < (long)iterations * additions; k++)
					r += a;
			out[i * chains + c] = r;
		}
	// Latency 4, CPI 1/4, on two compute units.
	double latency = 4.0 / (chains ? chains : 1), busy = items / 64.0 / 4;
	double cycles = 1000 + (double)iterations * steps * chains * (latency > busy ? latency : busy);
	counters[0] = 5;
	counters[1] = 5 + cycles;
	now += cycles * 1e-9;
}

int cuLaunchKernel(function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **arg, void **extra) {
	CALL;
	long items = (long)gx * gy * gz * bx * by * bz;
	if (bx * by * bz > 1024 || shared > 101376)
		return 1;
	if (!strcmp(f->name, "hang"))
		sleep(30);
	if (!strcmp(f->name, "bench")) {
		bench(f->of->text, items, arg);
		return 0;
	}
	if (!strcmp(f->name, "count"))
		for (long i = 0; i < items; i++)
			(*(int **)arg[0])[i] = *(int *)arg[1] + i;
	now += 1e-5 + items * 1e-9;
	return 0;
}
