/* SPDX-License-Identifier: MIT */
/* Batches on CUDA: every size that there is, by NVRTC's kernels and by nvcc's, systems whose rows
 * or columns differ by many decades, and members that spoil no other. */
/* wrap: qp_nvrtc_compile */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"
#include "toolkit/cuda/nvrtc.h"

static const char registers[] = "gauss_jordan_batch/cuda_registers";
static const char cublas[] = "gauss_jordan_batch/cuda_cublas";
static const char cusolver[] = "gauss_jordan_batch/cuda_cusolver";

static struct qp_problem make(const char *kind, int unknowns, int count)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan_batch", .kind = kind, .width = unknowns, .height = count, .seed = 5};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(const char *name, struct qp_problem *problem)
{
    const struct qp_walk_desc desc = {.iterations = 2, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(NULL, qp_variant_find(name), problem, &desc, &result));
    return result;
}

static void must_pass(const char *name, struct qp_problem *problem)
{
    struct qp_result result = walk(name, problem);
    if (result.verdict != QP_PASS)
        fail_msg("%s, %d unknowns: %s", name, qp_batch_unknowns(problem), result.reason);
    qp_matrix_destroy(&result.solution);
}

/* ---- NVRTC with faults (--wrap) ---- */

static struct {
    bool is_missing;
    const char *old, *instead; /* words of the text that others replace; NULL: none */
    int compiled;              /* kernels so far */
} nvrtc;

enum qp_status __real_qp_nvrtc_compile(const char *name, const char *text,
                                       const char *const options[], int count, void **cubin,
                                       size_t *size);
enum qp_status __wrap_qp_nvrtc_compile(const char *name, const char *text,
                                       const char *const options[], int count, void **cubin,
                                       size_t *size);

enum qp_status __wrap_qp_nvrtc_compile(const char *name, const char *text,
                                       const char *const options[], int count, void **cubin,
                                       size_t *size)
{
    char *changed = NULL;
    const char *place = nvrtc.old != NULL ? strstr(text, nvrtc.old) : NULL;
    *cubin = NULL;
    if (nvrtc.is_missing)
        return qp_fail(QP_UNSUPPORTED, "found no NVRTC");
    assert_int_equal(place != NULL, nvrtc.old != NULL);
    if (place != NULL)
        assert_true(asprintf(&changed, "%.*s%s%s", (int)(place - text), text, nvrtc.instead,
                             place + strlen(nvrtc.old)) > 0);
    const enum qp_status status = __real_qp_nvrtc_compile(name, changed != NULL ? changed : text,
                                                          options, count, cubin, size);
    free(changed);
    nvrtc.compiled += status == QP_OK;
    return status;
}

static void need_nvrtc(void)
{
    char arch[32], device[64];
    if (qp_nvrtc_kind(arch, device) != QP_OK) {
        print_message("%s\n", qp_error());
        skip();
    }
}

static void need_cuda(void)
{
    if (!support_is_built(qp_variant_find(registers))) {
        print_message("%s\n", qp_error());
        skip();
    }
}

/* ---- Without a device ---- */

/* Copies of 16 bytes begin where the first system does. */
CLEAN_TEST(systems_stand_aligned)
{
    const struct qp_recipe *recipe = qp_variant_find(registers)->recipe;
    for (int n = 1; n <= QP_BATCH_MOST_UNKNOWNS; n++) {
        struct qp_layout layout = qp_layout_make(recipe->input[0].shape, n + 1, 3 * n, 1);
        assert_int_equal(layout.origin_x % 4, 0);
        assert_int_equal(layout.domain_x, 3 * n * (n + 1));
    }
}

