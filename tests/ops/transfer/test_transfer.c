/* SPDX-License-Identifier: MIT */
/* Transfers: every variant moves every kind exactly, at awkward sizes and in pieces of any height;
 * another array each time, so that nothing old counts; and exactly the bytes of the cost
 * function. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/transfer/transfer.h"
#include "lab/plan/problem.h"
#include "support/moves.h"
#include "toolkit/cuda/streams.h"
#include "toolkit/gl/context/context.h"

/* ---- Walks ---- */

/* Values that must arrive, worked out here. */
static void assert_arrived(const struct qp_variant *variant, const struct qp_problem *problem,
                           const struct qp_matrix *solution)
{
    const float more = qp_problem_kind(problem) == QP_TRANSFER_OVERLAP ? 1024.0f : 0.0f;
    const struct qp_matrix *x = &problem->field[QP_TRANSFER_X];
    for (int i = 0; i < x->width * x->height; i++) {
        if (solution->values[i] != x->values[i] + more)
            fail_msg("%s, %s, %d x %d: value %d is %g, not %g", variant->name, problem->kind,
                     x->width, x->height, i, solution->values[i], x->values[i] + more);
    }
}

static void walk(struct qp_context *context, const struct qp_variant *variant,
                 struct qp_problem *problem, const struct qp_walk_desc *desc)
{
    struct qp_result result;
    assert_ok(qp_walk(context, variant, problem, desc, &result));
    if (result.verdict != QP_PASS || result.error != 0.0 || result.tolerance != 0.0)
        fail_msg("%s, %s, %d x %d, blocks of %d: %s, %s", variant->name, problem->kind,
                 problem->width, problem->height, desc->block, qp_verdict_name(result.verdict),
                 result.reason);
    assert_arrived(variant, problem, &result.solution);
    qp_matrix_destroy(&result.solution);
}

/* Walks in one piece, pieces that do not divide the height, one row each; one step and several;
 * both targets. */
static int walk_rows(struct qp_context *context, struct qp_problem *problem)
{
    int rows = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (!moves_can(context, variant, problem))
            continue;
        rows++;
        for (int block = 0; block <= problem->height && block < 8; block = 2 * block + 1) {
            struct qp_walk_desc desc = {.iterations = 1 + block % 4,
                                        .block = block,
                                        .target = block % 2 ? QP_2D : QP_RECTANGLE,
                                        .keep_solution = true};
            walk(context, variant, problem, &desc);
        }
    }
    return rows;
}

CLEAN_TEST(everything_arrives)
{
    static const int sizes[][2] = {{1, 1},   {1, 7},  {7, 1},  {2, 2},    {3, 5},  {13, 11},
                                   {64, 64}, {65, 9}, {17, 5}, {2048, 3}, {5, 130}};
    for (int k = 0; k < COUNT(sizes) * QP_TRANSFER_KINDS; k++) {
        const int *size = sizes[k / QP_TRANSFER_KINDS];
        struct qp_problem problem = moves_problem(k % QP_TRANSFER_KINDS, size[0], size[1]);
        assert_true(walk_rows(*state, &problem) >= (*state != NULL ? 8 : 2));
        qp_problem_destroy(&problem);
    }
    support_need_context(state);
}

/* Pieces, those under way at a time, and rows of one, as docs/transfer.md has them. */
TEST(rows_move_these_pieces)
{
    static const struct {
        const char *row;
        int pieces, turns, rows;
    } wanted[] = {
        {"memcpy", 0, 0, 0},        {"plain", 0, 0, 0},       {"plain_luminance", 0, 0, 0},
        {"plain_rgba", 0, 0, 0},    {"small", 0, 0, 1},       {"pixel_buffer", 0, 0, 0},
        {"asynchronous", 8, 2, 0},  {"persistent", 8, 2, 0},  {"buffer", 8, 2, 0},
        {"cuda_pageable", 0, 0, 0}, {"cuda_pinned", 0, 0, 0}, {"cuda_small", 0, 0, 1},
        {"cuda_async", 16, 2, 0},   {"cuda_mapped", 0, 0, 0}, {"cuda_serial", 16, 0, 0},
        {"cuda_overlap", 16, 3, 0}};
    for (int k = 0; k < COUNT(wanted); k++) {
        char name[64];
        snprintf(name, sizeof name, "transfer/%s", wanted[k].row);
        const struct qp_transfer *own = qp_variant_find(name)->recipe->own;
        if (own->pieces != wanted[k].pieces || own->turns != wanted[k].turns ||
            own->rows != wanted[k].rows)
            fail_msg("%s: %d pieces, %d at a time, %d rows", name, own->pieces, own->turns,
                     own->rows);
    }
}

