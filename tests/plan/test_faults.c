/* SPDX-License-Identifier: MIT */
/* Each allocation and each GL object fails once: code, sentence, no leak, a context that works. */
/* wrap: faults.c */
#include "support/support.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/faults.h"
#include "toolkit/gl/context/context.h"

/* Something to be done in a context (NULL where none is needed), and the words that every sentence
 * must hold, one of them. */
struct scene {
    const char *name;
    enum qp_status (*play)(struct qp_context *context, const char *name);
    const char *words[4];
};

/* ---- Scenes. Each leaves a code and, unless all is good, the thread's sentence. ---- */

/* A verdict is no code: here it becomes one. */
static enum qp_status code_of(const struct qp_result *result)
{
    static const enum qp_status codes[QP_VERDICTS] = {
        [QP_FAIL] = QP_DEVICE, [QP_SKIP] = QP_UNSUPPORTED};
    if (result->verdict == QP_PASS)
        return QP_OK;
    return qp_fail(codes[result->verdict], "%s", result->reason);
}

static enum qp_status walk(struct qp_context *context, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    struct qp_problem_desc wanted = {
        .op = variant->op, .width = 5, .height = 4, .weight = 0.9, .seed = 3};
    struct qp_walk_desc desc = {.iterations = 2};
    struct qp_problem problem;
    struct qp_result result = {.verdict = QP_PASS};
    wanted.systems = qp_variant_systems(variant);
    enum qp_status status = qp_problem_create(&wanted, &problem);
    if (status == QP_OK)
        status = qp_walk(context, variant, &problem, &desc, &result);
    if (status == QP_OK)
        status = code_of(&result);
    qp_problem_destroy(&problem);
    return status;
}

static enum qp_status heart(struct qp_context *context, const char *name)
{
    struct qp_problem_desc wanted = {.kind = "bidomain", .width = 6, .height = 5};
    struct qp_problem problem;
    (void)context, (void)name;
    enum qp_status status = qp_problem_create(&wanted, &problem);
    qp_problem_destroy(&problem);
    return status;
}

/* A Laplacian on 4 x 4 cells, as the file gives it. */
static enum qp_status solve_with(struct qp_context *context, const char *name, bool refine)
{
    struct qp_solve_desc desc = {.variant = name != NULL ? qp_variant_find(name) : NULL,
                                 .tolerance = refine ? 1e-9 : 1e-3,
                                 .refine = refine};
    struct qp_market a;
    struct qp_solution solution;
    enum qp_status status = qp_market_read(QP_SOURCE_DIR "/tests/support/faults.mtx", &a);
    if (status != QP_OK)
        return status;
    status = qp_solve(context, &a, NULL, NULL, &desc, &solution);
    if (status == QP_OK && solution.ending != QP_CONVERGED)
        status = qp_fail(QP_DEVICE, "%s", solution.sentence);
    qp_solution_destroy(&solution);
    qp_market_destroy(&a);
    return status;
}

static enum qp_status solve(struct qp_context *context, const char *name)
{
    return solve_with(context, name, false);
}

static enum qp_status refine(struct qp_context *context, const char *name)
{
    return solve_with(context, name, true);
}

static enum qp_status eliminate(struct qp_context *context, const char *name)
{
    struct qp_dense_desc desc = {.variant = qp_variant_find(name), .refine = true};
    struct qp_market a;
    struct qp_dense_solution solution = {.sides = 0};
    enum qp_status status = qp_market_read(QP_SOURCE_DIR "/tests/support/faults.mtx", &a);
    if (status == QP_OK)
        status = qp_solve_dense(context, &a, NULL, 1, &desc, &solution);
    qp_dense_solution_destroy(&solution);
    qp_market_destroy(&a);
    return status;
}

/* Solves a system whose two columns are equal in float. */
static enum qp_status eliminate_on_host(struct qp_context *context, const char *name)
{
    const struct qp_dense_desc desc = {.variant = qp_variant_find(name)};
    double values[] = {1.0, 1.0, 1.0, 1.0 + 0x1p-40};
    const struct qp_market a = {2, 2, 4, true, NULL, NULL, values};
    struct qp_dense_solution solution = {.sides = 0};
    enum qp_status status = qp_solve_dense(context, &a, NULL, 1, &desc, &solution);
    if (status == QP_OK && !solution.on_host)
        status = qp_fail(QP_DEVICE, "%s", solution.sentence);
    qp_dense_solution_destroy(&solution);
    return status;
}

