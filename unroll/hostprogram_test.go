package unroll_test

// hostPrelude is what random kernels use of OpenCL, for the host. What accesses memory says so itself.
const hostPrelude = `
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned uint; typedef unsigned long ulong, size_t;
typedef int int2 __attribute__((ext_vector_type(2))), int4 __attribute__((ext_vector_type(4)));
#define UNSEEN static __attribute__((overloadable, no_sanitize("coverage")))
void array(int object, ulong address, ulong size);
void seen(int kind, ulong address, uint width);
size_t get_local_id(uint), get_global_id(uint), get_group_id(uint), get_local_size(uint), get_global_size(uint);
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fence) seen(3, 0, 0)
UNSEEN int min(int x, int y) { return x < y ? x : y; }
UNSEEN int max(int x, int y) { return x > y ? x : y; }
UNSEEN uint abs(int x) { return x < 0 ? 0u - (uint)x : x; }
UNSEEN int mul_hi(int x, int y) { return (long)x * y >> 32; }
UNSEEN int mad24(int x, int y, int z) { return x * y + z; }
UNSEEN int2 vload2(size_t i, const global int *p) { seen(0, (ulong)(p + 2 * i), 8); return (int2)(p[2 * i], p[2 * i + 1]); }
UNSEEN void vstore2(int2 x, size_t i, global int *p) { seen(1, (ulong)(p + 2 * i), 8); p[2 * i] = x.x; p[2 * i + 1] = x.y; }
#define ATOMIC(space, name, result) \
	UNSEEN int name(volatile space int *p, int x) { int old = *p; seen(2, (ulong)p, 4); *p = result; return old; }
ATOMIC(global, atomic_add, old + x)
ATOMIC(local, atomic_add, old + x)
ATOMIC(global, atomic_xchg, x)
ATOMIC(local, atomic_xchg, x)
ATOMIC(global, atomic_max, old > x ? old : x)
`

// hostMain executes every kernel of launches.h, one work item of the group in the middle after the other, and
// writes the accesses of its memory. A kernel that traps (the least integer divided by -1) or makes too many
// is given up.
const hostMain = `
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch {
	void (*kernel)(void *, void *, void *, int, unsigned, long, void *);
	long local[3], groups[3];
	int n;
	unsigned m;
	long q;
};
#include "launches.h"

enum { A, B, V, C, S, P, T, OBJECTS };
enum { LOAD, STORE, ATOMIC, BARRIER };
enum { MOST = 1 << 21, BYTES = 1 << 22 };

static struct { uintptr_t at; size_t size; } objects[OBJECTS];
static struct { uint16_t item; uint8_t kind, object; uint32_t width; int64_t offset; } events[MOST];
static uint32_t count;
static sigjmp_buf given_up;
static const struct launch *l;
static long id[3];
static int item;

static void give_up(int signal) { siglongjmp(given_up, 1); }

void array(int object, uintptr_t address, size_t size) { objects[object].at = address; objects[object].size = size; }

void seen(int kind, uintptr_t address, unsigned width) {
	int object = OBJECTS;
	if (kind != BARRIER) {
		for (object = 0; object < OBJECTS && address - objects[object].at >= objects[object].size; object++)
			;
		if (object == OBJECTS) return; /* a variable */
	}
	if (count == MOST) give_up(0);
	events[count].item = item;
	events[count].kind = kind;
	events[count].object = object;
	events[count].width = width;
	events[count].offset = kind == BARRIER ? 0 : address - objects[object].at;
	count++;
}

#define TRACED(bytes) \
	void __sanitizer_cov_load##bytes(void *p) { seen(LOAD, (uintptr_t)p, bytes); } \
	void __sanitizer_cov_store##bytes(void *p) { seen(STORE, (uintptr_t)p, bytes); }
TRACED(1) TRACED(2) TRACED(4) TRACED(8) TRACED(16)

unsigned long get_local_id(unsigned d) { return d < 3 ? id[d] : 0; }
unsigned long get_group_id(unsigned d) { return d < 3 ? l->groups[d] / 2 : 0; }
unsigned long get_local_size(unsigned d) { return d < 3 ? l->local[d] : 1; }
unsigned long get_global_size(unsigned d) { return d < 3 ? l->local[d] * l->groups[d] : 1; }
unsigned long get_global_id(unsigned d) { return d < 3 ? get_group_id(d) * l->local[d] + id[d] : 0; }

int main(void) {
	for (int o = A; o <= C; o++) array(o, (uintptr_t)aligned_alloc(256, BYTES), BYTES);
	struct sigaction action = {.sa_handler = give_up, .sa_flags = SA_NODEFER};
	sigaction(SIGFPE, &action, 0);
	for (size_t k = 0; k < sizeof launches / sizeof *launches; k++) {
		l = &launches[k];
		count = item = 0;
		for (int o = A; o <= C; o++) memset((void *)objects[o].at, 0, BYTES);
		volatile uint32_t ended = 0;
		if (!sigsetjmp(given_up, 1)) {
			for (id[2] = 0; id[2] < l->local[2]; id[2]++)
				for (id[1] = 0; id[1] < l->local[1]; id[1]++)
					for (id[0] = 0; id[0] < l->local[0]; id[0]++, item++) {
						for (int o = S; o < OBJECTS; o++) objects[o].size = 0;
						l->kernel((void *)objects[A].at, (void *)objects[B].at, (void *)objects[V].at, l->n, l->m, l->q, (void *)objects[C].at);
					}
			ended = 1;
		}
		if (!ended) count = 0;
		fwrite((void *)&ended, 4, 1, stdout);
		fwrite(&count, 4, 1, stdout);
		fwrite(events, sizeof *events, count, stdout);
	}
	return 0;
}
`