/* No step: nothing has arrived. */
CLEAN_TEST(nothing_arrives_by_itself)
{
    struct qp_problem problem = moves_problem(QP_TRANSFER_ROUND, 6, 5);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const struct qp_walk_desc desc = {.keep_solution = true};
        struct qp_result result;
        if (!moves_can(*state, variant, &problem))
            continue;
        assert_ok(qp_walk(*state, variant, &problem, &desc, &result));
        for (int k = 0; k < 30; k++)
            assert_true(result.solution.values[k] == 0.0f);
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
}

/* ---- Plans, stage by stage ---- */

/* The second step moves other values with the same plan: a buffer or an array that holds the first
 * step's is found out. */
static void moves_anew(struct qp_plan *plan)
{
    struct qp_matrix *x = (struct qp_matrix *)&plan->problem->field[QP_TRANSFER_X];
    float *texels = plan->input_texels[0];
    bool right;
    for (int step = 1; step <= 5; step++) {
        assert_ok(moves_run(plan, &right));
        if (!right)
            fail_msg("%s, %s: step %d is wrong", plan->variant->name, plan->problem->kind, step);
        for (int i = 0; i < x->width * x->height; i++)
            x->values[i] = (float)((i * 37 + step * 11) % 1000) / 1024.0f;
        qp_layout_pack(&plan->input_layout[0], 0, x->values, 0.0f, texels);
        qp_transfer_gather(plan, texels, qp_transfer_own(plan)->source);
        if (qp_transfer_kind_of(plan) == QP_TRANSFER_DOWN)
            assert_ok(qp_transfer_own(plan)->mover->reset(plan, texels));
    }
}

CLEAN_TEST(every_step_moves)
{
    moves_on_all(state, 12, 10, 3, moves_anew);
    moves_on_all(state, 12, 10, 0, moves_anew);
}

/* Bytes that cross the bus by the cost function are those that the library counts. */
static void counts_bytes(struct qp_plan *plan)
{
    if (plan->variant->backend != QP_GL)
        return;
    const size_t array = 12 * 10 * sizeof(float);
    struct qp_counters before = qp_context_counters(plan->context);
    assert_ok(plan->engine->pass(plan));
    assert_ok(plan->engine->finish(plan));
    struct qp_counters after = qp_context_counters(plan->context);
    size_t written = after.bytes_written - before.bytes_written;
    size_t read = after.bytes_read - before.bytes_read;
    assert_int_equal(written, qp_transfer_goes_up(plan) ? array : 0);
    assert_int_equal(read, qp_transfer_comes_down(plan) ? array : 0);
    struct qp_cost cost = qp_variant_cost_of(plan->variant, plan->problem);
    assert_true(cost.bytes * 12 * 10 == (double)(written + read) && cost.flops == 0.0);
}

CLEAN_TEST(bytes_are_counted)
{
    moves_on_all(state, 12, 10, 0, counts_bytes);
    moves_on_all(state, 12, 10, 4, counts_bytes);
}

/* Two textures, two framebuffer objects, two buffers each way, and a fence for each of them. */
CLEAN_TEST(objects_are_counted)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = qp_variant_find("transfer/persistent");
    struct qp_problem problem = moves_problem(QP_TRANSFER_OVERLAP, 8, 8);
    if (!moves_can(context, variant, &problem)) {
        qp_problem_destroy(&problem);
        skip();
    }
    struct qp_plan *plan = moves_open(context, variant, &problem, 2);
    assert_ok(plan->engine->pass(plan));
    assert_int_equal(qp_context_counters(context).live_objects, 2 + 2 + 4 + 2);
    qp_plan_destroy(&plan);
    assert_int_equal(qp_context_counters(context).live_objects, 0);
    qp_problem_destroy(&problem);
}

/* ---- Streams ---- */

CLEAN_TEST(locks_and_streams)
{
    struct qp_cuda *cuda = NULL, fork;
    void *seen = NULL, *block = NULL;
    support_need_cuda(qp_cuda_open(-1, &cuda));
    float *here = qp_alloc_pages(5000, "a test"), *back = qp_alloc_pages(5000, "a test");
    assert_true(here != NULL && back != NULL && (uintptr_t)here % 4096 == 0);
    assert_int_equal(qp_cuda_see(cuda, here, &seen), QP_DEVICE); /* not locked yet */
    support_assert_sentence("show the host's memory to the device");
    assert_ok(qp_cuda_lock(cuda, here, 5000 * sizeof *here));
    assert_int_equal(qp_cuda_lock(cuda, here, 5000 * sizeof *here), QP_DEVICE);
    support_assert_sentence("lock the host's memory");
    assert_ok(qp_cuda_see(cuda, here, &seen));
    assert_ok(qp_cuda_fork(cuda, &fork));
    assert_int_equal(qp_cuda_live_streams(), 2);
    assert_ok(qp_cuda_allocate(cuda, 5000 * sizeof *here, "a block", &block));
    for (int i = 0; i < 5000; i++)
        here[i] = (float)i;
    assert_ok(qp_cuda_send(&fork, block, here, 5000 * sizeof *here));
    assert_ok(qp_cuda_fetch(&fork, back, block, 5000 * sizeof *here));
    assert_ok(qp_cuda_wait(&fork));
    assert_memory_equal(here, back, 5000 * sizeof *here);
    qp_cuda_join(&fork);
    qp_cuda_join(&fork); /* a second time is none */
    qp_cuda_unlock(cuda, here);
    qp_cuda_free(cuda, block);
    qp_cuda_close(&cuda);
    assert_int_equal(qp_cuda_live_streams(), 0);
    free(here);
    free(back);
}

