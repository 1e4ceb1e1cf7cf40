/*@ origin */
/* heat.frag as a process that quadpass drives: arrays in a device's memory, and launches. */
/*@ end */
#ifndef MEMORY_H
#define MEMORY_H

#include "calls.h"

/* The kernel as NVRTC has compiled it, which the assembler puts into the program. */
__asm__(".section .rodata\n.balign 16\n.globl cubin\ncubin: .incbin \"cubin\"\n.previous\n");

static void *kernel;

/* Waits, and fails for what has happened on the device since the last time. */
static void finish(void)
{
    cudaDeviceSynchronize();
    const int error = cudaGetLastError();
    if (error != cudaSuccess)
        fail("the kernel ends with '%s'", cudaGetErrorString(error));
}

/* Fails where something else than the kernel's steps goes wrong. */
static void need(int error, const char *what)
{
    if (error != cudaSuccess)
        fail("%s: %s", what, cudaGetErrorString(error));
}

static char *new_block(size_t bytes)
{
    void *block = NULL;
    need(cudaMalloc(&block, bytes), "no memory for an array on the device");
    return (char *)block;
}

static void put_block(char *block, const char *from, size_t bytes)
{
    need(cudaMemcpy(block, from, bytes, cudaMemcpyHostToDevice), "an array cannot be written");
}

static const char *see_block(const char *block, size_t bytes)
{
    static char *copy;
    static size_t most;
    if (bytes > most) {
        free(copy);
        copy = (char *)malloc(bytes);
        most = bytes;
    }
    if (copy == NULL)
        fail("no memory for a copy of an array");
    need(cudaMemcpy(copy, block, bytes, cudaMemcpyDeviceToHost), "an array cannot be read");
    return copy;
}

static void set_block(char *block, int byte, size_t bytes)
{
    need(CALL(cuMemsetD8_v2, (void *)block, (unsigned char)byte, bytes), "an array cannot be set");
}

static void lock_block(const struct array *, bool)
{
}

/* The module is loaded anew, so that its variables are as they were at first. */
static void forget(void)
{
    CALL(cuModuleUnload, module);
    need(CALL(cuModuleLoadData, &module, cubin), "the kernel cannot be loaded");
    kernel = find_kernel(KERNEL);
    need(cudaGetLastError(), "the kernel cannot be found");
}

/* A size of two blocks and one cell more. */
static void name_machine(struct answer *answer)
{
    struct cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    answer->sizes[0][0] = 2 * group[0] + 1;
    answer->sizes[0][1] = 2 * group[1] + 1;
    snprintf(answer->name, sizeof answer->name, "%.120s", properties.name);
}

static void begin(int device)
{
    need(cudaSetDevice(device), "the kernel cannot be loaded");
    forget();
}

/* Blocks cover all cells. */
template <class... T> static void launch(T... own)
{
    const dim3 blocks((unsigned)((width - 1) / group[0] + 1),
                      (unsigned)((height - 1) / group[1] + 1)),
        threads((unsigned)group[0], (unsigned)group[1]);
    start(kernel, blocks, threads, 0, width, height, own...);
}

#endif