static enum qp_status bench(struct qp_context *context, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    struct qp_bench_desc desc = {.repeats = 2, .iterations = 1};
    struct qp_problem_desc wanted = {.width = 5, .height = 4};
    struct qp_problem problem, *problems[] = {&problem};
    struct qp_record record;
    enum qp_status status = qp_problem_create(&wanted, &problem);
    if (status == QP_OK)
        status = qp_bench(context, &variant, problems, 1, &desc, &record);
    if (status == QP_OK && record.verdict != QP_PASS)
        status = qp_fail(QP_DEVICE, "%s", record.reason);
    qp_problem_destroy(&problem);
    return status;
}

static double negate(const struct qp_kernel_grid *grid, double *const output[])
{
    for (int i = 0; i < grid->width * grid->height; i++)
        output[0][i] = -qp_kernel_array_at(&grid->input[0], i % grid->width, i / grid->width, 0);
    return 0.0;
}

static enum qp_status try_own(struct qp_context *context, const char *name)
{
    const struct qp_trial_desc wanted = {.name = name, .reference = negate};
    const struct qp_kernel_desc kernel = {
        .fragment = {.file = QP_SOURCE_DIR "/tests/support/negate.frag"}, .input = {{.name = "x"}}};
    const struct qp_trial_variant row = {.name = "gl", .kernel = {kernel}};
    const struct qp_variant *variant;
    struct qp_trial *trial = NULL;
    struct qp_tally tally = {.failed = 0};
    enum qp_status status = qp_trial_create(&wanted, &kernel, &trial);
    if (status == QP_OK)
        status = qp_trial_add(trial, &row, &variant);
    const struct qp_check_desc desc = {qp_trial_make, 1, 3, 2, 1, .user = trial};
    if (status == QP_OK)
        status = qp_check(context, &variant, 1, &desc, &tally);
    if (status == QP_OK && qp_tally_verdict(&tally) != QP_PASS)
        status = qp_fail(QP_DEVICE, "%s", tally.worst.reason);
    qp_trial_destroy(&trial);
    return status;
}

static enum qp_status open_second(struct qp_context *context, const char *name)
{
    struct qp_context *second = NULL;
    (void)name;
    unsigned abilities = qp_context_device(context)->abilities;
    enum qp_status status = qp_context_create(NULL, &second);
    if (status == QP_OK && qp_context_device(second)->abilities != abilities)
        status = qp_fail(QP_UNSUPPORTED, "the second context can do less");
    qp_context_destroy(&second);
    qp_context_enter(context);
    return status;
}

static enum qp_status read_file(struct qp_context *context, const char *name)
{
    char path[512];
    struct qp_market market;
    (void)context;
    snprintf(path, sizeof path, QP_SOURCE_DIR "/tests/io/market/%s", name);
    enum qp_status status = qp_market_read(path, &market);
    qp_market_destroy(&market);
    return status;
}

#define RESUMED QP_BUILD_DIR "/tests/faults.qpc"

static enum qp_status choose_with(struct qp_context *context, struct qp_solve_desc *desc)
{
    struct qp_market a;
    struct qp_answer answer = {0};
    enum qp_status status = qp_market_read(QP_SOURCE_DIR "/tests/support/faults.mtx", &a);
    if (status == QP_OK)
        status = qp_solve_system(context, &a, NULL, 1, NULL, desc, &answer);
    qp_answer_destroy(&answer);
    qp_market_destroy(&a);
    return status;
}

/* A solve that goes on from a file, which the set-up writes. */
static enum qp_status go_on(struct qp_context *context, const char *name)
{
    struct qp_solve_desc desc = {
        .refine = true, .variant = qp_variant_find(name), .resume = RESUMED};
    return choose_with(context, &desc);
}

