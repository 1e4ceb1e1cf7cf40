/* SPDX-License-Identifier: MIT */
/* The opponents of small systems on CUDA, LU with partial pivoting: cuBLAS's of a whole batch, and
 * cuSOLVER's, called for one system after the other. Both are looked for when their variant runs,
 * not when this is built. */
#include "lab/baseline/baseline.h"

#include <limits.h>
#include <stdlib.h>

#include "lab/baseline/library.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/kernel.h"
#include "toolkit/base/whole.h"
#include "toolkit/cuda/device.h"
#include "toolkit/cuda/streams.h"

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

/* cuSOLVER's, likewise. */
struct solver_functions {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*buffer_size)(void *handle, int m, int n, float *a, int pitch, int *values);
    int (*factor)(void *handle, int m, int n, float *a, int pitch, float *buffer, int *pivots,
                  int *info);
    int (*substitute)(void *handle, int op, int n, int sides, const float *a, int pitch,
                      const int *pivots, float *b, int pitch_b, int *info);
};

static const char *const solver_files[] = {"libcusolver.so.12", "libcusolver.so.11",
                                           "libcusolver.so", NULL};

static const struct baseline_function solver_functions[] = {
    {"cusolverDnCreate", offsetof(struct solver_functions, create)},
    {"cusolverDnDestroy", offsetof(struct solver_functions, destroy)},
    {"cusolverDnSetStream", offsetof(struct solver_functions, set_stream)},
    {"cusolverDnSgetrf_bufferSize", offsetof(struct solver_functions, buffer_size)},
    {"cusolverDnSgetrf", offsetof(struct solver_functions, factor)},
    {"cusolverDnSgetrs", offsetof(struct solver_functions, substitute)},
    {NULL, 0},
};

static const struct baseline_library solver_library = {
    .title = "cuSOLVER", .files = solver_files, .functions = solver_functions};

enum { LANES = 4 };

/* Every LANES-th system's calls of cuSOLVER, on a stream of their own. With four streams the device
 * is done when the last call returns; more of them bring nothing. */
struct lane {
    void *handle, *reached; /* cuSOLVER's, and an event after the lane's last call */
    struct qp_cuda cuda;
    float *buffer;
};

/* Members of a run: device memory, but for the first two and cuSOLVER's. */
struct batch {
    void *handle;
    struct functions call;
    struct solver_functions solver; /* all NULL: cuBLAS solves */
    struct lane lane[LANES];
    void *copied;     /* an event after the copies */
    float *a, *x;     /* factors overwrite copies of A, and solutions of b */
    float **as, **xs; /* pointers to each system's */
    int *pivots;
    void *info; /* an int of each system: 0, or the column without a pivot, from 1; then another */
};

static enum qp_status check(int error, const char *doing)
{
    return error == 0 ? QP_OK : qp_fail(QP_DEVICE, "cuBLAS: %s failed with error %d", doing, error);
}

