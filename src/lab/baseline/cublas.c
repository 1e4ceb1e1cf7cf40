/* SPDX-License-Identifier: MIT */
/* The opponent of small systems on CUDA: cuBLAS's batched LU with partial pivoting. It is looked
 * for when its variant runs, not when this is built. */
#include "lab/baseline/baseline.h"

#include <limits.h>
#include <stdlib.h>

#include "lab/baseline/library.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/kernel.h"
#include "toolkit/cuda/device.h"

/* cuBLAS's own declarations, since its header need not be here; all return 0 on success. */
enum { NO_TRANSPOSE, TRANSPOSE };

struct functions {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*copy)(void *handle, int n, const float *x, int apart_x, float *y, int apart_y);
    int (*add)(void *handle, int op_a, int op_b, int rows, int columns, const float *alpha,
               const float *a, int pitch_a, const float *beta, const float *b, int pitch_b,
               float *c, int pitch_c);
    int (*factor)(void *handle, int n, float *const a[], int pitch, int *pivots, int *info,
                  int count);
    int (*substitute)(void *handle, int op, int n, int sides, const float *const a[], int pitch,
                      const int *pivots, float *const b[], int pitch_b, int *info, int count);
};

/* Files of CUDA 13 back to 11: these functions are the same in all of them. */
static const char *const files[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                    "libcublas.so", NULL};

static const struct baseline_function functions[] = {
    {"cublasCreate_v2", offsetof(struct functions, create)},
    {"cublasDestroy_v2", offsetof(struct functions, destroy)},
    {"cublasSetStream_v2", offsetof(struct functions, set_stream)},
    {"cublasScopy_v2", offsetof(struct functions, copy)},
    {"cublasSgeam", offsetof(struct functions, add)},
    {"cublasSgetrfBatched", offsetof(struct functions, factor)},
    {"cublasSgetrsBatched", offsetof(struct functions, substitute)},
    {NULL, 0},
};

static const struct baseline_library library = {
    .title = "cuBLAS", .files = files, .functions = functions};

/* Members of a run: device memory, but for the first two. */
struct batch {
    void *handle;
    struct functions call;
    float *a, *x;     /* factors overwrite copies of A, and solutions of b */
    float **as, **xs; /* pointers to each system's */
    int *pivots;
    void *info; /* an int of each system: 0, or the column without a pivot, from 1 */
};

static enum qp_status check(int error, const char *doing)
{
    return error == 0 ? QP_OK : qp_fail(QP_DEVICE, "cuBLAS: %s failed with error %d", doing, error);
}

/* ---- Memory ---- */

static enum qp_status allocate(const struct qp_launch *l, struct batch *own)
{
    const size_t n = (size_t)l->answer_width - 1, count = (size_t)l->answer_height;
    const struct {
        void *memory;
        size_t bytes;
        const char *what;
    } blocks[] = {
        {&own->a, n * (n + 1) * count * sizeof *own->a, "factors"},
        {&own->x, n * count * sizeof *own->x, "solutions"},
        {&own->as, count * sizeof *own->as, "places of factors"},
        {&own->xs, count * sizeof *own->xs, "places of solutions"},
        {&own->pivots, n * count * sizeof *own->pivots, "pivots"},
        {&own->info, count * sizeof(int), "singular columns"},
    };
    enum qp_status status = QP_OK;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0] && status == QP_OK; i++)
        status = qp_cuda_allocate((struct qp_cuda *)l->cuda, blocks[i].bytes, blocks[i].what,
                                  blocks[i].memory);
    return status;
}

/* Gives the device the addresses of `count` pieces, `apart` floats apart. */
static enum qp_status point(const struct qp_launch *l, float **places, float *first, size_t apart)
{
    const size_t count = (size_t)l->answer_height;
    float **host = qp_alloc(count, sizeof *host, "places of systems");
    if (host == NULL)
        return QP_NO_MEMORY;
    for (size_t s = 0; s < count; s++)
        host[s] = first + s * apart;
    enum qp_status status =
        qp_cuda_upload((struct qp_cuda *)l->cuda, places, host, count * sizeof *host);
    free(host);
    return status;
}