CLEAN_TEST(rows_without_a_device_say_why)
{
    static const char *const rows[] = {registers, cublas, cusolver};
    if (qp_cuda_look(-1) == QP_OK)
        skip();
    struct qp_problem problem = make("dominant", 3, 4);
    for (int r = 0; r < COUNT(rows); r++) {
        struct qp_result result = walk(rows[r], &problem);
        assert_int_equal(result.verdict, QP_SKIP);
        assert_int_equal(qp_cuda_look(-1), QP_UNSUPPORTED);
        assert_string_equal(result.reason, qp_error());
    }
    qp_problem_destroy(&problem);
}

/* NVRTC needs no device. */
CLEAN_TEST(kernels_compile)
{
    static const int sizes[][2] = {{1, 90}, {12, 75}, {12, 80}, {33, 90}};
    void *cubin = NULL;
    size_t size;
    for (int i = 0; i < COUNT(sizes); i++) {
        const enum qp_status status =
            qp_batch_compile(sizes[i][0], sizes[i][1] / 10, sizes[i][1] % 10, &cubin, &size);
        if (status == QP_UNSUPPORTED) {
            print_message("%s\n", qp_error());
            skip();
        }
        assert_ok(status);
        assert_true(size > 1000);
        free(cubin);
    }
    nvrtc.old = "float substitute(";
    nvrtc.instead = "flaot substitute(";
    assert_int_equal(qp_batch_compile(4, 9, 0, &cubin, &size), QP_BAD_INPUT);
    support_assert_sentence("does not compile: gauss_jordan_batch/registers.cuh(");
    assert_null(cubin);
    nvrtc.old = NULL;
}

/* ---- With one ---- */

/* Each has its own share of rows without a thread, and of threads without a system. */
static void solve_all_sizes(int one_in)
{
    for (int n = 1; n <= QP_BATCH_MOST_UNKNOWNS; n++) {
        struct qp_problem problem = make("general", n, n % 2 == 0 ? 1 : 131);
        if (n <= 2 || n == QP_BATCH_MOST_UNKNOWNS || support_takes(n, one_in))
            must_pass(registers, &problem);
        qp_problem_destroy(&problem);
    }
}

/* By nvcc's kernels, which take over where NVRTC is missing. */
CLEAN_TEST(every_number_of_unknowns_without_nvrtc)
{
    need_cuda();
    nvrtc.is_missing = true;
    nvrtc.compiled = 0;
    solve_all_sizes(1);
    nvrtc.is_missing = false;
    assert_int_equal(nvrtc.compiled, 0);
}

/* LONG=1: of all sizes. */
CLEAN_TEST(every_number_of_unknowns)
{
    need_cuda();
    need_nvrtc();
    nvrtc.compiled = 0;
    solve_all_sizes(9);
    assert_int_equal(nvrtc.compiled, support_takes_long() ? QP_BATCH_MOST_UNKNOWNS : 10);
}

/* A mutant of NVRTC's text fails, of each number of threads a system; those sizes are no other
 * test's, since a process keeps what it compiled. */
