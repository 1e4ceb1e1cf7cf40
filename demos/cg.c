/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for Poisson's equation on n x n cells in a rim of zeros: cg [N] [TOLERANCE]. A has 4 on its diagonal
 * and -1 for each neighbour (docs/poisson5.md); b is random. alpha and beta are quotients of arrays of one cell, which the
 * kernels read, and never leave the device. Squared residuals do, 32 at a time and without waiting, for the host to see when
 * to stop; by then the answer has been left as it was at the first of them that was small enough. Four cells of a row make
 * a texel, which is fetched as fast as one. Functions return true if something failed, and qp_error says what. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <quadpass/quadpass.h>

enum { EVERY = 32, MOST = 1 << 20 }; /* steps from look to look; in all */

/* ---- Kernels ---- */

/* A p at a texel; 0 behind the end of a row. */
#define PRODUCT                                                                        \
    "vec4 product(vec2 here)\n"                                                        \
    "{\n"                                                                              \
    "    vec4 at = p_at(0, 0);\n"                                                      \
    "    vec4 sides = vec4(p_at(-1, 0).a, at.rgb) + vec4(at.gba, p_at(1, 0).r);\n"     \
    "    vec4 product = 4.0 * at - (sides + (p_at(0, -1) + p_at(0, 1)));\n"            \
    "    return product * vec4(lessThan(4.0 * here.x + vec4(0, 1, 2, 3), vec4(n)));\n" \
    "}\n"
#define ALPHA                                                                                    \
    "float alpha() { float rr = rr_cell(vec2(0)); return rr > enough ? rr / pq_cell(vec2(0)) : " \
    "0.0; }\n"
#define BETA "float beta() { return rr_cell(vec2(0)) / before_cell(vec2(0)); }\n"

#define FIELD(letter)                             \
    {                                             \
        .name = letter, .channels = 4, .reach = 1 \
    }
#define SCALAR(letter) \
    {                  \
        .name = letter \
    }

#define INPUT(letter, array) ((const struct qp_pass_input[]){{letter, array}, {NULL, NULL}})
#define NUMBER(number)       ((const struct qp_pass_number[]){number, {NULL, {0}, NULL}})

enum { DIRECTION, ANSWER, RESIDUAL, KERNELS };

static const struct qp_kernel_desc kernels[KERNELS] = {
    [DIRECTION] = {.body =
                       BETA "vec4 kernel(vec2 here) { return r_at(0, 0) + beta() * p_at(0, 0); }",
                   .input = {FIELD("r"), FIELD("p"), SCALAR("rr"), SCALAR("before")},
                   .output_channels = 4},
    [ANSWER] = {.body =
                    ALPHA "vec4 kernel(vec2 here) { return x_at(0, 0) + alpha() * p_at(0, 0); }",
                .input = {FIELD("x"), FIELD("p"), SCALAR("rr"), SCALAR("pq")},
                .number = {{.name = "enough"}},
                .output_channels = 4},
    [RESIDUAL] = {.body = PRODUCT ALPHA
                  "vec4 kernel(vec2 here) { return r_at(0, 0) - alpha() * product(here); }",
                  .input = {FIELD("r"), FIELD("p"), SCALAR("rr"), SCALAR("pq")},
                  .number = {{.name = "n"}, {.name = "enough"}},
                  .output_channels = 4}};

static const struct qp_reduction_desc
    p_product = {.map = PRODUCT "float map(vec2 here) { return dot(p_at(0, 0), product(here)); }",
                 .input = {FIELD("p")},
                 .number = {{.name = "n"}}},
    r_squared = {.map = "float map(vec2 here) { return dot(r_at(0, 0), r_at(0, 0)); }",
                 .input = {FIELD("r")}};

/* ---- Steps ---- */