static int prepare(void **state)
{
    const volatile sig_atomic_t stopped = 1;
    struct qp_solve_desc desc = {.refine = true,
                                 .variant = qp_variant_find("jacobi9/openmp"),
                                 .interrupt = &stopped,
                                 .checkpoint = RESUMED};
    return choose_with(NULL, &desc) == QP_OK ? faults_open_context(state) : -1;
}

/* Poisson's equation on a few cells. */
static enum qp_status poisson(struct qp_context *context, const char *name)
{
    const struct qp_poisson_desc desc = {
        .width = 9, .height = 7, .variant = qp_variant_find(name), .tolerance = 1e-9};
    struct qp_solution solution;
    const enum qp_status status = qp_solve_poisson(context, &desc, &solution);
    qp_solution_destroy(&solution);
    return status;
}

static enum qp_status write_file(struct qp_context *context, const char *name)
{
    static const double values[] = {1.0, 2.0};
    (void)context;
    return qp_market_write(name, 2, 1, values);
}

#define WRITTEN QP_BUILD_DIR "/tests/written.mtx"

static const struct scene on_gl[] = {
    {"luminance", walk, {"stage"}},
    {"vertex", walk, {"stage"}},
    {"rgba_abreast", walk, {"stage"}},
    {"rgba_stamps", walk, {"stage"}},
    {"rgba_tiles", walk, {"stage"}},
    {"rgba_tiles", solve, {"stage", "faults.mtx", "no memory for"}},
    {"poisson5/parts_rgba", walk, {"stage"}},
    {"poisson5/hybrid_red_black", walk, {"stage"}},
    {"rgba_targets", walk, {"stage"}},
    {"reduce/tree_rgba", walk, {"stage"}},
    {"reduce/tree", walk, {"stage"}},
    {"gauss_jordan/blocks_vbo", walk, {"stage"}},
    {"gauss_jordan/quads_targets", walk, {"stage"}},
    {"gauss_jordan_batch/passes", walk, {"stage"}},
    {"gauss_jordan_batch/planes", walk, {"stage"}},
    {"gauss_jordan_batch/registers", walk, {"stage"}},
    {"gauss_jordan_batch/registers_compute", walk, {"stage"}},
    {"gauss_jordan/blocked_compute", walk, {"stage"}},
    {"spmv/csr_sorted", walk, {"stage"}},
    {"transfer/small", walk, {"stage"}},
    {"transfer/pixel_buffer", walk, {"stage"}},
    {"transfer/asynchronous", walk, {"stage"}},
    {"transfer/persistent", walk, {"stage"}},
    {"transfer/buffer", walk, {"stage"}},
    {"luminance", solve, {"stage", "faults.mtx", "no memory for"}},
    {"rgba", refine, {"stage", "faults.mtx", "no memory for"}},
    {"gauss_jordan/systems", eliminate, {"stage", "faults.mtx", "no memory for"}},
    {"gauss_jordan/shrinking_pivoted", eliminate, {"stage", "faults.mtx", "no memory for"}},
    {"luminance", bench, {"stage", "benchmark"}},
    {"negation", try_own, {"stage", "trial", "check", "benchmark"}},
    {"another context", open_second, {"context"}},
};

static const struct scene on_cpu[] = {
    {"openmp", walk, {"stage"}},
    {"amorim_cpu", walk, {"stage"}},
    {"reference", walk, {"stage"}},
    {"reduce/openmp", walk, {"stage"}},
    {"reduce/reference", walk, {"stage"}},
    {"transfer/memcpy", walk, {"stage"}},
    {"poisson5/threads_bound", walk, {"stage"}},
    {"poisson5/threads_numa", walk, {"stage"}},
    {"poisson5/openmp_blocked", walk, {"stage"}},
    {"poisson5/threads_async2", walk, {"stage"}},
    {"poisson5/parts_sequential", walk, {"stage"}},
    {"the heart", heart, {"stage 1"}},
    {"openmp", solve, {"stage", "faults.mtx", "no memory for"}},
    {"reference", refine, {"stage", "faults.mtx", "no memory for"}},
    {"gauss_jordan/loop", eliminate, {"stage", "faults.mtx", "no memory for"}},
    {"gauss_jordan/reference", eliminate_on_host, {"stage", "on the host", "no memory for"}},
    {"jacobi9/openmp", go_on, {"stage", "faults.mtx", "faults.qpc", "no memory for"}},
    {"poisson5/openmp_blocked", poisson, {"stage", "no memory for"}},
    {"legal_symmetric.mtx", read_file, {"legal_symmetric.mtx"}},
    {"legal_array_symmetric.mtx", read_file, {"legal_array_symmetric.mtx"}},
    {"legal_array.mtx", read_file, {"legal_array.mtx"}},
    {WRITTEN, write_file, {"written.mtx"}},
};

