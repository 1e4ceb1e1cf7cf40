/* SPDX-License-Identifier: MIT */
/* Kernels and lists of the methods. All sums of a step but BiCGSTAB's are made in one pass: CG
 * takes alpha = r'p / p'q, which makes the error least along p whatever p is, and beta from r'r
 * after the step = alpha^2 q'q - r'r before it (Saad 1985; Meurant 1987), with r'r itself summed
 * anew in each step; preconditioned alike, with q'v, v = M q. BiCGSTAB's rho after a step is -omega
 * r~'t, for alpha makes r~'s zero; alpha takes the rho that is summed anew. */
#include "solve/krylov/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Degree of the polynomial, and the part of the spectrum that it makes small: from the bound down
 * to 1 / REACH of it. */
enum { DEGREE = 4, REACH = 30, MOST_PASSES = 160 };

/* ---- Kernels ---- */

/* Adds up 8 x 8 texels; `term` adds to `line` that of a texel `at`. */
#define SUM(term)                                                              \
    "vec4 kernel(vec2 here)\n"                                                 \
    "{\n"                                                                      \
    "    vec2 from = 8.0 * here, to = min(from + 8.0, vec2(columns, rows));\n" \
    "    vec4 sum = vec4(0.0);\n"                                              \
    "    for (float y = from.y; y < to.y; y += 1.0) {\n"                       \
    "        vec4 line = vec4(0.0);\n"                                         \
    "        for (float x = from.x; x < to.x; x += 1.0) {\n"                   \
    "            vec2 at = vec2(x, y);\n" term "        }\n"                   \
    "        sum += line;\n"                                                   \
    "    }\n"                                                                  \
    "    return sum;\n"                                                        \
    "}\n"

/* The last sum, over all that is left. */
#define TOTAL                                                  \
    "vec4 total()\n"                                           \
    "{\n"                                                      \
    "    vec4 sum = vec4(0.0);\n"                              \
    "    for (float y = 0.0; y < sums_size.y; y += 1.0) {\n"   \
    "        vec4 line = vec4(0.0);\n"                         \
    "        for (float x = 0.0; x < sums_size.x; x += 1.0)\n" \
    "            line += sums_cell(vec2(x, y));\n"             \
    "        sum += line;\n"                                   \
    "    }\n"                                                  \
    "    return sum;\n"                                        \
    "}\n"                                                      \
    "bool is_finite(float x) { return abs(x) < 1e37; }\n"

#define VECTOR(name)               \
    {                              \
        name, QP_ARRAY_FLOAT, 4, 0 \
    }
#define SIZES .number = {{.name = "columns"}, {.name = "rows"}}, .output_channels = 4, .fast = true
#define DECIDES                                                                  \
    .input = {VECTOR("sums"), VECTOR("scalars"), VECTOR("state")}, .outputs = 2, \
    .output_channels = 4, .fast = true

enum { JOIN, SUM_ONE, SUM_TWO, DECIDE_ONE, DECIDE_TWO, ADVANCE, HALF, FIRST_TERM, NEXT_TERM };

static const struct qp_kernel_desc join = {.name = "join",
                                           .body = SUM("line += x_cell(at);\n"),
                                           .input = {VECTOR("x")},
                                           SIZES},
                                   next_term = {.name = "next_term",
                                                .body = "void kernel(vec2 here)\n"
                                                        "{\n"
                                                        "    out0 = x_at(0, 0) + p_at(0, 0);\n"
                                                        "    out1 = r_at(0, 0) - q_at(0, 0);\n"
                                                        "    out2 = c1 * p_at(0, 0) + c2 * out1;\n"
                                                        "}\n",
                                                .input = {VECTOR("x"), VECTOR("r"), VECTOR("p"),
                                                          VECTOR("q")},
                                                .number = {{.name = "c1"}, {.name = "c2"}},
                                                .outputs = 3,
                                                .output_channels = 4,
                                                .fast = true},
                                   first_term = {.name = "first_term",
                                                 .body = "void kernel(vec2 here)\n"
                                                         "{\n"
                                                         "    out0 = vec4(0.0);\n"
                                                         "    out1 = r_at(0, 0);\n"
                                                         "    out2 = c2 * out1;\n"
                                                         "}\n",
                                                 .input = {VECTOR("r")},
                                                 .number = {{.name = "c2"}},
                                                 .outputs = 3,
                                                 .output_channels = 4,
                                                 .fast = true};