CLEAN_TEST(mutants_are_judged)
{
    static const char *const words[][2] = {
        {"fmaf(-factor[r]", "fmaf(factor[r]"},
        {"value > best", "value < best"},
        {"? a[r][N] : b", "? a[r][0] : b"},
        {"a * scale * inverse", "a * inverse"},
    };
    static const int sizes[] = {5, 11, 25, 42, 61};
    need_cuda();
    need_nvrtc();
    if (support_takes_long())
        skip(); /* all sizes are compiled already */
    for (int i = 0; i < COUNT(sizes); i++) {
        struct qp_problem problem = make("general", sizes[i], 131);
        nvrtc.old = words[i % COUNT(words)][0];
        nvrtc.instead = words[i % COUNT(words)][1];
        struct qp_result result = walk(registers, &problem);
        assert_int_equal(result.verdict, QP_FAIL);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
    nvrtc.old = NULL;
}

static float *system_of(struct qp_problem *problem, int s)
{
    const int n = qp_batch_unknowns(problem);
    return problem->field[QP_BATCH_AUGMENTED].values + s * n * (n + 1);
}

/* Row i of system s by 2^exponent, b too. Pivots of rows that differ so need not be the dominant
 * ones, and the elements below them may grow: the largest exponent leaves room for it. */
static void scale_row(struct qp_problem *problem, int s, int i, int exponent)
{
    const int n = qp_batch_unknowns(problem);
    float *row = system_of(problem, s) + i * (n + 1);
    for (int j = 0; j <= n; j++)
        row[j] = ldexpf(row[j], exponent);
}

/* The first half of the systems have one scale each. Rows of the others have different ones, half
 * as far apart, for a factor between them must be a float too. */
CLEAN_TEST(scales_of_all_floats)
{
    static const int exponents[] = {-110, -64, 0, 64, 100};
    need_cuda();
    for (int n = 1; n <= 40; n += 13) {
        struct qp_problem problem = make("dominant", n, 60);
        for (int s = 0; s < 60; s++) {
            for (int i = 0; i < n; i++)
                scale_row(&problem, s, i,
                          s < 30 ? exponents[s % COUNT(exponents)]
                                 : exponents[(s + i) % COUNT(exponents)] / 2);
        }
        must_pass(registers, &problem);
        qp_problem_destroy(&problem);
    }
}

/* Systems that are zero, no numbers or infinite: a column of each is reported, and all others have
 * the bits that they have without them. */
CLEAN_TEST(strangers_do_not_meet)
{
    static const float values[] = {0.0f, NAN, INFINITY};
    enum { COUNT_OF_SYSTEMS = 40 };
    need_cuda();
    for (int n = 1; n <= QP_BATCH_MOST_UNKNOWNS; n += 7) {
        struct qp_problem problem = make("general", n, COUNT_OF_SYSTEMS);
        struct qp_result alone = walk(registers, &problem);
        for (int v = 0; v < COUNT(values); v++) {
            for (int q = 0; q < n * (n + 1); q++)
                system_of(&problem, 7 * v + 3)[q] = values[v];
        }
        struct qp_result result = walk(registers, &problem);
        assert_int_equal(alone.verdict, QP_PASS);
        assert_int_equal(result.verdict, QP_FAIL);
        for (int s = 0; s < COUNT_OF_SYSTEMS; s++) {
            const float *x = result.solution.values + s * (n + 1);
            bool spoilt = s == 3 || s == 10 || s == 17;
            assert_true(x[n] == (spoilt ? 1.0f : 0.0f));
            for (int i = 0; i < n; i++)
                assert_true(x[i] == (spoilt ? 0.0f : alone.solution.values[s * (n + 1) + i]));
        }
        qp_matrix_destroy(&alone.solution);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* ---- The opponents ---- */

/* Their singular systems are zeros too, though the column they name is one of the transposed
 * matrix. */
static void solves_them_too(const char *name, const char *library)
{
    static const int sizes[] = {1, 2, 7, 12, 33, 64};
    need_cuda();
    for (int i = 0; i < COUNT(sizes); i++) {
        struct qp_problem problem = make("general", sizes[i], 101);
        struct qp_result result = walk(name, &problem);
        if (result.verdict == QP_SKIP) {
            assert_non_null(strstr(result.reason, library));
            qp_problem_destroy(&problem);
            skip();
        }
        assert_int_equal(result.verdict, QP_PASS);
        qp_matrix_destroy(&result.solution);
        memset(system_of(&problem, 16), 0,
               (size_t)sizes[i] * (size_t)(sizes[i] + 1) * sizeof(float));
        result = walk(name, &problem);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, "system 17 of 101 is singular"));
        assert_non_null(strstr(result.reason, "the other 100 are solved"));
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

CLEAN_TEST(cublas_solves_them_too)
{
    solves_them_too(cublas, "libcublas");
}

/* Systems are dealt to its streams, one more to the first. */
CLEAN_TEST(cusolver_solves_them_too)
{
    solves_them_too(cusolver, "libcusolver");
}
