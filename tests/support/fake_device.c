/* SPDX-License-Identifier: MIT */
/* A libnvrtc.so and a libcuda.so.1 of a device that is made up, for tests of kernels in CUDA where
 * there is none: the C++ compiler makes "cubins" of texts, and this processor runs them, thread
 * after thread. Kernels that share memory or wait for each other are not for it. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* nobody includes them */

enum { GOOD, OUT_OF_MEMORY = 2, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, BAD_TEXT = 6 };

/* ---- NVRTC ---- */

struct program {
    char *text, *name, *made; /* the last is a cubin, or what the compiler says */
    size_t size;
};

static const char before[] =
    "#include <utility>\n#define __global__\n#define __device__\n"
    "#define __launch_bounds__(...)\nstatic struct { unsigned x, y, z; } gridDim, blockDim, "
    "blockIdx, threadIdx;\n#line 1 \"%s\"\n%s\n";

/* A launch of each kernel, whose arguments are behind pointers. */
static const char after[] =
    "template <class... A, std::size_t... I>\n"
    "static void call(void (*f)(A...), void **a, std::index_sequence<I...>)\n"
    "{\n    f(*(A *)a[I]...);\n}\n"
    "template <class... A> static void launch(void (*f)(A...), const unsigned *d, void **a)\n"
    "{\n    gridDim = {d[0], d[1], d[2]};\n    blockDim = {d[3], d[4], d[5]};\n"
    "    for (unsigned k = 0; k < d[0] * d[1]; k++)\n"
    "        for (unsigned i = 0; i < d[3] * d[4]; i++) {\n"
    "            blockIdx = {k % d[0], k / d[0], 0};\n"
    "            threadIdx = {i % d[3], i / d[3], 0};\n"
    "            call(f, a, std::index_sequence_for<A...>());\n        }\n}\n";

/* Kernels' names, and a launch of each. */
static void put_launches(const char *text, FILE *out)
{
    while ((text = strstr(text, "__global__")) != NULL) {
        char name[64];
        const char *at = strstr(text, "void");
        text += strlen("__global__");
        if (at == NULL)
            return;
        at += strlen("void") + strspn(at + strlen("void"), " \n");
        if (strncmp(at, "__launch_bounds__", 17) == 0 && (at = strchr(at, ')')) != NULL)
            at += 1 + strspn(at + 1, " \n");
        if (at != NULL && sscanf(at, "%63[a-zA-Z_0-9]", name) == 1)
            fprintf(out,
                    "extern \"C\" __attribute__((visibility(\"default\"))) void launch_%s(const "
                    "unsigned *d, void **a)\n{\n    launch(%s, d, a);\n}\n",
                    name, name);
    }
}

static void read_file(const char *path, struct program *program)
{
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    program->size = (size_t)ftell(file);
    rewind(file);
    program->made = calloc(program->size + 1, 1);
    program->size = fread(program->made, 1, program->size, file);
    fclose(file);
}

int nvrtcVersion(int *major, int *minor)
{
    *major = 0;
    *minor = 1;
    return GOOD;
}

int nvrtcCreateProgram(void **out, const char *text, const char *name, int count,
                       const char *const *texts, const char *const *headers)
{
    struct program *program = calloc(1, sizeof *program);
    (void)count, (void)texts, (void)headers;
    program->text = strdup(text);
    for (char *own = program->text; (own = strstr(own, "#include <cuda")) != NULL;)
        memcpy(own, "//", 2); /* headers that are there without a file */
    program->name = strdup(name);
    *out = program;
    return GOOD;
}

int nvrtcCompileProgram(void *handle, int count, const char *const *options)
{
    struct program *program = handle;
    const char *cc = getenv("OTHER");
    char folder[] = "/tmp/fake-XXXXXX", path[64], command[512];
    (void)count, (void)options;
    if (mkdtemp(folder) == NULL)
        return OUT_OF_MEMORY;
    snprintf(path, sizeof path, "%s/text", folder);
    FILE *out = fopen(path, "w");
    fprintf(out, before, program->name, program->text);
    fputs(after, out);
    put_launches(program->text, out);
    fclose(out);
    snprintf(command, sizeof command,
             "%.200s -x c++ -std=c++17 -O1 -w -fPIC -shared -fvisibility=hidden -fno-gnu-unique "
             "%s/text -o %s/made 2>%s/said",
             cc != NULL ? cc : "cc", folder, folder, folder);
    const int code = system(command);
    snprintf(path, sizeof path, "%s/%s", folder, code == 0 ? "made" : "said");
    read_file(path, program);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && code == 0 ? GOOD : BAD_TEXT;
}

