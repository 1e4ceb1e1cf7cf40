/* SPDX-License-Identifier: MIT */
/* Lists of OpenGL's passes of the methods. */
#include "lab/solve/krylov/steps.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel/kernel.h"

enum { MOST_PASSES = 128 };

/* ---- Kernels ---- */

/* Kernels of arrays of four channels. Sums are those of the terms of their file
 * (toolkit/reduce/reduction.h), and scalars are made of sums. Updates write the first `outputs` of
 * what they read. All may read `scalars` and `state`, arrays of a cell, and the numbers c1, c2 and
 * grid. */
static const struct {
    enum { UPDATE, SUMS, SCALARS } is;
    const char *name, *file, *input[7];
    int outputs;
} kernels[KERNELS] = {
    [FIRST_TERM] = {UPDATE, "first_term", "krylov/first_term.frag", {"x", "r", "p", "q"}, 3},
    [NEXT_TERM] = {UPDATE, "next_term", "krylov/next_term.frag", {"x", "r", "p", "q"}, 3},
    [CG_SUMS] = {SUMS, "cg_sums", "krylov/cg_sums.frag", {"p", "q", "r", "v"}, 1},
    [CG_SCALARS] = {SCALARS, "cg_scalars", "krylov/cg_scalars.frag", {"last"}, 2},
    [CG_STEP] = {UPDATE, "cg_step", "krylov/cg_step.frag", {"x", "r", "p", "q"}, 3},
    [CG_STEP_Z] = {UPDATE,
                   "preconditioned_cg_step",
                   "krylov/preconditioned_cg_step.frag",
                   {"x", "r", "p", "z", "q", "v"},
                   4},
    [ALPHA_SUMS] = {SUMS, "alpha_sums", "krylov/alpha_sums.frag", {"o", "v", "r"}, 1},
    [OMEGA_SUMS] = {SUMS, "omega_sums", "krylov/omega_sums.frag", {"o", "s", "t"}, 1},
    [ALPHA] = {SCALARS, "alpha", "krylov/alpha.frag", {"last"}, 2},
    [OMEGA] = {SCALARS, "omega", "krylov/omega.frag", {"last"}, 2},
    [HALF_STEP] = {UPDATE, "half_step", "krylov/half_step.frag", {"s", "r", "v"}, 1},
    [BICGSTAB_STEP] =
        {UPDATE, "bicgstab_step", "krylov/bicgstab_step.frag", {"x", "r", "p", "v", "s", "t"}, 3},
    [MINRES_ALPHA] = {SCALARS, "minres_alpha", "krylov/minres_alpha.frag", {"last"}, 2},
    [MINRES_DIRECTION] =
        {UPDATE, "minres_direction", "krylov/minres_direction.frag", {"v", "q", "p"}, 1},
    [MINRES_ROTATE] = {SCALARS, "minres_rotate", "krylov/minres_rotate.frag", {"last", "kept"}, 2},
    [MINRES_STEP] = {
        UPDATE, "minres_step", "krylov/minres_step.frag", {"x", "o", "v", "p", "z", "kept"}, 4}};

static enum qp_status make_kernel(struct qp_krylov *k, int kernel)
{
    const char *file = kernels[kernel].file, *const *input = kernels[kernel].input;
    struct qp_kernel_desc desc = {
        .name = kernels[kernel].name,
        .number = {{.name = "c1"}, {.name = "c2"}, {"grid", QP_NUMBER_VEC2, 0}},
        .outputs = kernels[kernel].outputs,
        .output_channels = 4};
    int i = 0;
    for (; input[i] != NULL; i++)
        desc.input[i] = (struct qp_kernel_input){input[i], QP_ARRAY_FLOAT, 4, 0};
    desc.input[i] = (struct qp_kernel_input){"scalars", QP_ARRAY_FLOAT, 4, 0};
    desc.input[i + 1] = (struct qp_kernel_input){"state", QP_ARRAY_FLOAT, 4, 0};
    return kernels[kernel].is == UPDATE
               ? qp_kernel_built_in(k->context, file, NULL, "", &desc, &k->kernel[kernel])
               : qp_sums_kernel(k->context, file, kernels[kernel].is == SCALARS, &desc,
                                &k->kernel[kernel]);
}

/* ---- Passes ---- */

/* A list of passes that is being written. */
struct writer {
    struct qp_krylov *k;
    enum qp_status status;
    int count;
    struct qp_pass pass[MOST_PASSES];
};

