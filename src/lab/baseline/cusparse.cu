/* SPDX-License-Identifier: MIT */
/* The opponent of sparse products on CUDA: cuSPARSE's SpMV, by whichever of its algorithms is the
 * fastest on the matrix. */
#include "lab/baseline/cuda.h"

#include <float.h>
#include <math.h>

#include <quadpass/problem.h>

#include "lab/baseline/library.h"
#include "lab/engines/launch.cuh"
#include "toolkit/base/sparse.h"

namespace
{

/* ---- The library, without its header ---- */

typedef int status; /* cusparseStatus_t: 0 is success */
typedef void *handle, *matrix, *vector;

constexpr int INDEX_32 = 2, REAL_32 = 0, FROM_ZERO = 0, AS_IT_IS = 0, SLICE = 32;

/* Arguments that three functions begin with; alpha and beta are the host's. */
#define PRODUCT                                                                             \
    handle, int operation, const void *alpha, matrix, vector x, const void *beta, vector y, \
        int computed_in, int algorithm

struct functions {
    status (*create)(handle *);
    status (*destroy)(handle);
    status (*set_stream)(handle, cudaStream_t);
    status (*create_vector)(vector *, int64_t count, void *values, int type);
    status (*set_vector)(vector, void *values);
    status (*destroy_vector)(vector);
    status (*create_by_rows)(matrix *, int64_t rows, int64_t columns, int64_t entries, void *first,
                             void *column, void *value, int first_type, int column_type, int base,
                             int type);
    status (*create_in_slices)(matrix *, int64_t rows, int64_t columns, int64_t entries,
                               int64_t slots, int64_t height, void *first, void *column,
                               void *value, int first_type, int column_type, int base, int type);
    status (*destroy_matrix)(matrix);
    status (*buffer_size)(PRODUCT, size_t *bytes);
    status (*preprocess)(PRODUCT, void *buffer);
    status (*multiply)(PRODUCT, void *buffer);
};

/* CUDA 13's and 12's, then that of 11: the algorithms have the same numbers in all of them. */
const char *const files[] = {"libcusparse.so.12", "libcusparse.so.11", "libcusparse.so", NULL};

const baseline_function names[] = {
    {"cusparseCreate", offsetof(functions, create)},
    {"cusparseDestroy", offsetof(functions, destroy)},
    {"cusparseSetStream", offsetof(functions, set_stream)},
    {"cusparseCreateDnVec", offsetof(functions, create_vector)},
    {"cusparseDnVecSetValues", offsetof(functions, set_vector)},
    {"cusparseDestroyDnVec", offsetof(functions, destroy_vector)},
    {"cusparseCreateCsr", offsetof(functions, create_by_rows)},
    {"?cusparseCreateSlicedEll", offsetof(functions, create_in_slices)},
    {"cusparseDestroySpMat", offsetof(functions, destroy_matrix)},
    {"cusparseSpMV_bufferSize", offsetof(functions, buffer_size)},
    {"?cusparseSpMV_preprocess", offsetof(functions, preprocess)},
    {"cusparseSpMV", offsetof(functions, multiply)},
    {NULL, 0},
};

const baseline_library library = {.title = "cuSPARSE", .files = files, .functions = names};

/* ---- Algorithms ---- */

/* A cusparseSpMVAlg_t, 0 for the library's own choice; set up and timed. */
struct trial {
    int algorithm;
    bool in_slices;
    matrix a;
    void *buffer;
    float least; /* ms of TIMES products; infinite where it cannot */
};

/* CSR's and that of sliced ELL. */
constexpr trial trials[] = {{0}, {2}, {3}, {5, true}};
constexpr int TRIALS = sizeof trials / sizeof trials[0], ROUNDS = 5, TIMES = 20;

struct own {
    functions call;
    handle self;
    vector x, y;
    trial of[TRIALS];
    int fastest;
};

enum qp_status check(status code, const char *doing)
{
    return code == 0 ? QP_OK : qp_fail(QP_DEVICE, "cuSPARSE could not %s: status %d", doing, code);
}

/* The matrix in a format, from the variant's own arrays (lab/ops/spmv/cuda.c). */
status describe(const struct qp_launch *l, own *o, trial *t)
{
    const struct qp_sparse *m = l->problem->sparse;
    const int64_t n = m->rows, count = (int64_t)m->count;
    void *const *in = (void *const *)l->input;
    if (!t->in_slices)
        return o->call.create_by_rows(&t->a, n, n, count, in[1], in[2], in[3], INDEX_32, INDEX_32,
                                      FROM_ZERO, REAL_32);
    if (o->call.create_in_slices == NULL)
        return 1;
    return o->call.create_in_slices(&t->a, n, n, count, (int64_t)qp_sparse_slots(m, SLICE), SLICE,
                                    in[4], in[5], in[6], INDEX_32, INDEX_32, FROM_ZERO, REAL_32);
}

/* Calls one of the three functions for y = A x. */
template <class LAST>
status call(own *o, const trial *t, status (*function)(PRODUCT, LAST), LAST last)
{
    const float one = 1.0f, zero = 0.0f;
    return function(o->self, AS_IT_IS, &one, t->a, o->x, &zero, o->y, REAL_32, t->algorithm, last);
}

/* Makes an algorithm ready, prepared where the library does that; once it has run, it can. */
bool set_up(const struct qp_launch *l, own *o, trial *t)
{
    size_t bytes = 0;
    if (describe(l, o, t) != 0 || call(o, t, o->call.buffer_size, &bytes) != 0 ||
        cudaMalloc(&t->buffer, bytes + 1) != cudaSuccess)
        return false;
    if (o->call.preprocess != NULL)
        call(o, t, o->call.preprocess, t->buffer);
    return call(o, t, o->call.multiply, t->buffer) == 0;
}

/* Times all that can, in turns, and remembers the fastest. */
enum qp_status choose(struct qp_launch *l, own *o)
{
    cudaEvent_t begin, end;
    int error = cudaEventCreate(&begin) + cudaEventCreate(&end);
    for (int k = 0; k < TRIALS; k++) {
        o->of[k] = trials[k];
        o->of[k].least = set_up(l, o, &o->of[k]) ? FLT_MAX : INFINITY;
    }
    cudaGetLastError(); /* clears the error of a trial that found no memory */
    for (int k = 0; k < ROUNDS * TRIALS && error == cudaSuccess; k++) {
        trial *t = &o->of[k % TRIALS];
        float ms = INFINITY;
        if (isinf(t->least))
            continue;
        error = cudaEventRecord(begin, stream_of(l));
        for (int i = 0; i < TIMES; i++)
            call(o, t, o->call.multiply, t->buffer);
        error += cudaEventRecord(end, stream_of(l)) + cudaEventSynchronize(end) +
                 cudaEventElapsedTime(&ms, begin, end);
        t->least = fminf(t->least, ms);
        o->fastest = t->least < o->of[o->fastest].least ? k % TRIALS : o->fastest;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return qp_cuda_check(error, "time cuSPARSE's algorithms");
}

/* ---- A kernel like any other ---- */

enum qp_status prepare(struct qp_launch *l)
{
    const struct qp_sparse *m = l->problem->sparse;
    own *o = (own *)(l->own = qp_alloc_zero(1, sizeof *o, "cuSPARSE's side"));
    enum qp_status result = o != NULL ? baseline_load(&library, &o->call) : QP_NO_MEMORY;
    if (result == QP_OK)
        result = check(o->call.create(&o->self), "start");
    if (result == QP_OK)
        result = check(o->call.set_stream(o->self, stream_of(l)) ||
                           o->call.create_vector(&o->x, m->rows, (void *)l->input[0], REAL_32) ||
                           o->call.create_vector(&o->y, m->rows, l->out, REAL_32),
                       "take vectors");
    return result == QP_OK ? choose(l, o) : result;
}

enum qp_status launch(struct qp_launch *l)
{
    own *o = (own *)l->own;
    const trial *t = &o->of[o->fastest];
    const status set = o->call.set_vector(o->y, l->out);
    return check(set == 0 ? call(o, t, o->call.multiply, t->buffer) : set, "multiply");
}

void release(struct qp_launch *l)
{
    own *o = (own *)l->own;
    for (int k = 0; o != NULL && k < TRIALS; k++) {
        cudaFree(o->of[k].buffer);
        if (o->of[k].a != NULL)
            o->call.destroy_matrix(o->of[k].a);
    }
    if (o == NULL)
        return;
    if (o->x != NULL)
        o->call.destroy_vector(o->x);
    if (o->y != NULL)
        o->call.destroy_vector(o->y);
    if (o->self != NULL)
        o->call.destroy(o->self);
    free(o);
    l->own = NULL;
}

} // namespace

const struct qp_cuda_kernel baseline_kernel_cusparse = {
    .launch = launch, .prepare = prepare, .release = release};
