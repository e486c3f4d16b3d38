// A stand-in for NVRTC: the machine code of a program is its text. A line with "undeclared" is an error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *text, name[128], log[256], kernel[64]; } program;

int nvrtcCreateProgram(program **p, const char *text, const char *name, int n, void *headers, void *names) {
	*p = calloc(1, sizeof **p);
	(*p)->text = strdup(text);
	snprintf((*p)->name, sizeof (*p)->name, "%s", name);
	return 0;
}
int nvrtcCompileProgram(program *p, int n, const char **options) {
	if (n < 1 || strcmp(options[0], ARCHITECTURE)) {
		snprintf(p->log, sizeof p->log, "nvrtc: error: invalid value for --gpu-architecture");
		return 5;
	}
	char *wrong = strstr(p->text, "undeclared");
	if (!wrong)
		return 0;
	int line = 1;
	for (char *c = p->text; c < wrong; c++)
		line += *c == '\n';
	snprintf(p->log, sizeof p->log, "%s(%d): error: identifier \"undeclared\" is undefined\n", p->name, line);
	return 6;
}
int nvrtcAddNameExpression(program *p, const char *name) { snprintf(p->kernel, sizeof p->kernel, "%s", name); return 0; }
int nvrtcGetLoweredName(program *p, const char *name, const char **lowered) { *lowered = p->kernel; return strcmp(name, p->kernel) ? 10 : 0; }
int nvrtcGetProgramLogSize(program *p, size_t *n) { *n = strlen(p->log) + 1; return 0; }
int nvrtcGetProgramLog(program *p, char *log) { strcpy(log, p->log); return 0; }
int nvrtcGetPTXSize(program *p, size_t *n) { *n = strlen(p->text) + 1; return 0; }
int nvrtcGetPTX(program *p, char *text) { strcpy(text, p->text); return 0; }
#ifndef OLD
int nvrtcGetCUBINSize(program *p, size_t *n) { *n = strlen(p->text) + 1; return 0; }
int nvrtcGetCUBIN(program *p, char *text) { strcpy(text, p->text); return 0; }
#endif
int nvrtcDestroyProgram(program **p) { free((*p)->text); free(*p); *p = 0; return 0; }