static const struct qp_kernel_desc cg[KERNELS] = {
    [SUM_ONE] = {.name = "cg_sums",
                 .body = SUM("            vec4 p = p_cell(at), q = q_cell(at), r = r_cell(at);\n"
                             "            line += vec4(dot(p, q), dot(q, v_cell(at)), dot(r, p), "
                             "dot(r, r));\n"),
                 .input = {VECTOR("p"), VECTOR("q"), VECTOR("v"), VECTOR("r")},
                 SIZES},
    [DECIDE_ONE] = {.name = "cg_scalars",
                    .body = TOTAL
                    "void kernel(vec2 here)\n"
                    "{\n"
                    "    vec4 sum = total(), state = state_cell(vec2(0.0));\n"
                    "    float alpha = 0.0, beta = 0.0;\n"
                    "    if (state.g == 0.0) {\n"
                    "        state = vec4(sum.a, 0.0, state.b + 1.0, state.a);\n"
                    "        alpha = sum.b / sum.r;\n"
                    "        beta = max(alpha * (sum.g / sum.r) - 1.0, 0.0);\n"
                    "        if (sum.a <= state.a)\n"
                    "            state.g = 1.0;\n"
                    "        else if (!is_finite(sum.a))\n"
                    "            state.g = 5.0;\n"
                    "        else if (!(sum.r > 0.0 && is_finite(alpha * alpha * sum.g)))\n"
                    "            state.g = 2.0;\n"
                    "    }\n"
                    "    out0 = vec4(alpha, beta, 0.0, 0.0);\n"
                    "    out1 = state;\n"
                    "}\n",
                    DECIDES},
    [ADVANCE] = {.name = "cg_step",
                 .body = "void kernel(vec2 here)\n"
                         "{\n"
                         "    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);\n"
                         "    out0 = x_at(0, 0);\n"
                         "    out1 = r_at(0, 0);\n"
                         "    out2 = p;\n"
                         "    if (state_cell(vec2(0.0)).g == 0.0) {\n"
                         "        out0 += f.r * p;\n"
                         "        out1 -= f.r * q_at(0, 0);\n"
                         "        out2 = out1 + f.g * p;\n"
                         "    }\n"
                         "}\n",
                 .input = {VECTOR("x"), VECTOR("r"), VECTOR("p"), VECTOR("q"), VECTOR("scalars"),
                           VECTOR("state")},
                 .outputs = 3,
                 .output_channels = 4,
                 .fast = true}};

static const struct qp_kernel_desc preconditioned = {
    .name = "preconditioned_cg_step",
    .body = "void kernel(vec2 here)\n"
            "{\n"
            "    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);\n"
            "    out0 = x_at(0, 0);\n"
            "    out1 = r_at(0, 0);\n"
            "    out2 = p;\n"
            "    out3 = z_at(0, 0);\n"
            "    if (state_cell(vec2(0.0)).g == 0.0) {\n"
            "        out0 += f.r * p;\n"
            "        out1 -= f.r * q_at(0, 0);\n"
            "        out3 -= f.r * v_at(0, 0);\n"
            "        out2 = out3 + f.g * p;\n"
            "    }\n"
            "}\n",
    .input = {VECTOR("x"), VECTOR("r"), VECTOR("p"), VECTOR("q"), VECTOR("z"), VECTOR("v"),
              VECTOR("scalars"), VECTOR("state")},
    .outputs = 4,
    .output_channels = 4,
    .fast = true};

/* 2^-46: a product of two vectors whose square is that part of their squares' product is
 * rounding. */
#define ROUNDING "1.4210854715202004e-14"

