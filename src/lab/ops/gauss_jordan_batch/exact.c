/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA by a kernel for just their number of unknowns, which NVRTC compiles
 * when it is needed; where that fails, nvcc's kernels for ranges of them solve. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/ops/gauss_jordan_batch/kernels.h"
#include "toolkit/cuda/device.h"
#include "toolkit/cuda/nvrtc.h"

/* Kernels that this process has compiled, by number of unknowns, each for the kind of device that
 * asked last. */
static struct {
    pthread_mutex_t lock;
    struct {
        void *cubin;
        int major, minor;
    } of[QP_BATCH_MOST_UNKNOWNS + 1];
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

int qp_batch_team(int n)
{
    return n <= 8 ? 1 : n <= 12 ? 2 : n <= 32 ? 8 : n <= 48 ? 16 : 32;
}

enum qp_status qp_batch_compile(int n, int major, int minor, void **cubin, size_t *size)
{
    char arch[32], unknowns[32], team[32];
    const char *const options[] = {arch, unknowns, team, "-std=c++14"};
    const struct qp_own_file *file =
        qp_own_file_find(qp_cuda_files, "gauss_jordan_batch/registers.cuh");
    char *text = qp_alloc_zero(file->size + 1, 1, "a kernel's text");
    *cubin = NULL;
    if (text == NULL)
        return QP_NO_MEMORY;
    memcpy(text, file->text, file->size);
    snprintf(arch, sizeof arch, "-arch=sm_%d%d", major, minor);
    snprintf(unknowns, sizeof unknowns, "-DUNKNOWNS=%d", n);
    snprintf(team, sizeof team, "-DTEAM=%d", qp_batch_team(n));
    const enum qp_status status = qp_nvrtc_compile(file->name, text, options, 4, cubin, size);
    free(text);
    return status;
}

static enum qp_status load(const struct qp_cuda *cuda, int n, struct qp_nvrtc_kernel *out)
{
    size_t size;
    enum qp_status status = QP_OK;
    pthread_mutex_lock(&kept.lock);
    if (kept.of[n].cubin == NULL || kept.of[n].major != cuda->major ||
        kept.of[n].minor != cuda->minor) {
        free(kept.of[n].cubin);
        kept.of[n].major = cuda->major;
        kept.of[n].minor = cuda->minor;
        status = qp_batch_compile(n, cuda->major, cuda->minor, &kept.of[n].cubin, &size);
    }
    if (status == QP_OK)
        status = qp_nvrtc_load(kept.of[n].cubin, "solve", out);
    pthread_mutex_unlock(&kept.lock);
    return status;
}

/* ---- A kernel like any other ---- */

static enum qp_status prepare(struct qp_launch *l)
{
    struct qp_nvrtc_kernel *kernel = qp_alloc_zero(1, sizeof *kernel, "a kernel");
    if (kernel == NULL)
        return QP_NO_MEMORY;
    if (load(l->cuda, l->answer_width - 1, kernel) == QP_OK)
        l->own = kernel;
    else
        free(kernel);
    return QP_OK;
}

static enum qp_status launch(struct qp_launch *l)
{
    const int n = l->answer_width - 1;
    int count = l->answer_height;
    const struct qp_batch_grid grid = qp_batch_grid(n, qp_batch_team(n), count);
    void *arguments[] = {(void *)&l->input[0], &l->out, &count};
    if (l->own == NULL)
        return qp_kernel_gauss_jordan_batch_built.launch(l);
    return qp_nvrtc_launch(l->own, (size_t)grid.blocks, grid.threads, grid.shared, l->cuda->stream,
                           arguments);
}

static void release(struct qp_launch *l)
{
    if (l->own != NULL)
        qp_nvrtc_unload(l->own);
    free(l->own);
    l->own = NULL;
}

const struct qp_cuda_kernel qp_batch_exact = {
    .launch = launch, .prepare = prepare, .release = release};
