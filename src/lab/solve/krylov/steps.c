/* SPDX-License-Identifier: MIT */
/* Lists of OpenGL's passes of the methods. */
#include "lab/solve/krylov/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel/kernel.h"

enum { MOST_PASSES = 128 };

/* ---- Kernels ---- */

/* Kernels of arrays of four channels. Sums are those of the terms of their file
 * (toolkit/reduce/reduction.h), and scalars are made of sums. Updates and terms write the first
 * `outputs` of what they read. Updates and scalars read `scalars` and `state`, arrays of a cell;
 * all may read the numbers c1, c2 and grid. */
static const struct {
    enum { TERM, UPDATE, SUMS, SCALARS } is;
    const char *name, *file, *input[7];
    int outputs;
} kernels[KERNELS] = {
    [SAME] = {TERM, "same", "krylov/same.frag", {"x"}, 1},
    [FIRST_TERM] = {TERM, "first_term", "krylov/first_term.frag", {"x", "r", "p", "q"}, 3},
    [NEXT_TERM] = {TERM, "next_term", "krylov/next_term.frag", {"x", "r", "p", "q"}, 3},
    [CG_SUMS] = {SUMS, "cg_sums", "krylov/cg_sums.frag", {"p", "q", "r", "v"}, 1},
    [LENGTH_SUMS] = {SUMS, "cg_sums", "krylov/cg_sums.frag", {"p", "q", "r", "v"}, 1},
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

static bool reads_scalars(int kernel)
{
    return kernels[kernel].is == UPDATE || kernels[kernel].is == SCALARS;
}

/* Cells of a group of compute shaders, each way; invocations of the one that makes scalars. */
enum { SIDE = 8, MAKERS = 256 };

bool qp_krylov_computes(const struct qp_krylov_desc *desc)
{
    const struct qp_device *device = qp_context_device(desc->context);
    return desc->form != QP_KRYLOV_FRAGMENTS && (device->abilities & QP_CAN_COMPUTE) != 0 &&
           (desc->form == QP_KRYLOV_COMPUTE || !device->software);
}

static enum qp_status compute_kernel(struct qp_krylov *k, int kernel, struct qp_kernel_desc *desc)
{
    const bool totals = kernels[kernel].is == SCALARS;
    const struct qp_compute_texts of = {
        .kernel = kernels[kernel].file, .returns = desc->outputs == 1, .totals = totals};
    desc->group_x = totals ? MAKERS : SIDE;
    desc->group_y = totals ? 1 : SIDE;
    return qp_kernel_computed(k->context, &of, desc, &k->kernel[kernel]);
}

static struct qp_kernel_desc describe(int kernel)
{
    return (struct qp_kernel_desc){
        .name = kernels[kernel].name,
        .number = {{.name = "c1"}, {.name = "c2"}, {"grid", QP_NUMBER_VEC2, 0}},
        .outputs = kernels[kernel].outputs,
        .output_channels = 4};
}

static enum qp_status make_kernel(struct qp_krylov *k, int kernel)
{
    const char *file = kernels[kernel].file, *const *input = kernels[kernel].input;
    struct qp_kernel_desc desc = describe(kernel);
    int i = 0;
    for (; input[i] != NULL; i++)
        desc.input[i] = (struct qp_kernel_input){input[i], QP_ARRAY_FLOAT, 4, 0};
    if (reads_scalars(kernel)) {
        desc.input[i] = (struct qp_kernel_input){"scalars", QP_ARRAY_FLOAT, 4, 0};
        desc.input[i + 1] = (struct qp_kernel_input){"state", QP_ARRAY_FLOAT, 4, 0};
    }
    if (k->computes)
        return compute_kernel(k, kernel, &desc);
    return kernels[kernel].is <= UPDATE
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
    /* The last pass, which sums may join: of a product with this matrix, or NULL and a kernel. */
    const struct qp_product *matrix;
    int last;
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
    if (reads_scalars(kernel)) {
        pass->input[i] = (struct qp_pass_input){"scalars", k->scalars[from]};
        pass->input[i + 1] = (struct qp_pass_input){"state", k->state[from]};
    }
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
    w->matrix = NULL;
    w->last = kernel;
}

static void multiply_by(struct writer *w, const struct qp_product *matrix, int x, int y)
{
    struct qp_array **v = w->k->vector;
    w->count += qp_product_passes(matrix, v[x], v[y], &w->pass[w->count]);
    w->matrix = matrix;
}

static void multiply(struct writer *w, int x, int y)
{
    multiply_by(w, &w->k->matrix, x, y);
}

/* The output of a pass that is this array; -1: none. */
static int find_output(const struct qp_pass *pass, const struct qp_array *array)
{
    int i = 0;
    while (i < QP_KERNEL_OUTPUTS && pass->output[i] != array)
        i++;
    return i < QP_KERNEL_OUTPUTS ? i : -1;
}

/* A kernel of what the last pass computes and of sums after it, which find its outputs as they are
 * computed: `map_lines` say so. */
static enum qp_status make_joined(const struct writer *w, int sums, const char *map_lines,
                                  struct qp_kernel_desc *desc)
{
    char *lines = w->matrix != NULL ? qp_product_lines(w->matrix, desc) : NULL;
    const struct qp_compute_texts of = {.kernel = w->matrix != NULL ? qp_product_shader(w->matrix)
                                                                    : kernels[w->last].file,
                                        .lines = lines,
                                        .map = kernels[sums].file,
                                        .map_lines = map_lines,
                                        .returns = desc->outputs == 2};
    const enum qp_status status =
        w->matrix != NULL && lines == NULL
            ? QP_NO_MEMORY
            : qp_kernel_computed(w->k->context, &of, desc, &w->k->kernel[sums]);
    free(lines);
    return status;
}

/* Lets the last pass, a compute shader, sum up terms of vectors, too. What they read has names
 * beside those of the pass. */
static void join(struct writer *w, int sums, struct qp_array *const array[])
{
    static const char *const names[] = {"with_0", "with_1", "with_2", "with_3"};
    struct qp_krylov *k = w->k;
    struct qp_pass *pass = &w->pass[w->count - 1];
    const char *const *input = kernels[sums].input;
    const int outputs = find_output(pass, NULL);
    struct qp_kernel_desc desc = describe(sums);
    char lines[256] = "";
    int to = 0;
    desc.outputs = outputs + 1;
    desc.group_x = desc.group_y = SIDE;
    for (; pass->input[to].name != NULL; to++)
        desc.input[to] = (struct qp_kernel_input){pass->input[to].name, QP_ARRAY_FLOAT, 4, 0};
    for (int i = 0; input[i] != NULL; i++) {
        const int output = find_output(pass, array[i]);
        char *end = lines + strlen(lines);
        if (output >= 0) {
            snprintf(end, 64, "#define %s_cell(at) qp_out%d\n", input[i], output);
            continue;
        }
        snprintf(end, 64, "#define %s_cell %s_cell\n", input[i], names[i]);
        pass->input[to] = (struct qp_pass_input){names[i], array[i]};
        desc.input[to++] = (struct qp_kernel_input){names[i], QP_ARRAY_FLOAT, 4, 0};
    }
    if (k->kernel[sums] == NULL && w->status == QP_OK)
        w->status = make_joined(w, sums, lines, &desc);
    pass->kernel = k->kernel[sums];
    pass->output[outputs] = k->sums.level[0];
}

/* Adds passes that sum up terms of vectors. */
static void sum(struct writer *w, int kernel, const int vector[])
{
    struct qp_krylov *k = w->k;
    struct qp_array *array[7] = {NULL};
    bool joins = false;
    for (int i = 0; kernels[kernel].input[i] != NULL; i++) {
        array[i] = k->vector[vector[i]];
        joins = joins || (w->count > 0 && find_output(&w->pass[w->count - 1], array[i]) >= 0);
    }
    if (k->computes && !joins)
        update(w, SAME, 0, vector, 0.0, 0.0);
    if (k->computes)
        join(w, kernel, array);
    else
        w->count += qp_pyramid_passes(&k->sums, add(w, kernel, 0, array)) - 1;
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
    if (w->k->precondition == QP_KRYLOV_BLOCKS) {
        multiply_by(w, &w->k->inverse, from, to);
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
        sum(w, LENGTH_SUMS, (int[]){P, Q, R, Q});
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
    sum(w, LENGTH_SUMS, (int[]){v, v, v, v});
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
    w->status = qp_sums_create(k->context, k->matrix.width, k->matrix.height,
                               k->computes ? SIDE : 0, &k->sums);
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