static const struct qp_kernel_desc bicgstab[KERNELS] = {
    [SUM_ONE] = {.name = "bicgstab_sums",
                 .body = SUM("            vec4 o = o_cell(at), v = v_cell(at), r = r_cell(at);\n"
                             "            line += vec4(dot(o, v), dot(o, r), dot(r, r), dot(v, "
                             "v));\n"),
                 .input = {VECTOR("o"), VECTOR("v"), VECTOR("r")},
                 SIZES},
    [SUM_TWO] = {.name = "bicgstab_more_sums",
                 .body = SUM("            vec4 o = o_cell(at), s = s_cell(at), t = t_cell(at);\n"
                             "            line += vec4(dot(t, s), dot(t, t), dot(s, s), dot(o, "
                             "t));\n"),
                 .input = {VECTOR("o"), VECTOR("s"), VECTOR("t")},
                 SIZES},
    [DECIDE_ONE] = {.name = "bicgstab_alpha",
                    .body =
                        TOTAL "void kernel(vec2 here)\n"
                              "{\n"
                              "    vec4 sum = total(), state = state_cell(vec2(0.0));\n"
                              "    float alpha = 0.0;\n"
                              "    if (state.g == 0.0 || state.g == 4.0) {\n"
                              "        state.r = sum.b;\n"
                              "        if (sum.b <= state.a)\n"
                              "            state.gb = vec2(1.0, state.b + 1.0);\n"
                              "    }\n"
                              "    if (state.g == 0.0) {\n"
                              "        state.b += 1.0;\n"
                              "        alpha = sum.g / sum.r;\n"
                              "        if (!is_finite(sum.b))\n"
                              "            state.g = 5.0;\n"
                              "        else if (!(sum.g * sum.g > " ROUNDING " * sum.b &&\n"
                              "                   sum.r * sum.r > " ROUNDING " * sum.a &&\n"
                              "                   is_finite(alpha * alpha * sum.a)))\n"
                              "            state.g = 3.0;\n"
                              "    }\n"
                              "    out0 = vec4(state.g == 0.0 ? alpha : 0.0, 0.0, 0.0, sum.g);\n"
                              "    out1 = state;\n"
                              "}\n",
                    DECIDES},
    [DECIDE_TWO] = {.name = "bicgstab_omega",
                    .body =
                        TOTAL "void kernel(vec2 here)\n"
                              "{\n"
                              "    vec4 sum = total(), state = state_cell(vec2(0.0)),\n"
                              "         f = scalars_cell(vec2(0.0));\n"
                              "    if (state.g == 0.0) {\n"
                              "        f.b = sum.r / sum.g;\n"
                              "        f.g = -sum.a * f.r / f.a;\n"
                              "        if (!(sum.r * sum.r > " ROUNDING " * sum.g * sum.b &&\n"
                              "              is_finite(f.b * f.b * sum.g) && is_finite(f.g))) {\n"
                              "            f.gb = vec2(0.0);\n"
                              "            state.g = 4.0;\n"
                              "        }\n"
                              "    }\n"
                              "    out0 = f;\n"
                              "    out1 = state;\n"
                              "}\n",
                    DECIDES},
    [HALF] = {.name = "bicgstab_half_step",
              .body = "vec4 kernel(vec2 here)\n"
                      "{\n"
                      "    float alpha = scalars_cell(vec2(0.0)).r;\n"
                      "    return alpha != 0.0 ? r_at(0, 0) - alpha * v_at(0, 0) : r_at(0, 0);\n"
                      "}\n",
              .input = {VECTOR("r"), VECTOR("v"), VECTOR("scalars")},
              .output_channels = 4,
              .fast = true},
    [ADVANCE] = {.name = "bicgstab_step",
                 .body = "void kernel(vec2 here)\n"
                         "{\n"
                         "    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);\n"
                         "    out0 = x_at(0, 0);\n"
                         "    out1 = r_at(0, 0);\n"
                         "    out2 = p;\n"
                         "    if (f.r != 0.0) {\n"
                         "        out0 += f.r * p + f.b * s_at(0, 0);\n"
                         "        out1 = s_at(0, 0) - f.b * t_at(0, 0);\n"
                         "        out2 = out1 + f.g * (p - f.b * v_at(0, 0));\n"
                         "    }\n"
                         "}\n",
                 .input = {VECTOR("x"), VECTOR("r"), VECTOR("p"), VECTOR("v"), VECTOR("s"),
                           VECTOR("t"), VECTOR("scalars")},
                 .outputs = 3,
                 .output_channels = 4,
                 .fast = true}};

