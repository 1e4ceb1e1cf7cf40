/* SPDX-License-Identifier: MIT */
/* Plans made and unmade again and again: neither memory nor GL objects may grow. (NVIDIA's pools go
 * on growing for a while, 4.2 MB after 1,000 cycles and 4.7 MB after 4,000, and its heap goes up
 * and down by some 50 kB. llvmpipe's threads free blocks of 64 KiB a little late, up to two at
 * once, whether there were 1,000 cycles or 10,000.) So 4,000 cycles: a plan that leaves 64 bytes of
 * its own leaves as much as is allowed. QUADPASS_CYCLES=100000 makes it an endurance test. */
#include "support/support.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/engines/choose.h"
#include "lab/plan/plan.h"
#include "toolkit/gl/context/context.h"

#if defined(__SANITIZE_ADDRESS__)
size_t __sanitizer_get_current_allocated_bytes(void);
enum { SANITIZED = true };
static size_t heap_bytes(void)
{
    return __sanitizer_get_current_allocated_bytes();
}
#else
enum { SANITIZED = false };
static size_t heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif

/* Pages in memory: what a driver takes beside the heap shows here. */
static size_t resident_bytes(void)
{
    unsigned long size, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &size, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static const char *const names[] = {
    "jacobi9/luminance",  "jacobi9/vertex", "jacobi9/rgba_abreast", "jacobi9/rgba_targets",
    "jacobi9/rgba_tiles", "jacobi9/openmp", "reduce/tree"};
enum { NAMES = sizeof names / sizeof names[0] };

/* Stages 2 to 8, as a walk takes them; every other plan is given up half-way. */
static void cycle(struct qp_context *context, const struct qp_variant *variant,
                  const struct qp_problem *problem, int number)
{
    bool looks = problem->op->change_scale > 0;
    struct qp_walk_desc desc = {.every = looks,
                                .pingpong = number / (2 * NAMES) % QP_PINGPONG_STYLES};
    struct qp_plan *plan;
    struct qp_matrix x = {0};
    double norm;
    assert_ok(qp_plan_create(context, variant, problem, &desc, &plan));
    assert_ok(qp_plan_pack(plan));
    assert_ok(plan->engine->upload(plan));
    if (number % 2 == 0) {
        assert_ok(plan->engine->program(plan));
        assert_ok(plan->engine->pass(plan));
        if (looks)
            assert_ok(plan->engine->change(plan, &norm));
        plan->engine->swap(plan);
        assert_ok(plan->engine->read(plan, false, plan->texels));
        assert_ok(qp_plan_unpack(plan, plan->texels, &x));
    }
    qp_matrix_destroy(&x);
    qp_plan_destroy(&plan);
}

static void cycles(struct qp_context *context, int count)
{
    struct qp_problem problem[NAMES];
    for (int k = 0; k < NAMES; k++) {
        struct qp_problem_desc wanted = {
            .op = qp_variant_find(names[k])->op, .width = 9, .height = 7, .seed = 5};
        assert_ok(qp_problem_create(&wanted, &problem[k]));
    }
    for (int i = 0; i < count; i++)
        cycle(context, qp_variant_find(names[i / 2 % NAMES]), &problem[i / 2 % NAMES], i);
    for (int k = 0; k < NAMES; k++)
        qp_problem_destroy(&problem[k]);
}

CLEAN_TEST(nothing_grows)
{
    enum { WARM_UP = 200, HEAP_SLACK = 256 << 10, RESIDENT_SLACK = 8 << 20 };
    struct qp_context *context = support_need_context(state);
    const char *wanted = getenv("QUADPASS_CYCLES");
    int count = wanted != NULL ? atoi(wanted) : 4000;
    cycles(context, WARM_UP);
    size_t heap = heap_bytes(), resident = resident_bytes();
    struct qp_counters before = qp_context_counters(context);
    cycles(context, count);
    long heap_growth = (long)(heap_bytes() - heap);
    long resident_growth = (long)(resident_bytes() - resident);
    struct qp_counters after = qp_context_counters(context);
    if (wanted != NULL)
        print_message(
            "%d cycles after %d on %s: heap %+ld bytes of %zu, resident %+ld bytes of %zu\n", count,
            WARM_UP, qp_context_device(context)->renderer, heap_growth, heap, resident_growth,
            resident);
    assert_int_equal(after.live_objects, 0);
    assert_int_equal(after.kept_objects, before.kept_objects);
    assert_true(heap_growth < HEAP_SLACK);
    assert_true(SANITIZED || resident_growth < RESIDENT_SLACK); /* freed blocks are kept a while */
}

/* All checks of a walk before it runs go by the same layouts, which become the plan's. */
CLEAN_TEST(layouts_are_computed_once)
{
    static const char *const walked[] = {"jacobi9/openmp", "jacobi9/luminance", "jacobi9/compute",
                                         "gauss_jordan/pivoted", "spmv/diagonals"};
    for (int i = 0; i < COUNT(walked); i++) {
        const struct qp_variant *variant = qp_variant_find(walked[i]);
        const struct qp_problem_desc desc = {.op = variant->op, .width = 12, .height = 12};
        struct qp_problem problem;
        struct qp_result result;
        assert_ok(qp_problem_create(&desc, &problem));
        const int before = qp_plan_outlines();
        assert_ok(qp_walk(support_need_context(state), variant, &problem,
                          &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_int_equal(qp_plan_outlines() - before, 1);
        qp_problem_destroy(&problem);
    }
}

GROUP(support_open_context, support_close_context)