static void release(struct qp_launch *l)
{
    struct batch *own = l->own;
    struct qp_cuda *cuda = (struct qp_cuda *)l->cuda;
    if (own == NULL)
        return;
    if (own->handle != NULL)
        own->call.destroy(own->handle);
    void *const blocks[] = {own->a, own->x, own->as, own->xs, own->pivots, own->info};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        qp_cuda_free(cuda, blocks[i]);
    free(own);
    l->own = NULL;
}

static enum qp_status prepare(struct qp_launch *l)
{
    const size_t n = (size_t)l->answer_width - 1;
    struct batch *own = l->own = qp_alloc_zero(1, sizeof *own, "cuBLAS's side");
    if (own == NULL)
        return QP_NO_MEMORY;
    if ((double)n * (double)(n + 1) * l->answer_height > INT_MAX)
        return qp_fail(QP_UNSUPPORTED, "cuBLAS counts values by int, and these are more");
    enum qp_status status = baseline_load(&library, &own->call);
    if (status == QP_OK)
        status = check(own->call.create(&own->handle), "create");
    if (status == QP_OK)
        status = check(own->call.set_stream(own->handle, l->cuda->stream), "set a stream");
    if (status == QP_OK)
        status = allocate(l, own);
    if (status == QP_OK)
        status = point(l, own->as, own->a, n * (n + 1));
    if (status == QP_OK)
        status = point(l, own->xs, own->x, n);
    return status;
}

/* ---- A step ---- */

/* A step. Rows of A are columns to cuBLAS, n + 1 values apart: it factors the transpose, and
 * exchanges columns of our A. Its copies take b out of the systems and put x into the answers. */
static enum qp_status launch(struct qp_launch *l)
{
    const int n = l->answer_width - 1, count = l->answer_height;
    const float one = 1.0f, zero = 0.0f;
    struct batch *own = l->own;
    const struct functions *call = &own->call;
    int wrong = 0;
    int error = call->copy(own->handle, n * (n + 1) * count, l->input[0], 1, own->a, 1);
    if (error == 0)
        error = call->copy(own->handle, n * count, l->input[0] + n, n + 1, own->x, 1);
    if (error == 0)
        error = call->factor(own->handle, n, own->as, n + 1, own->pivots, own->info, count);
    if (error == 0)
        error = call->substitute(own->handle, TRANSPOSE, n, 1, (const float *const *)own->as, n + 1,
                                 own->pivots, own->xs, n, &wrong, count);
    if (error == 0)
        error = call->add(own->handle, NO_TRANSPOSE, NO_TRANSPOSE, n, count, &one, own->x, n, &zero,
                          own->x, n, l->out, n + 1);
    if (error == 0) /* 0 is 0.0f; answers of singular systems are completed in finish */
        error = call->copy(own->handle, count, own->info, 1, l->out + n, n + 1);
    return check(error, "a batch");
}

/* Completes the answer, which holds x: zeros and the column for singular systems. */
static enum qp_status finish(struct qp_launch *l)
{
    const size_t n = (size_t)l->answer_width - 1, count = (size_t)l->answer_height;
    float row[QP_BATCH_MOST_UNKNOWNS + 1] = {0};
    struct qp_cuda *cuda = (struct qp_cuda *)l->cuda;
    int *info = qp_alloc(count, sizeof *info, "singular columns");
    if (info == NULL)
        return QP_NO_MEMORY;
    enum qp_status status =
        qp_cuda_download(cuda, info, ((struct batch *)l->own)->info, count * sizeof *info);
    for (size_t s = 0; s < count && status == QP_OK; s++) {
        row[n] = (float)info[s];
        if (info[s] != 0)
            status = qp_cuda_upload(cuda, (float *)l->x + s * (n + 1), row, (n + 1) * sizeof *row);
    }
    free(info);
    return status;
}

static const struct qp_cuda_kernel kernel = {
    .launch = launch, .prepare = prepare, .finish = finish, .release = release};

void baseline_lend_cublas(void)
{
    qp_lent_gauss_jordan_batch_cublas.kernel = &kernel;
}