/* ---- Refusals ---- */

static const char *reason_of(struct qp_context *context, const char *name, int kind, int height,
                             int block)
{
    static struct qp_result result;
    const struct qp_walk_desc desc = {.iterations = 1, .block = block};
    struct qp_problem problem = moves_problem(kind, 12, height);
    assert_ok(qp_walk(context, qp_variant_find(name), &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    qp_problem_destroy(&problem);
    return result.reason;
}

CLEAN_TEST(what_does_not_fit_is_skipped)
{
    const struct qp_problem_desc wrong = {
        .op = "transfer", .kind = "sideways", .width = 3, .height = 2};
    struct qp_problem problem;
    assert_int_equal(qp_problem_create(&wrong, &problem), QP_BAD_USE);
    support_assert_sentence("transfer has no problem 'sideways'; it has round, up, down, overlap");
    struct qp_context *context = support_need_context(state);
    assert_non_null(
        strstr(reason_of(context, "transfer/small", QP_TRANSFER_UP, 4, 5), "blocks of 5 rows"));
    assert_non_null(
        strstr(reason_of(context, "transfer/buffer", QP_TRANSFER_OVERLAP, 4, 0), "'overlap'"));
}

/* CUDA variants are listed everywhere, and say what is missing. */
CLEAN_TEST(without_a_device)
{
    int rows = 0;
    struct qp_problem problem = moves_problem(QP_TRANSFER_ROUND, 3, 2);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "transfer") != 0 || variant->backend != QP_CUDA)
            continue;
        rows++;
        assert_non_null(strstr(variant->name, "cuda"));
        if (qp_cuda_look(-1) == QP_OK)
            continue;
        char missing[512];
        struct qp_result result;
        snprintf(missing, sizeof missing, "%s", qp_error());
        assert_ok(
            qp_walk(*state, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_true(result.verdict == QP_SKIP && strstr(result.reason, missing) != NULL);
    }
    assert_int_equal(rows, 7);
    qp_problem_destroy(&problem);
}

/* ---- Staging ---- */

static int staged[2],
    wrongly; /* buffers for downloads and for uploads; those that are made for the other way */
static PFNGLBUFFERDATAPROC driver_data;
static PFNGLBUFFERSTORAGEPROC driver_storage;

static void note_staging(GLenum target, bool reads, bool writes)
{
    if (target != GL_PIXEL_UNPACK_BUFFER && target != GL_PIXEL_PACK_BUFFER)
        return;
    const bool up = target == GL_PIXEL_UNPACK_BUFFER;
    staged[up]++;
    wrongly += up ? reads || !writes : writes || !reads;
}

static void GLAPIENTRY buffer_data(GLenum target, GLsizeiptr bytes, const void *data, GLenum usage)
{
    note_staging(target, usage == GL_STREAM_READ, usage == GL_STREAM_DRAW);
    driver_data(target, bytes, data, usage);
}

static void GLAPIENTRY buffer_storage(GLenum target, GLsizeiptr bytes, const void *data,
                                      GLbitfield flags)
{
    note_staging(target, flags & GL_MAP_READ_BIT, flags & GL_MAP_WRITE_BIT);
    driver_storage(target, bytes, data, flags);
}

/* Buffers for uploads are written by the host, and those for downloads are read: a real driver puts
 * them elsewhere. */
CLEAN_TEST(staging_is_made_for_its_way)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = moves_problem(QP_TRANSFER_ROUND, 5, 4);
    driver_data = __glewBufferData, driver_storage = __glewBufferStorage;
    int made[2][2] = {{0}}; /* for life or not, and which way */
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_result result;
        if (variant->backend != QP_GL || !moves_can(context, variant, &problem))
            continue;
        staged[0] = staged[1] = 0;
        __glewBufferData = buffer_data, __glewBufferStorage = buffer_storage;
        const enum qp_status status =
            qp_walk(context, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result);
        __glewBufferData = driver_data, __glewBufferStorage = driver_storage;
        assert_ok(status);
        if (wrongly > 0)
            fail_msg("%s stages for the other way", variant->name);
        const bool for_life = variant->needs & QP_CAN_MAP_FOR_LIFE;
        made[for_life][0] += staged[0];
        made[for_life][1] += staged[1];
    }
    assert_true(made[0][0] > 0 && made[0][1] > 0);
    if (qp_context_device(context)->abilities & QP_CAN_MAP_FOR_LIFE)
        assert_true(made[1][0] > 0 && made[1][1] > 0);
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