bool qp_krylov_has(const struct qp_krylov *k, int vector)
{
    const bool polynomial = k->precondition == QP_KRYLOV_POLYNOMIAL,
               bicgstab_has = k->method == QP_KRYLOV_BICGSTAB;
    switch (vector) {
    case Q:
        return !bicgstab_has;
    case SHADOW:
    case S:
    case T:
        return bicgstab_has;
    case V:
        return bicgstab_has || polynomial;
    case Z:
    case OWN_R:
    case OWN_P:
    case OWN_Q:
        return polynomial;
    case KEPT:
        return k->method == QP_KRYLOV_CHEBYSHEV;
    default:
        return true;
    }
}

bool qp_krylov_keeps(const struct qp_krylov *k, int vector)
{
    return vector != S && vector != T && vector < OWN_R && qp_krylov_has(k, vector);
}

/* ---- Passes ---- */

/* A list of passes that is being written. */
struct writer {
    struct qp_krylov *k;
    int count;
    struct qp_pass pass[MOST_PASSES];
};

static void product(struct writer *w, int x, int y)
{
    struct qp_array **vector = w->k->vector;
    w->count += qp_krylov_matrix_passes(&w->k->matrix, vector[x], vector[y], &w->pass[w->count]);
}

/* Adds a pass over the unknowns of vectors, in place. */
static struct qp_pass *update(struct writer *w, int kernel)
{
    struct qp_pass *pass = &w->pass[w->count++];
    *pass = (struct qp_pass){.kernel = w->k->kernel[kernel],
                             .region = {0, 0, w->k->matrix.width, w->k->matrix.height},
                             .in_place = true};
    return pass;
}

/* Adds passes that sum up terms of vectors. */
static void sum(struct writer *w, int kernel, const struct qp_pass_input *input)
{
    const struct qp_krylov *k = w->k;
    double columns = k->matrix.width, rows = k->matrix.height;
    for (int level = 0; level < k->levels; level++) {
        struct qp_pass *pass = &w->pass[w->count++];
        *pass = (struct qp_pass){.kernel = k->kernel[level == 0 ? kernel : JOIN],
                                 .number = {{"columns", {columns}, NULL}, {"rows", {rows}, NULL}},
                                 .output = {k->sums[level]}};
        if (level > 0)
            pass->input[0] = (struct qp_pass_input){"x", k->sums[level - 1]};
        for (int i = 0; level == 0 && input[i].name != NULL; i++)
            pass->input[i] = input[i];
        const struct qp_array_desc size = qp_array_describe(k->sums[level]);
        columns = size.width;
        rows = size.height;
    }
}

/* Adds the pass that makes scalars of sums, from cell `from` to the other. */
static void decide(struct writer *w, int kernel, int from)
{
    struct qp_krylov *k = w->k;
    w->pass[w->count++] = (struct qp_pass){.kernel = k->kernel[kernel],
                                           .input = {{"sums", k->sums[k->levels - 1]},
                                                     {"scalars", k->scalars[from]},
                                                     {"state", k->state[from]}},
                                           .output = {k->scalars[!from], k->state[!from]}};
}

/* Adds a term to the sum of a polynomial, or to a solution. */
static void add_term(struct writer *w, int x, int r, int p, int q, double c1, double c2)
{
    struct qp_array **v = w->k->vector;
    struct qp_pass *pass = update(w, NEXT_TERM);
    const struct qp_pass filled = {.input = {{"x", v[x]}, {"r", v[r]}, {"p", v[p]}, {"q", v[q]}},
                                   .number = {{"c1", {c1}, NULL}, {"c2", {c2}, NULL}},
                                   .output = {v[x], v[r], v[p]}};
    memcpy(pass->input, filled.input, sizeof filled.input);
    memcpy(pass->number, filled.number, sizeof filled.number);
    memcpy(pass->output, filled.output, sizeof filled.output);
}