struct solver {
    struct qp_context *gpu;
    double n, enough;                        /* rows; (r, r) to stop at */
    struct qp_array *x, *r, *p, *spare, *pq; /* pq is (p, A p) */
    struct qp_array *rrs, *rr[EVERY];        /* (r, r) of the last steps, and views of each */
    struct qp_kernel *kernel[KERNELS];
    struct qp_reduction *sum_pq, *sum_rr;
};

/* x = 0, r = b, p = 0. */
static bool make(struct solver *s, const float *b)
{
    const struct qp_array_desc several = {.width = EVERY, .height = 1}, one = {1, 1, .channels = 1},
                               field = {((int)s->n + 3) / 4, (int)s->n, .channels = 4};
    struct qp_reduction_desc pq = p_product, rr = r_squared;
    pq.of = rr.of = field;
    bool failed = qp_array_create(s->gpu, &field, NULL, &s->x) ||
                  qp_array_create(s->gpu, &field, b, &s->r) ||
                  qp_array_create(s->gpu, &field, NULL, &s->p) ||
                  qp_array_create(s->gpu, &field, NULL, &s->spare) ||
                  qp_array_create(s->gpu, &one, NULL, &s->pq) ||
                  qp_array_create(s->gpu, &several, NULL, &s->rrs) ||
                  qp_array_fill(s->rrs, NULL, 1.0) || /* no residual is before the first */
                  qp_reduction_create(s->gpu, &pq, &s->sum_pq) ||
                  qp_reduction_create(s->gpu, &rr, &s->sum_rr);
    for (int i = 0; i < EVERY && !failed; i++)
        failed = qp_array_view(s->rrs, &(struct qp_rect){i, 0, 1, 1}, &s->rr[i]);
    for (int i = 0; i < KERNELS && !failed; i++)
        failed = qp_kernel_create(s->gpu, &kernels[i], &s->kernel[i]);
    return failed || qp_reduce_to(s->sum_rr, INPUT("r", s->r), NULL, s->rr[0]);
}

static void destroy(struct solver *s)
{
    qp_reduction_destroy(&s->sum_rr);
    qp_reduction_destroy(&s->sum_pq);
    for (int i = 0; i < KERNELS; i++)
        qp_kernel_destroy(&s->kernel[i]);
    for (int i = 0; i < EVERY; i++)
        qp_array_destroy(&s->rr[i]);
    struct qp_array **all[] = {&s->x, &s->r, &s->p, &s->spare, &s->pq, &s->rrs};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        qp_array_destroy(all[i]);
}

/* The new field is made in the spare array, and the old one is the next spare. */
static bool step(struct solver *s, int k)
{
    struct qp_array *rr = s->rr[k % EVERY], *next = s->rr[(k + 1) % EVERY],
                    *before = s->rr[(k + EVERY - 1) % EVERY];
    const struct qp_pass_number n = {"n", {s->n}, NULL}, enough = {"enough", {s->enough}, NULL};
    struct qp_pass pass = {.kernel = s->kernel[DIRECTION],
                           .input = {{"r", s->r}, {"p", s->p}, {"rr", rr}, {"before", before}},
                           .output = {s->spare}};
    bool failed = qp_pass_run(&pass);
    qp_array_swap(&s->p, &s->spare);
    failed = failed || qp_reduce_to(s->sum_pq, INPUT("p", s->p), NUMBER(n), s->pq);
    pass = (struct qp_pass){.kernel = s->kernel[ANSWER],
                            .input = {{"x", s->x}, {"p", s->p}, {"rr", rr}, {"pq", s->pq}},
                            .number = {enough},
                            .output = {s->spare}};
    failed = failed || qp_pass_run(&pass);
    qp_array_swap(&s->x, &s->spare);
    pass = (struct qp_pass){.kernel = s->kernel[RESIDUAL],
                            .input = {{"r", s->r}, {"p", s->p}, {"rr", rr}, {"pq", s->pq}},
                            .number = {n, enough},
                            .output = {s->spare}};
    failed = failed || qp_pass_run(&pass);
    qp_array_swap(&s->r, &s->spare);
    return failed || qp_reduce_to(s->sum_rr, INPUT("r", s->r), NULL, next);
}

