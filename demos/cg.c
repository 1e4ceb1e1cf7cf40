/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for Poisson's equation on N x N cells in a rim of zeros: cg [N [TOLERANCE]].
 * A has 4 on its diagonal and -1 for each neighbour (docs/poisson5.md); b is random. alpha and beta
 * are quotients of arrays of one cell, which the kernels read, and never leave the device. Squared
 * residuals do, 32 at a time and without waiting, for the host to see when to stop; by then the
 * answer has been left as it was at the first of them that was small enough. Four cells of a row
 * make a texel, which is fetched as fast as one. Functions return true if something failed, and
 * qp_error says what. */
#include <stdio.h>
#include <stdlib.h>

#include <quadpass/quadpass.h>

enum { EVERY = 32, MOST = 1 << 20 }; /* steps from look to look; in all */

/* ---- Kernels ---- */

/* A p at a texel; 0 after the end of a row. */
#define PRODUCT                                                                        \
    "vec4 product(vec2 here)\n"                                                        \
    "{\n"                                                                              \
    "    vec4 at = p_at(0, 0);\n"                                                      \
    "    vec4 sides = vec4(p_at(-1, 0).a, at.rgb) + vec4(at.gba, p_at(1, 0).r);\n"     \
    "    vec4 product = 4.0 * at - (sides + (p_at(0, -1) + p_at(0, 1)));\n"            \
    "    return product * vec4(lessThan(4.0 * here.x + vec4(0, 1, 2, 3), vec4(n)));\n" \
    "}\n"

/* alpha and beta are 0 from the wanted residual on, so that the answer stays as it is. */
enum { ADVANCE, RESIDUAL, KERNELS };
static const struct qp_kernel_desc kernels[KERNELS] = {
    {.body = "void kernel(vec2 here)\n"
             "{\n"
             "    float before = before_cell(vec2(0)), alpha = 0.0, beta = 0.0;\n"
             "    if (before > enough) {\n"
             "        alpha = before / pq_cell(vec2(0));\n"
             "        beta = rr_cell(vec2(0)) / before;\n"
             "    }\n"
             "    out0 = x_at(0, 0) + alpha * p_at(0, 0);\n"
             "    out1 = r_at(0, 0) + beta * p_at(0, 0);\n"
             "}\n",
     .input = {{"x", 0, 4, 0},
               {"r", 0, 4, 0},
               {"p", 0, 4, 0},
               {.name = "rr"},
               {.name = "before"},
               {.name = "pq"}},
     .number = {{.name = "enough"}},
     .outputs = 2,
     .output_channels = 4},
    {.body = PRODUCT
     "vec4 kernel(vec2 here)\n"
     "{\n"
     "    float rr = rr_cell(vec2(0)), alpha = rr > enough ? rr / pq_cell(vec2(0)) : 0.0;\n"
     "    return r_at(0, 0) - alpha * product(here);\n"
     "}\n",
     .input = {{"r", 0, 4, 0}, {"p", 0, 4, 1}, {.name = "rr"}, {.name = "pq"}},
     .number = {{.name = "n"}, {.name = "enough"}},
     .output_channels = 4}};

static const struct qp_reduction_desc
    p_times_product = {.map = PRODUCT
                       "float map(vec2 here) { return dot(p_at(0, 0), product(here)); }",
                       .input = {{"p", 0, 4, 1}},
                       .number = {{.name = "n"}}},
    r_times_r = {.map = "float map(vec2 here) { return dot(r_at(0, 0), r_at(0, 0)); }",
                 .input = {{"r", 0, 4, 0}}};

/* ---- Steps ---- */

struct solver {
    struct qp_context *gpu;
    double n, enough;                 /* rows; (r, r) to stop at */
    struct qp_array *x, *r, *p, *pq;  /* pq is (p, A p) */
    struct qp_array *rrs, *rr[EVERY]; /* (r, r) of the last steps, and views of each */
    struct qp_kernel *kernel[KERNELS];
    struct qp_reduction *sum_pq, *sum_rr;
};

static bool sum_rr(const struct solver *s, struct qp_array *to)
{
    return qp_reduce_to(s->sum_rr, (struct qp_pass_input[]){{"r", s->r}, {NULL, NULL}}, NULL, to);
}

static bool sum_pq(const struct solver *s)
{
    const struct qp_pass_input p[] = {{"p", s->p}, {NULL, NULL}};
    const struct qp_pass_number n[] = {{"n", {s->n}, NULL}, {.name = NULL}};
    return qp_reduce_to(s->sum_pq, p, n, s->pq);
}

/* x = 0, r = b, p = 0; (r, r) before and (p, A p) are 1, so that the first step adds nothing to x
 * and takes r for p. */
