/*@ origin */
/* heat.frag as CUDA: compiles steps.cu by NVRTC, which is found at run time. */
/*@ end */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;

/* A function of NVRTC's, whose arguments are as in its manual. */
static int (*find(const char *name))()
{
    static const char *const files[] = {"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so",
                                        "libnvrtc.so.13", "libnvrtc.so.12"};
    for (int k = 0; k < 4 && library == NULL; k++)
        library = dlopen(files[k], RTLD_NOW);
    void *function = library != NULL ? dlsym(library, name) : NULL;
    if (function == NULL) {
        fprintf(stderr, "error: found no NVRTC with %s\n", name);
        exit(1);
    }
    return (int (*)())function;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (file == NULL || getdelim(&text, &size, '\0', file) < 1) {
        fprintf(stderr, "error: %s cannot be read\n", path);
        exit(1);
    }
    return text;
}

/* Arguments: -arch=KIND, the file, and that of the result. */
int main(int argc, char **argv)
{
    /* headers of the system, of which a device needs nothing, and our own */
    static const char *const name[] = {"stdio.h",  "string.h", "stdbool.h", "stddef.h", "math.h",
                                       "stdlib.h", "stdint.h", "stencil.h", "glsl.h",   "glsl.hpp"};
    enum { HEADERS = sizeof name / sizeof name[0], OURS = 3 };
    /* the bits of OpenGL: denormal numbers are zero, and nothing is fused */
    const char *const options[] = {argv[1],           "-std=c++17",       "-ftz=true",
                                   "-prec-div=true",  "-prec-sqrt=true",  "-fmad=false",
                                   "-default-device", "-DMOST_AT_ONCE=16"};
    const char *text[HEADERS];
    void *made;
    size_t size = 0;
    for (int k = 0; k < HEADERS; k++)
        text[k] = k < HEADERS - OURS ? "" : read_file(name[k]);
    find("nvrtcCreateProgram")(&made, read_file(argv[2]), argv[2], HEADERS, text, name);
    const int failed = find("nvrtcCompileProgram")(made, 8, options);
    find(failed ? "nvrtcGetProgramLogSize" : "nvrtcGetCUBINSize")(made, &size);
    char *result = (char *)malloc(size + 1);
    find(failed ? "nvrtcGetProgramLog" : "nvrtcGetCUBIN")(made, result);
    FILE *out = failed ? stderr : fopen(argv[3], "wb");
    return argc != 4 || out == NULL || fwrite(result, 1, size, out) != size || fflush(out) != 0 ||
           failed;
}