/* Adds to = M from. */
static void precondition(struct writer *w, int from, int to)
{
    struct qp_array **v = w->k->vector;
    const double high = (double)w->k->largest, low = high / REACH;
    double rho = 0.0, c1, c2;
    qp_krylov_recur(low, high, &rho, &c1, &c2);
    struct qp_pass *pass = update(w, FIRST_TERM);
    pass->input[0] = (struct qp_pass_input){"r", v[from]};
    pass->number[0] = (struct qp_pass_number){"c2", {c2}, NULL};
    pass->output[0] = v[to];
    pass->output[1] = v[OWN_R];
    pass->output[2] = v[OWN_P];
    for (int term = 1; term < DEGREE; term++) {
        qp_krylov_recur(low, high, &rho, &c1, &c2);
        product(w, OWN_P, OWN_Q);
        add_term(w, to, OWN_R, OWN_P, OWN_Q, c1, c2);
    }
    add_term(w, to, OWN_R, OWN_P, OWN_Q, 0.0, 0.0);
}

/* ---- Lists ---- */

static void record(struct writer *w, enum qp_status *status, struct qp_list **list)
{
    if (*status == QP_OK)
        *status = qp_list_create(w->pass, w->count, list);
    w->count = 0;
}

static void sum_cg(struct writer *w)
{
    struct qp_array **v = w->k->vector;
    struct qp_array *mv = w->k->precondition == QP_KRYLOV_POLYNOMIAL ? v[V] : v[Q];
    sum(w, SUM_ONE,
        (struct qp_pass_input[]){{"p", v[P]}, {"q", v[Q]}, {"v", mv}, {"r", v[R]}, {NULL, NULL}});
}

/* Q = A P, V = M Q and the scalars, into cell !from. */
static void look_ahead_cg(struct writer *w, int from)
{
    product(w, P, Q);
    if (w->k->precondition == QP_KRYLOV_POLYNOMIAL)
        precondition(w, Q, V);
    sum_cg(w);
    decide(w, DECIDE_ONE, from);
}

static enum qp_status record_cg(struct writer *w)
{
    struct qp_krylov *k = w->k;
    struct qp_array **v = k->vector;
    const bool polynomial = k->precondition == QP_KRYLOV_POLYNOMIAL;
    enum qp_status status = QP_OK;
    look_ahead_cg(w, 1);
    record(w, &status, &k->begin);
    for (int cell = 0; cell < 2; cell++) {
        struct qp_pass *pass = update(w, ADVANCE);
        const struct qp_pass_input input[] = {{"x", v[X]},
                                              {"r", v[R]},
                                              {"p", v[P]},
                                              {"q", v[Q]},
                                              {"scalars", k->scalars[cell]},
                                              {"state", k->state[cell]},
                                              {"z", v[Z]},
                                              {"v", v[V]}};
        struct qp_array *const output[] = {v[X], v[R], v[P], v[Z]};
        memcpy(pass->input, input, (polynomial ? 8 : 6) * sizeof input[0]);
        memcpy(pass->output, output, (polynomial ? 4 : 3) * sizeof output[0]);
        look_ahead_cg(w, cell);
        record(w, &status, &k->step[cell]);
    }
    if (polynomial) {
        precondition(w, R, Z);
        record(w, &status, &k->start);
    }
    if (k->method == QP_KRYLOV_CHEBYSHEV) {
        product(w, P, Q);
        add_term(w, X, R, P, Q, 0.0, 0.0);
        record(w, &status, &k->turn);
        sum_cg(w);
        record(w, &status, &k->look);
    }
    return status;
}

/* V = A P and alpha, from cell 1 into cell 0. */
static void look_ahead_bicgstab(struct writer *w)
{
    struct qp_array **v = w->k->vector;
    product(w, P, V);
    sum(w, SUM_ONE,
        (struct qp_pass_input[]){{"o", v[SHADOW]}, {"v", v[V]}, {"r", v[R]}, {NULL, NULL}});
    decide(w, DECIDE_ONE, 1);
}