/* Looks for the first residual that is small enough among those of the EVERY steps behind *steps, or counts them all. */
static bool look(const struct solver *s, struct qp_download **download, int *steps, bool *done)
{
    float rr[EVERY];
    if (*download == NULL)
        return false;
    if (qp_download_take(download, rr, 0))
        return true;
    for (int i = 0; i < EVERY && !*done; i++)
        *done = (double)rr[++*steps % EVERY] <= s->enough;
    return false;
}

/* Solves A x = b, both of n rows of (n + 3) / 4 texels, from x = 0 until ||r|| <= tolerance ||b||, r being the residual that
 * the steps carry along. */
static bool solve(struct qp_context *gpu, int n, const float *b, double tolerance, float *x,
                  int *steps)
{
    struct solver s = {.gpu = gpu, .n = n};
    struct qp_download *before = NULL, *now = NULL;
    bool done = false;
    for (size_t i = 0; i < (size_t)n * (size_t)((n + 3) / 4 * 4); i++)
        s.enough += tolerance * tolerance * (double)b[i] * (double)b[i];
    bool failed = make(&s, b);
    *steps = 0;
    for (int k = 0; k < MOST && !done && !failed; k += EVERY) {
        for (int i = k; i < k + EVERY && !failed; i++)
            failed = step(&s, i);
        failed = failed || qp_array_ask(s.rrs, NULL, &now) || look(&s, &before, steps, &done);
        before = now;
    }
    failed = failed || (!done && look(&s, &before, steps, &done)) || qp_array_read(s.x, NULL, x, 0);
    qp_download_cancel(&before);
    destroy(&s);
    return failed;
}

/* ---- A problem ---- */

/* ||b - A x|| / ||b|| of the answer itself, in double. Rows are `width` long. */
static double residual_of(int n, int width, const float *b, const float *x)
{
    double rr = 0.0, bb = 0.0;
    for (int i = 0; i < n * width; i++) {
        const int column = i % width;
        if (column >= n)
            continue;
        const double left = column > 0 ? x[i - 1] : 0.0, right = column < n - 1 ? x[i + 1] : 0.0;
        const double below = i >= width ? x[i - width] : 0.0,
                     above = i < (n - 1) * width ? x[i + width] : 0.0;
        const double r = b[i] - (4.0 * x[i] - left - right - below - above);
        rr += r * r;
        bb += (double)b[i] * b[i];
    }
    return sqrt(rr / bb);
}

static double seconds(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 255, width = (n + 3) / 4 * 4;
    const double tolerance = argc > 2 ? atof(argv[2]) : 1e-6;
    struct qp_context *gpu = NULL;
    int steps;
    if (n < 1 || n > 16384 || !(tolerance > 0.0)) {
        fprintf(stderr, "usage: cg [N, 1 to 16384] [TOLERANCE]\n");
        return 2;
    }
    float *b = calloc((size_t)n * (size_t)width, sizeof *b),
          *x = malloc((size_t)n * (size_t)width * sizeof *x);
    for (int i = 0; i < n * width && b != NULL; i++)
        b[i] = i % width < n ? (float)rand() / (float)RAND_MAX - 0.5f : 0.0f;
    const double begin = seconds();
    const bool failed = b == NULL || x == NULL || qp_context_create(NULL, &gpu) ||
                        solve(gpu, n, b, tolerance, x, &steps);
    if (failed)
        fprintf(stderr, "%s\n", qp_error());
    else
        printf("%d x %d: %d steps, %.2f s, the answer's residual %.1e\n", n, n, steps,
               seconds() - begin, residual_of(n, width, b, x));
    qp_context_destroy(&gpu);
    free(b);
    free(x);
    return failed;
}