static bool make(struct solver *s, const float *b)
{
    const struct qp_array_desc several = {.width = EVERY, .height = 1}, one = {1, 1, .channels = 1},
                               field = {((int)s->n + 3) / 4, (int)s->n, .channels = 4};
    struct qp_reduction_desc pq = p_times_product, rr = r_times_r;
    pq.of = rr.of = field;
    bool failed =
        qp_array_create(s->gpu, &field, NULL, &s->x) || qp_array_create(s->gpu, &field, b, &s->r) ||
        qp_array_create(s->gpu, &field, NULL, &s->p) ||
        qp_array_create(s->gpu, &one, NULL, &s->pq) ||
        qp_array_create(s->gpu, &several, NULL, &s->rrs) || qp_array_fill(s->rrs, NULL, 1.0) ||
        qp_array_fill(s->pq, NULL, 1.0) || qp_reduction_create(s->gpu, &pq, &s->sum_pq) ||
        qp_reduction_create(s->gpu, &rr, &s->sum_rr);
    for (int i = 0; i < EVERY && !failed; i++)
        failed = qp_array_view(s->rrs, &(struct qp_rect){i, 0, 1, 1}, &s->rr[i]);
    for (int i = 0; i < KERNELS && !failed; i++)
        failed = qp_kernel_create(s->gpu, &kernels[i], &s->kernel[i]);
    return failed || sum_rr(s, s->rr[0]);
}

static void destroy(struct solver *s)
{
    qp_reduction_destroy(&s->sum_rr);
    qp_reduction_destroy(&s->sum_pq);
    for (int i = 0; i < KERNELS; i++)
        qp_kernel_destroy(&s->kernel[i]);
    for (int i = 0; i < EVERY; i++)
        qp_array_destroy(&s->rr[i]);
    struct qp_array **all[] = {&s->x, &s->r, &s->p, &s->pq, &s->rrs};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        qp_array_destroy(all[i]);
}

/* x += alpha p and p = r + beta p, with alpha of the step before; r -= alpha A p. In place, for
 * their cells are read by their own updates alone. x is one step later than r, but steps go on for
 * a while when r is small enough. */
static bool step(const struct solver *s, int k)
{
    struct qp_array *rr = s->rr[k % EVERY], *before = s->rr[(k + EVERY - 1) % EVERY];
    const struct qp_pass_number n = {"n", {s->n}, NULL}, enough = {"enough", {s->enough}, NULL};
    const struct qp_pass advance = {.kernel = s->kernel[ADVANCE],
                                    .input = {{"x", s->x},
                                              {"r", s->r},
                                              {"p", s->p},
                                              {"rr", rr},
                                              {"before", before},
                                              {"pq", s->pq}},
                                    .number = {enough},
                                    .output = {s->x, s->p},
                                    .in_place = true},
                         residual = {.kernel = s->kernel[RESIDUAL],
                                     .input = {{"r", s->r}, {"p", s->p}, {"rr", rr}, {"pq", s->pq}},
                                     .number = {n, enough},
                                     .output = {s->r},
                                     .in_place = true};
    return qp_pass_run(&advance) || sum_pq(s) || qp_pass_run(&residual) ||
           sum_rr(s, s->rr[(k + 1) % EVERY]);
}

/* Takes the residuals that were asked for EVERY steps ago, and counts steps up to the first that is
 * small enough. */
static bool look(const struct solver *s, struct qp_download **asked, int *steps, bool *done)
{
    float rr[EVERY];
    if (*asked == NULL)
        return false;
    if (qp_download_take(asked, rr, 0))
        return true;
    for (int i = 0; i < EVERY && !*done; i++)
        *done = (double)rr[++*steps % EVERY] <= s->enough;
    return false;
}

/* Solves A x = b, both of n rows of (n + 3) / 4 texels, from x = 0 until ||r|| <= tolerance ||b||,
 * r being the residual that the steps carry along. */
static bool solve(struct qp_context *gpu, int n, const float *b, double tolerance, float *x,
                  int *steps)
{
    struct solver s = {.gpu = gpu, .n = n};
    struct qp_download *asked = NULL;
    bool done = false;
    for (int i = 0; i < n * ((n + 3) / 4 * 4); i++)
        s.enough += tolerance * tolerance * (double)b[i] * (double)b[i];
    bool failed = make(&s, b);
    *steps = 0;
    for (int k = 0; k < MOST && !done && !failed; k += EVERY) {
        for (int i = k; i < k + EVERY && !failed; i++)
            failed = step(&s, i);
        failed = failed || look(&s, &asked, steps, &done) || qp_array_ask(s.rrs, NULL, &asked);
    }
    failed = failed || qp_array_read(s.x, NULL, x, 0);
    qp_download_cancel(&asked);
    destroy(&s);
    return failed;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 255, width = (n + 3) / 4 * 4;
    const double tolerance = argc > 2 ? atof(argv[2]) : 1e-6;
    struct qp_context *gpu = NULL;
    int steps;
    if (n < 1 || n > 16384 || !(tolerance > 0.0)) {
        fprintf(stderr, "usage: cg [N, 1 to 16384 [TOLERANCE]]\n");
        return 2;
    }
    const size_t values = (size_t)n * (size_t)width;
    float *b = malloc(2 * values * sizeof *b), *x = b != NULL ? b + values : NULL;
    for (size_t i = 0; i < values && b != NULL; i++)
        b[i] = i % (size_t)width < (size_t)n ? (float)rand() / (float)RAND_MAX - 0.5f : 0.0f;
    const bool failed =
        b == NULL || qp_context_create(NULL, &gpu) || solve(gpu, n, b, tolerance, x, &steps);
    if (failed)
        fprintf(stderr, "%s\n", qp_error());
    else
        printf("%d x %d: %d steps, %g in the middle\n", n, n, steps,
               (double)x[n / 2 * width + n / 2]);
    qp_context_destroy(&gpu);
    free(b);
    return failed;
}