/* Adds a pass that reads arrays, in the order of the kernel's inputs, and scalars of cell
 * `from`. */
static struct qp_pass *add(struct writer *w, int kernel, int from, struct qp_array *const array[])
{
    const char *const *input = kernels[kernel].input;
    struct qp_krylov *k = w->k;
    struct qp_pass *pass = &w->pass[w->count++];
    if (k->kernel[kernel] == NULL && w->status == QP_OK)
        w->status = make_kernel(k, kernel);
    *pass = (struct qp_pass){.kernel = k->kernel[kernel],
                             .number = {{"c1", {0.0}, NULL},
                                        {"c2", {0.0}, NULL},
                                        {"grid", {k->matrix.width, k->matrix.height}, NULL}}};
    int i = 0;
    for (; input[i] != NULL; i++)
        pass->input[i] = (struct qp_pass_input){input[i], array[i]};
    pass->input[i] = (struct qp_pass_input){"scalars", k->scalars[from]};
    pass->input[i + 1] = (struct qp_pass_input){"state", k->state[from]};
    return pass;
}

/* Adds an update of vectors, in place, by numbers c1 and c2. */
static void update(struct writer *w, int kernel, int from, const int vector[], double c1, double c2)
{
    const struct qp_krylov *k = w->k;
    struct qp_array *array[7] = {NULL};
    for (int i = 0; kernels[kernel].input[i] != NULL; i++)
        array[i] = vector[i] == KEPT_SCALARS ? k->scalars[!from] : k->vector[vector[i]];
    struct qp_pass *pass = add(w, kernel, from, array);
    pass->region = (struct qp_rect){0, 0, k->matrix.width, k->matrix.height};
    pass->in_place = true;
    pass->number[0].value[0] = c1;
    pass->number[1].value[0] = c2;
    memcpy(pass->output, array, (size_t)kernels[kernel].outputs * sizeof array[0]);
}

static void multiply(struct writer *w, int x, int y)
{
    struct qp_array **v = w->k->vector;
    w->count += qp_product_passes(&w->k->matrix, v[x], v[y], &w->pass[w->count]);
}

/* Adds passes that sum up terms of vectors. */
static void sum(struct writer *w, int kernel, const int vector[])
{
    struct qp_array *array[7] = {NULL};
    for (int i = 0; kernels[kernel].input[i] != NULL; i++)
        array[i] = w->k->vector[vector[i]];
    w->count += qp_pyramid_passes(&w->k->sums, add(w, kernel, 0, array)) - 1;
}

/* Adds the pass that makes scalars of sums, from cell `from` to the other, which it may read. */
static void decide(struct writer *w, int kernel, int from)
{
    struct qp_krylov *k = w->k;
    struct qp_array *const array[] = {qp_pyramid_top(&k->sums), k->scalars[!from]};
    struct qp_pass *pass = add(w, kernel, from, array);
    pass->in_place = kernels[kernel].input[1] != NULL;
    pass->output[0] = k->scalars[!from];
    pass->output[1] = k->state[!from];
}

/* Adds to = M from: a product, or a sum of terms of Chebyshev's iteration. */
static void precondition(struct writer *w, int from, int to)
{
    struct qp_array **v = w->k->vector;
    if (w->k->precondition == QP_KRYLOV_BLOCKS) {
        w->count += qp_product_passes(&w->k->inverse, v[from], v[to], &w->pass[w->count]);
        return;
    }
    const double high = (double)w->k->largest, low = high / QP_KRYLOV_REACH;
    const int terms[] = {to, OWN_R, OWN_P, OWN_Q};
    double rho = 0.0, c1, c2;
    qp_krylov_recur(low, high, &rho, &c1, &c2);
    update(w, FIRST_TERM, 0, (int[]){to, OWN_R, OWN_P, from}, c1, c2);
    for (int term = 1; term < QP_KRYLOV_TERMS; term++) {
        qp_krylov_recur(low, high, &rho, &c1, &c2);
        multiply(w, OWN_P, OWN_Q);
        update(w, NEXT_TERM, 0, terms, c1, c2);
    }
    update(w, NEXT_TERM, 0, terms, 0.0, 0.0);
}

/* ---- Lists ---- */

static void record(struct writer *w, struct qp_list **list)
{
    if (w->status == QP_OK)
        w->status = qp_list_create(w->pass, w->count, list);
    w->count = 0;
}

/* True where the device computes M. */
static bool computes_m(const struct qp_krylov *k)
{
    return k->precondition == QP_KRYLOV_POLYNOMIAL || k->precondition == QP_KRYLOV_BLOCKS;
}