int nvrtcGetCUBINSize(void *program, size_t *size)
{
    *size = ((struct program *)program)->size;
    return GOOD;
}

int nvrtcGetProgramLogSize(void *program, size_t *size)
{
    return nvrtcGetCUBINSize(program, size);
}

int nvrtcGetCUBIN(void *program, char *out)
{
    memcpy(out, ((struct program *)program)->made, ((struct program *)program)->size);
    return GOOD;
}

int nvrtcGetProgramLog(void *program, char *out)
{
    return nvrtcGetCUBIN(program, out);
}

int nvrtcDestroyProgram(void **handle)
{
    struct program *program = *handle;
    free(program->text);
    free(program->name);
    free(program->made);
    free(program);
    *handle = NULL;
    return GOOD;
}

/* ---- The driver ---- */

static int ended; /* an error after which the device does nothing more */
static sigjmp_buf back;

int cuInit(unsigned flags)
{
    (void)flags;
    return GOOD;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return GOOD;
}

int cuDeviceGetAttribute(int *value, int what, int device)
{
    (void)device;
    *value = what == 75 ? 9 : 0;
    return GOOD;
}

int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "a device that is made up");
    return GOOD;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = &ended;
    return GOOD;
}

int cuCtxSetCurrent(void *context)
{
    (void)context;
    return GOOD;
}

int cuCtxSynchronize(void)
{
    return ended;
}

int cuGetErrorString(int error, const char **text)
{
    *text = error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "another error";
    return GOOD;
}

/* A shared object ends with the list of its sections, whose place it knows. */
int cuModuleLoadData(void **module, const char *image)
{
    unsigned long list;
    unsigned short each, count;
    char path[64];
    memcpy(&list, image + 0x28, sizeof list);
    memcpy(&each, image + 0x3a, sizeof each);
    memcpy(&count, image + 0x3c, sizeof count);
    const int file = memfd_create("cubin", 0);
    const size_t size = list + (size_t)each * count;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    *module =
        write(file, image, size) == (ssize_t)size ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return *module != NULL ? GOOD : NOT_FOUND;
}

int cuModuleUnload(void *module)
{
    return dlclose(module);
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    char own[128];
    snprintf(own, sizeof own, "launch_%s", name);
    *function = dlsym(module, own);
    return *function != NULL ? GOOD : NOT_FOUND;
}

enum { FENCE = 1 << 20 };

int cuMemAlloc_v2(void **out, size_t bytes)
{
    char *all = mmap(NULL, bytes + 2 * FENCE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + FENCE, bytes, PROT_READ | PROT_WRITE) != 0)
        return OUT_OF_MEMORY;
    *out = all + FENCE;
    return GOOD;
}

int cuMemcpy(void *to, const void *from, size_t bytes)
{
    if (ended == GOOD)
        memcpy(to, from, bytes);
    return ended;
}

int cuMemsetD8_v2(void *to, unsigned char byte, size_t count)
{
    if (ended == GOOD)
        memset(to, byte, count);
    return ended;
}

static void leave(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

int cuLaunchKernel(void (*kernel)(const unsigned *, void **), unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **arguments, void **extra)
{
    const unsigned sizes[] = {gx, gy, gz, bx, by, bz};
    struct sigaction own = {.sa_handler = leave}, old;
    (void)shared, (void)stream, (void)extra;
    if (ended != GOOD)
        return ended;
    sigaction(SIGSEGV, &own, &old);
    if (sigsetjmp(back, 1) == 0)
        kernel(sizes, arguments);
    else
        ended = ILLEGAL_ADDRESS;
    sigaction(SIGSEGV, &old, NULL);
    return GOOD; /* as a device does that has not begun yet */
}
