/*@ origin */
/* heat.frag as CUDA: compiles steps.cu by NVRTC, which is found at run time. */
/*@ end */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program *program;

static struct {
    int (*create)(program *, const char *text, const char *name, int headers,
                  const char *const *text_of, const char *const *name_of);
    int (*compile)(program, int options, const char *const *option);
    int (*log_size)(program, size_t *size);
    int (*log)(program, char *log);
    int (*cubin_size)(program, size_t *size);
    int (*cubin)(program, char *cubin);
} nvrtc;

static void find_functions(void)
{
    static const char *const files[] = {"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so",
                                        "libnvrtc.so.13", "libnvrtc.so.12"};
    static const char *const names[] = {"nvrtcCreateProgram",    "nvrtcCompileProgram",
                                        "nvrtcGetProgramLogSize", "nvrtcGetProgramLog",
                                        "nvrtcGetCUBINSize",      "nvrtcGetCUBIN"};
    void *library = NULL;
    for (int k = 0; k < 4 && library == NULL; k++)
        library = dlopen(files[k], RTLD_NOW);
    for (int k = 0; k < 6; k++) {
        void *function = library != NULL ? dlsym(library, names[k]) : NULL;
        if (function == NULL) {
            fprintf(stderr, "error: found no NVRTC with %s\n", names[k]);
            exit(1);
        }
        memcpy((char *)&nvrtc + k * sizeof function, &function, sizeof function);
    }
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
    fclose(file);
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
    const char *const options[] = {argv[1],           "-std=c++17",      "-ftz=true", "-prec-div=true",
                                   "-prec-sqrt=true", "-fmad=false",     "-default-device", "-w", "-DMOST_AT_ONCE=16"};
    const char *text[HEADERS];
    program made;
    size_t size = 0;
    if (argc != 4)
        return 2;
    find_functions();
    for (int k = 0; k < HEADERS; k++)
        text[k] = k < HEADERS - OURS ? "" : read_file(name[k]);
    if (nvrtc.create(&made, read_file(argv[2]), argv[2], HEADERS, text, name) != 0)
        return 1;
    const int failed = nvrtc.compile(made, sizeof options / sizeof options[0], options);
    (failed ? nvrtc.log_size : nvrtc.cubin_size)(made, &size);
    char *result = (char *)malloc(size + 1);
    if (result == NULL)
        return 1;
    (failed ? nvrtc.log : nvrtc.cubin)(made, result);
    FILE *out = failed ? stderr : fopen(argv[3], "wb");
    return out == NULL || fwrite(result, 1, size, out) != size || fflush(out) != 0 || failed;
}