static enum qp_status check_solver(int error, const char *doing)
{
    return error == 0 ? QP_OK
                      : qp_fail(QP_DEVICE, "cuSOLVER: %s failed with error %d", doing, error);
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
        {&own->info, (count + 1) * sizeof(int), "singular columns"},
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
    for (int k = 0; k < LANES; k++) {
        if (own->lane[k].handle != NULL)
            own->solver.destroy(own->lane[k].handle);
        qp_cuda_event_free(&own->lane[k].reached);
        qp_cuda_free(cuda, own->lane[k].buffer);
        qp_cuda_join(&own->lane[k].cuda);
    }
    qp_cuda_event_free(&own->copied);
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

static enum qp_status open_lane(const struct qp_launch *l, struct lane *lane)
{
    const int n = l->answer_width - 1;
    struct batch *own = l->own;
    int values = 0;
    enum qp_status status = qp_cuda_fork(l->cuda, &lane->cuda);
    if (status == QP_OK)
        status = qp_cuda_event_make(l->cuda->ordinal, &lane->reached);
    if (status == QP_OK)
        status = check_solver(own->solver.create(&lane->handle), "create");
    if (status == QP_OK)
        status =
            check_solver(own->solver.set_stream(lane->handle, lane->cuda.stream), "set a stream");
    if (status == QP_OK)
        status = check_solver(own->solver.buffer_size(lane->handle, n, n, own->a, n + 1, &values),
                              "plan");
    if (status == QP_OK)
        status =
            qp_cuda_allocate((struct qp_cuda *)l->cuda, (size_t)qp_most(values, 1) * sizeof(float),
                             "cuSOLVER's buffer", (void **)&lane->buffer);
    return status;
}

/* cuBLAS stays there for the copies; cuSOLVER itself calls it. */
static enum qp_status prepare_looped(struct qp_launch *l)
{
    enum qp_status status = prepare(l);
    struct batch *own = l->own;
    if (status == QP_OK)
        status = baseline_load(&solver_library, &own->solver);
    if (status == QP_OK)
        status = qp_cuda_event_make(l->cuda->ordinal, &own->copied);
    for (int k = 0; k < LANES && status == QP_OK; k++)
        status = open_lane(l, &own->lane[k]);
    return status;
}

/* ---- A step ---- */

static enum qp_status solve_batch(const struct qp_launch *l)
{
    const int n = l->answer_width - 1, count = l->answer_height;
    struct batch *own = l->own;
    int wrong = 0;
    int error = own->call.factor(own->handle, n, own->as, n + 1, own->pivots, own->info, count);
    if (error == 0)
        error = own->call.substitute(own->handle, TRANSPOSE, n, 1, (const float *const *)own->as,
                                     n + 1, own->pivots, own->xs, n, &wrong, count);
    return check(error, "a batch");
}

/* The lanes wait for the copies, and the stream for all lanes. */
static enum qp_status solve_looped(const struct qp_launch *l)
{
    const size_t n = (size_t)l->answer_width - 1, count = (size_t)l->answer_height;
    struct batch *own = l->own;
    int error = 0, *info = own->info;
    enum qp_status status = qp_cuda_record(l->cuda, own->copied);
    for (int k = 0; k < LANES && status == QP_OK; k++)
        status = qp_cuda_follow(&own->lane[k].cuda, own->copied);
    for (size_t s = 0; s < count && status == QP_OK && error == 0; s++) {
        const struct lane *lane = &own->lane[s % LANES];
        float *a = own->a + s * n * (n + 1);
        error = own->solver.factor(lane->handle, (int)n, (int)n, a, (int)n + 1, lane->buffer,
                                   own->pivots + s * n, info + s);
        if (error == 0)
            error =
                own->solver.substitute(lane->handle, TRANSPOSE, (int)n, 1, a, (int)n + 1,
                                       own->pivots + s * n, own->x + s * n, (int)n, info + count);
    }
    if (status == QP_OK)
        status = check_solver(error, "a system");
    for (int k = 0; k < LANES && status == QP_OK; k++) {
        status = qp_cuda_record(&own->lane[k].cuda, own->lane[k].reached);
        if (status == QP_OK)
            status = qp_cuda_follow(l->cuda, own->lane[k].reached);
    }
    return status;
}

/* A step. Rows of A are columns to cuBLAS, n + 1 values apart: it factors the transpose, and
 * exchanges columns of our A. Its copies take b out of the systems and put x into the answers. */
static enum qp_status launch(struct qp_launch *l)
{
    const int n = l->answer_width - 1, count = l->answer_height;
    const float one = 1.0f, zero = 0.0f;
    struct batch *own = l->own;
    const struct functions *call = &own->call;
    int error = call->copy(own->handle, n * (n + 1) * count, l->input[0], 1, own->a, 1);
    if (error == 0)
        error = call->copy(own->handle, n * count, l->input[0] + n, n + 1, own->x, 1);
    enum qp_status status = check(error, "a copy");
    if (status == QP_OK)
        status = own->solver.factor != NULL ? solve_looped(l) : solve_batch(l);
    if (status != QP_OK)
        return status;
    error = call->add(own->handle, NO_TRANSPOSE, NO_TRANSPOSE, n, count, &one, own->x, n, &zero,
                      own->x, n, l->out, n + 1);
    if (error == 0) /* 0 is 0.0f; answers of singular systems are completed in finish */
        error = call->copy(own->handle, count, own->info, 1, l->out + n, n + 1);
    return check(error, "a copy");
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

static const struct qp_cuda_kernel
    kernel = {.launch = launch, .prepare = prepare, .finish = finish, .release = release},
    looped = {.launch = launch, .prepare = prepare_looped, .finish = finish, .release = release};

void baseline_lend_cublas(void)
{
    qp_lent_gauss_jordan_batch_cublas.kernel = &kernel;
    qp_lent_gauss_jordan_batch_cusolver.kernel = &looped;
}