/* Q = A P, V = M Q and the scalars, into cell !from; from V on in a list of its own where the host
 * computes that. */
static void look_ahead_cg(struct writer *w, int from, struct qp_list **list)
{
    struct qp_krylov *k = w->k;
    multiply(w, P, Q);
    if (computes_m(k))
        precondition(w, Q, V);
    if (k->apply != NULL) {
        record(w, list);
        list = &k->rest[from];
    }
    sum(w, CG_SUMS, (int[]){P, Q, R, k->vector[V] != NULL ? V : Q});
    decide(w, CG_SCALARS, from);
    if (*list == NULL)
        record(w, list);
    w->count = 0;
}

static void record_cg(struct writer *w)
{
    struct qp_krylov *k = w->k;
    look_ahead_cg(w, 1, &k->begin);
    for (int cell = 0; cell < 2; cell++) {
        if (k->vector[Z] != NULL)
            update(w, CG_STEP_Z, cell, (int[]){X, R, P, Z, Q, V}, 0.0, 0.0);
        else
            update(w, CG_STEP, cell, (int[]){X, R, P, Q}, 0.0, 0.0);
        look_ahead_cg(w, cell, &k->step[cell]);
    }
    if (computes_m(k)) {
        precondition(w, R, Z);
        record(w, &k->start);
    }
    if (k->method == QP_KRYLOV_CHEBYSHEV) {
        multiply(w, P, Q);
        update(w, NEXT_TERM, 0, (int[]){X, R, P, Q}, 0.0, 0.0);
        record(w, &k->turn);
        sum(w, CG_SUMS, (int[]){P, Q, R, Q});
        record(w, &k->look);
    }
}

/* V = A P and alpha, from cell 1 into cell 0. */
static void look_ahead_bicgstab(struct writer *w)
{
    multiply(w, P, V);
    sum(w, ALPHA_SUMS, (int[]){SHADOW, V, R});
    decide(w, ALPHA, 1);
}

static void record_bicgstab(struct writer *w)
{
    look_ahead_bicgstab(w);
    record(w, &w->k->begin);
    update(w, HALF_STEP, 0, (int[]){S, R, V}, 0.0, 0.0);
    multiply(w, S, T);
    sum(w, OMEGA_SUMS, (int[]){SHADOW, S, T});
    decide(w, OMEGA, 0);
    update(w, BICGSTAB_STEP, 1, (int[]){X, R, P, V, S, T}, 0.0, 0.0);
    look_ahead_bicgstab(w);
    record(w, &w->k->step[0]);
}

/* A step that has p, the next vector of Lanczos in place of v, and the next direction in place of
 * o. Rotations are in cell 0. */
static void record_step_of_minres(struct writer *w, int p, int v, int z, int o)
{
    struct qp_krylov *k = w->k;
    multiply(w, p, Q);
    sum(w, CG_SUMS, (int[]){p, Q, p, p});
    decide(w, MINRES_ALPHA, 0);
    update(w, MINRES_DIRECTION, 1, (int[]){v, Q, p}, 0.0, 0.0);
    sum(w, CG_SUMS, (int[]){v, v, v, v});
    decide(w, MINRES_ROTATE, 1);
    update(w, MINRES_STEP, 1, (int[]){X, o, v, p, z, KEPT_SCALARS}, 0.0, 0.0);
    record(w, &k->step[p == V]);
}

static void record_minres(struct writer *w)
{
    record_step_of_minres(w, P, V, Z, SHADOW);
    record_step_of_minres(w, V, P, SHADOW, Z);
}

enum qp_status qp_krylov_steps_create(struct qp_krylov *k)
{
    const struct qp_array_desc one = {1, 1, .channels = 4};
    struct writer *w = qp_alloc_zero(1, sizeof *w, "passes of a step");
    if (w == NULL)
        return QP_NO_MEMORY;
    w->k = k;
    w->status = qp_sums_create(k->context, k->matrix.width, k->matrix.height, &k->sums);
    for (int i = 0; i < 4 && w->status == QP_OK; i++)
        w->status =
            qp_array_create(k->context, &one, NULL, i < 2 ? &k->scalars[i] : &k->state[i - 2]);
    if (w->status == QP_OK)
        (k->method == QP_KRYLOV_BICGSTAB ? record_bicgstab
         : k->method == QP_KRYLOV_MINRES ? record_minres
                                         : record_cg)(w);
    const enum qp_status status = w->status;
    free(w);
    return status;
}