/* ---- The rule ---- */

static bool names_the_place(const struct scene *scene)
{
    for (int i = 0; i < 4; i++)
        if (scene->words[i] != NULL && strstr(qp_error(), scene->words[i]) != NULL)
            return true;
    return false;
}

static enum qp_status play_with_fault(const struct scene *scene, struct qp_context *context,
                                      enum fault fault, int number)
{
    faults_forget(context);
    long before = faults_live_blocks();
    faults_arm(fault, number);
    enum qp_status status = scene->play(context, scene->name);
    faults_disarm();
    faults_forget(context);
    if (faults_live_blocks() != before)
        fail_msg("%s, fault %d (%s): %ld blocks leak", scene->name, number, faults_struck(),
                 faults_live_blocks() - before);
    if (context != NULL)
        support_check_clean((void *[]){context});
    return status;
}

/* A device that lacks an ability, or a compiler that refuses, is no lack of memory. */
static bool is_right(enum qp_status status)
{
    return faults_ran_out() ? status == QP_NO_MEMORY
                            : status == QP_DEVICE || status == QP_UNSUPPORTED;
}

/* Requests of a scene on OpenGL: one in three fails, with LONG=1 each. Which ones changes from
 * scene to scene: most requests are made by several. */
enum { ONE_IN = 3 };

static void each_fault(const struct scene *scene, struct qp_context *context, enum fault fault,
                       size_t turn)
{
    if (scene->play == try_own) /* the pool of textures is kept */
        assert_ok(scene->play(context, scene->name));
    assert_ok(play_with_fault(scene, context, fault, INT_MAX));
    int requests = faults_disarm();
    assert_true(requests > 0);
    for (int k = 1; k <= requests; k++) {
        if (context != NULL && (size_t)k % ONE_IN != turn % ONE_IN && !support_takes_long())
            continue;
        enum qp_status status = play_with_fault(scene, context, fault, k);
        if (faults_struck() == NULL)
            fail_msg("%s asked for less than %d the second time", scene->name, k);
        if (!is_right(status) || !names_the_place(scene))
            fail_msg("%s, fault %d (%s): code %d and '%s'", scene->name, k, faults_struck(),
                     (int)status, qp_error());
    }
    assert_ok(play_with_fault(scene, context, fault, INT_MAX));
}

TEST(every_allocation_on_the_cpu)
{
    for (size_t i = 0; i < sizeof on_cpu / sizeof on_cpu[0]; i++)
        each_fault(&on_cpu[i], NULL, FAULT_MEMORY, i);
    unlink(WRITTEN);
}

CLEAN_TEST(every_allocation_with_opengl)
{
    struct qp_context *context = support_need_context(state);
    for (size_t i = 0; i < sizeof on_gl / sizeof on_gl[0]; i++)
        each_fault(&on_gl[i], context, FAULT_MEMORY, i);
}

CLEAN_TEST(every_gl_object)
{
    struct qp_context *context = support_need_context(state);
    for (size_t i = 0; i < sizeof on_gl / sizeof on_gl[0]; i++)
        each_fault(&on_gl[i], context, FAULT_GL, i);
}

/* Rasterisers alone: on a GPU a benchmark warms up by the clock, with thousands of looks, and asks
 * for the GPU's name, whose error leaves out no more than the clock rate. */
CLEAN_TEST(every_error)
{
    struct qp_context *context = support_need_context(state);
    if (!qp_context_device(context)->software)
        skip();
    for (size_t i = 0; i < sizeof on_gl / sizeof on_gl[0]; i++) {
        if (on_gl[i].play != open_second) /* whose probes take an error for an answer */
            each_fault(&on_gl[i], context, FAULT_ERROR, i);
    }
}

GROUP(prepare, support_close_context)
