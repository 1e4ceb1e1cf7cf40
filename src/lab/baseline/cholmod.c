/* SPDX-License-Identifier: MIT */
/* Sparse Cholesky factors by CHOLMOD's simplicial L D L': half of the work and of the entries of
 * KLU's LU, of symmetric and definite matrices alone. It is loaded when a solve wants it, as
 * OpenBLAS is: distributors' files hold parts under the GPL as well, which are not called. */
#include "have.h"
#include "lab/baseline/factors.h"

#include <stddef.h>
#include <stdlib.h>

#include "lab/baseline/library.h"

#if QP_HAVE_KLU && __has_include(<suitesparse/cholmod.h>)
#include <suitesparse/cholmod.h>

struct functions {
    int (*start)(cholmod_common *);
    int (*finish)(cholmod_common *);
    cholmod_factor *(*analyze)(cholmod_sparse *, cholmod_common *);
    int (*factorize)(cholmod_sparse *, cholmod_factor *, cholmod_common *);
    cholmod_dense *(*solve)(int, cholmod_factor *, cholmod_dense *, cholmod_common *);
    int (*free_factor)(cholmod_factor **, cholmod_common *);
    int (*free_dense)(cholmod_dense **, cholmod_common *);
};

/* Its structs are those of the header that this was built with, whose number the file's name
 * has. */
#define NAME_OF(version) "libcholmod.so." #version
#define FILE_OF(version) NAME_OF(version)

static enum qp_status load(struct functions *out)
{
    static const char *const files[] = {FILE_OF(CHOLMOD_MAIN_VERSION), NULL};
    static const struct baseline_function functions[] = {
        {"cholmod_start", offsetof(struct functions, start)},
        {"cholmod_finish", offsetof(struct functions, finish)},
        {"cholmod_analyze", offsetof(struct functions, analyze)},
        {"cholmod_factorize", offsetof(struct functions, factorize)},
        {"cholmod_solve", offsetof(struct functions, solve)},
        {"cholmod_free_factor", offsetof(struct functions, free_factor)},
        {"cholmod_free_dense", offsetof(struct functions, free_dense)},
        {NULL, 0}};
    static const struct baseline_library library = {"CHOLMOD", files, functions};
    return baseline_load(&library, out);
}

struct cholmod {
    struct functions call;
    cholmod_common common;
    cholmod_factor *factors;
};

static bool start(struct baseline_factors *f)
{
    struct cholmod *own = f->own = qp_alloc_zero(1, sizeof *own, "sparse factors");
    const enum qp_status status = own != NULL ? load(&own->call) : QP_NO_MEMORY;
    if (status != QP_OK) {
        free(own);
        f->own = NULL;
        return baseline_refuse(f, status, "%s", qp_error());
    }
    own->call.start(&own->common);
    own->common.print = 0;
    own->common.supernodal = CHOLMOD_SIMPLICIAL;
    own->common.nmethods = 1;
    own->common.method[0].ordering = CHOLMOD_AMD;
    return true;
}

static bool failed(struct baseline_factors *f)
{
    return baseline_refuse(f, QP_NO_MEMORY, "cholmod could not factor the matrix (its status %d)",
                           ((struct cholmod *)f->own)->common.status);
}

/* True if all of D is positive. Numbers of column j begin with d_j. */
static bool is_definite(struct baseline_factors *f)
{
    const struct cholmod *own = f->own;
    const cholmod_factor *l = own->factors;
    const int *first = l->p;
    const double *value = l->x;
    int j = own->common.status == CHOLMOD_NOT_POSDEF ? (int)l->minor : 0;
    while (own->common.status == CHOLMOD_OK && j < f->rows && value[first[j]] > 0.0)
        j++;
    return j == f->rows ||
           baseline_refuse(f, QP_UNSUPPORTED,
                           "cholmod finds that the matrix is not definite, at pivot %d of %d",
                           j + 1, f->rows);
}

static bool factor(struct baseline_factors *f)
{
    if (!start(f))
        return false;
    struct cholmod *own = f->own;
    cholmod_sparse matrix = {.nrow = (size_t)f->rows,
                             .ncol = (size_t)f->rows,
                             .nzmax = (size_t)f->start[f->rows],
                             .p = f->start,
                             .i = f->row,
                             .x = f->value,
                             .stype = 1, /* the upper one of two equal triangles is read */
                             .itype = CHOLMOD_INT,
                             .xtype = CHOLMOD_REAL,
                             .dtype = CHOLMOD_DOUBLE,
                             .packed = 1};
    own->factors = own->call.analyze(&matrix, &own->common);
    if (own->factors == NULL)
        return failed(f);
    if (!baseline_fits(f, own->common.lnz, own->common.fl))
        return false;
    own->call.factorize(&matrix, own->factors, &own->common);
    if (own->common.status < CHOLMOD_OK)
        return failed(f);
    return is_definite(f);
}

static bool solve(struct baseline_factors *f, double *x)
{
    struct cholmod *own = f->own;
    cholmod_dense b = {.nrow = (size_t)f->rows,
                       .ncol = 1,
                       .nzmax = (size_t)f->rows,
                       .d = (size_t)f->rows,
                       .x = x,
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    cholmod_dense *answer = own->call.solve(CHOLMOD_A, own->factors, &b, &own->common);
    if (answer == NULL)
        return failed(f);
    for (int i = 0; i < f->rows; i++)
        x[i] = ((const double *)answer->x)[i];
    own->call.free_dense(&answer, &own->common);
    return true;
}

static void destroy(struct baseline_factors *f)
{
    struct cholmod *own = f->own;
    if (own == NULL)
        return;
    own->call.free_factor(&own->factors, &own->common);
    own->call.finish(&own->common);
    free(own);
}

static const struct baseline_sparse cholmod = {"cholmod", factor, solve, destroy};
const struct baseline_sparse *const baseline_cholmod = &cholmod;
#else
const struct baseline_sparse *const baseline_cholmod = NULL;
#endif
