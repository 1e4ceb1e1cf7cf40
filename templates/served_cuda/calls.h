/*@ origin */
/* heat.frag as CUDA: the runtime's calls by the driver, which is found at run time. */
/*@ end */
#ifndef CALLS_H
#define CALLS_H

#include <dlfcn.h>

extern "C" const char cubin[]; /* the kernels */

typedef int cudaError_t;
enum { cudaSuccess = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost, cudaMemcpyDefault };

struct cudaDeviceProp {
    char name[256];
    int multiProcessorCount;
};

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};

static void *module;
static int device, last_error;

/* A function of the driver's, found once for each call that the text has. */
template <class... T> static int call(void *&function, const char *name, T... arguments)
{
    static void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (function == NULL && (library == NULL || (function = dlsym(library, name)) == NULL))
        fail("there is no CUDA driver with %s", name);
    const int error = ((int (*)(T...))function)(arguments...);
    last_error = last_error != 0 ? last_error : error;
    return error;
}
#define CALL(name, ...)                                          \
    [&]() {                                                      \
        static void *function;                                   \
        return call(function, #name __VA_OPT__(, ) __VA_ARGS__); \
    }()

static const char *cudaGetErrorString(int error)
{
    const char *text = "an unknown error";
    CALL(cuGetErrorString, error, &text);
    return text;
}

static int cudaGetLastError()
{
    const int error = last_error;
    last_error = 0;
    return error;
}

/* The first time makes the device's context, and loads the kernels. */
static int cudaSetDevice(int ordinal)
{
    void *context = NULL;
    if (module != NULL)
        return 0;
    CALL(cuInit, 0u);
    CALL(cuDeviceGet, &device, ordinal);
    CALL(cuDevicePrimaryCtxRetain, &context, device);
    CALL(cuCtxSetCurrent, context);
    CALL(cuModuleLoadData, &module, cubin);
    return cudaGetLastError();
}

static int cudaGetDeviceProperties(struct cudaDeviceProp *out, int)
{
    enum { MULTIPROCESSORS = 16 };
    CALL(cuDeviceGetName, out->name, (int)sizeof out->name, device);
    return CALL(cuDeviceGetAttribute, &out->multiProcessorCount, (int)MULTIPROCESSORS, device);
}

static int cudaMalloc(void **out, size_t bytes)
{
    return CALL(cuMemAlloc_v2, out, bytes);
}

static int cudaFree(void *memory)
{
    return CALL(cuMemFree_v2, memory);
}

static int cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind)
{
    return CALL(cuMemcpy, to, from, bytes);
}

static int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, enum cudaMemcpyKind way)
{
    enum { HOST = 1, DEVICE };
    struct side {
        size_t x, y;
        int kind;
        const void *host, *device, *array;
        size_t pitch;
    };
    const bool up = way == cudaMemcpyHostToDevice;
    struct {
        struct side from, to;
        size_t width, height;
    } copy = {{0, 0, up ? HOST : DEVICE, up ? from : NULL, up ? NULL : from, NULL, from_pitch},
              {0, 0, up ? DEVICE : HOST, up ? NULL : to, up ? to : NULL, NULL, to_pitch},
              width,
              height};
    return CALL(cuMemcpy2D_v2, &copy);
}

static int cudaDeviceSynchronize()
{
    return CALL(cuCtxSynchronize);
}

static void *find_kernel(const char *name)
{
    void *kernel = NULL;
    CALL(cuModuleGetFunction, &kernel, module, name);
    return kernel;
}

template <class... T>
static void start(void *kernel, dim3 blocks, dim3 threads, size_t shared, T... own)
{
    void *arguments[] = {(void *)&own...};
    CALL(cuLaunchKernel, kernel, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
         (unsigned)shared, (void *)NULL, (void **)arguments, (void **)NULL);
}

#endif