static enum qp_status record_bicgstab(struct writer *w)
{
    struct qp_krylov *k = w->k;
    struct qp_array **v = k->vector;
    enum qp_status status = QP_OK;
    look_ahead_bicgstab(w);
    record(w, &status, &k->begin);
    *update(w, HALF) =
        (struct qp_pass){.kernel = k->kernel[HALF],
                         .region = {0, 0, k->matrix.width, k->matrix.height},
                         .input = {{"r", v[R]}, {"v", v[V]}, {"scalars", k->scalars[0]}},
                         .output = {v[S]}};
    product(w, S, T);
    sum(w, SUM_TWO,
        (struct qp_pass_input[]){{"o", v[SHADOW]}, {"s", v[S]}, {"t", v[T]}, {NULL, NULL}});
    decide(w, DECIDE_TWO, 0);
    struct qp_pass *pass = update(w, ADVANCE);
    const struct qp_pass_input input[] = {{"x", v[X]},
                                          {"r", v[R]},
                                          {"p", v[P]},
                                          {"v", v[V]},
                                          {"s", v[S]},
                                          {"t", v[T]},
                                          {"scalars", k->scalars[1]}};
    memcpy(pass->input, input, sizeof input);
    pass->output[0] = v[X];
    pass->output[1] = v[R];
    pass->output[2] = v[P];
    look_ahead_bicgstab(w);
    record(w, &status, &k->step[0]);
    return status;
}

enum qp_status qp_krylov_turn_set(struct qp_krylov *k, double c1, double c2)
{
    const struct qp_pass_number one = {"c1", {c1}, NULL}, two = {"c2", {c2}, NULL};
    const enum qp_status status = qp_list_set(k->turn, k->matrix.levels + 1, &one);
    return status == QP_OK ? qp_list_set(k->turn, k->matrix.levels + 1, &two) : status;
}

/* ---- What passes need ---- */

static enum qp_status make_kernels(struct qp_krylov *k)
{
    const bool polynomial = k->precondition == QP_KRYLOV_POLYNOMIAL;
    const struct qp_kernel_desc *from = k->method == QP_KRYLOV_BICGSTAB ? bicgstab : cg;
    enum qp_status status = QP_OK;
    for (int i = 0; i < KERNELS && status == QP_OK; i++) {
        const struct qp_kernel_desc *desc = &from[i];
        if (i == JOIN && k->levels > 1)
            desc = &join;
        if (i == ADVANCE && polynomial)
            desc = &preconditioned;
        if (i == FIRST_TERM && polynomial)
            desc = &first_term;
        if (i == NEXT_TERM && (polynomial || k->method == QP_KRYLOV_CHEBYSHEV))
            desc = &next_term;
        if (desc->body != NULL)
            status = qp_kernel_create(k->context, desc, &k->kernel[i]);
    }
    return status;
}

static enum qp_status make_sums(struct qp_krylov *k)
{
    const struct qp_array_desc one = {1, 1, .channels = 4};
    struct qp_array_desc size = {k->matrix.width, k->matrix.height, .channels = 4};
    enum qp_status status = QP_OK;
    do {
        size.width = (size.width + 7) / 8;
        size.height = (size.height + 7) / 8;
        status = qp_array_create(k->context, &size, NULL, &k->sums[k->levels++]);
    } while (status == QP_OK && size.width * size.height > 256);
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        status = qp_array_create(k->context, &one, NULL, &k->scalars[i]);
        if (status == QP_OK)
            status = qp_array_create(k->context, &one, NULL, &k->state[i]);
    }
    return status;
}

enum qp_status qp_krylov_steps_create(struct qp_krylov *k)
{
    enum qp_status status = make_sums(k);
    if (status == QP_OK)
        status = make_kernels(k);
    struct writer *w = status == QP_OK ? qp_alloc_zero(1, sizeof *w, "passes of a step") : NULL;
    if (w == NULL)
        return status == QP_OK ? QP_NO_MEMORY : status;
    w->k = k;
    status = k->method == QP_KRYLOV_BICGSTAB ? record_bicgstab(w) : record_cg(w);
    free(w);
    return status;
}
