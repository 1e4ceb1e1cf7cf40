/* SPDX-License-Identifier: MIT */
/* Convention 3 for parts that give each other texels: each of an exchange's copies left out,
 * shifted, too small or turned round must fail, and so must an exchange left out. The linker leads
 * the copies through here (--wrap). */
/* wrap: qp_pingpong_copy */
#include "support/support.h"

#include "lab/engines/engines.h"
#include "lab/engines/parts/parts.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/gl/pingpong.h"

/* Two tiles each way, and seams with texels on both sides all along. */
enum { WIDTH = 24, HEIGHT = 10, COPIES = 8 };

enum harm {
    UNHARMED,
    LEFT_OUT,
    TAKEN_BESIDE,
    TAKEN_ABOVE,
    PUT_BESIDE,
    PUT_BELOW,
    TOO_NARROW,
    TOO_LOW,
    TURNED_ROUND,
    STALE, /* nothing after the first exchange */
    HARMS
};

static const char *const names[HARMS] = {"unharmed",     "left out",  "taken beside", "taken above",
                                         "put beside",   "put below", "too narrow",   "too low",
                                         "turned round", "stale"};

static struct {
    enum harm harm;
    int victim; /* number of a copy in each exchange */
    int copies; /* so far */
} order;

void __real_qp_pingpong_copy(struct qp_pingpong *from, const struct qp_pingpong *to,
                             const struct qp_block *block);
void __wrap_qp_pingpong_copy(struct qp_pingpong *from, const struct qp_pingpong *to,
                             const struct qp_block *block);

static void change(struct qp_block *block)
{
    block->from_x += order.harm == TAKEN_BESIDE ? (block->from_x > 3 ? -1 : 1) : 0;
    block->from_y += order.harm == TAKEN_ABOVE ? (block->from_y > 3 ? -1 : 1) : 0;
    block->to_x += order.harm == PUT_BESIDE ? (block->to_x > 3 ? -1 : 1) : 0;
    block->to_y += order.harm == PUT_BELOW ? (block->to_y > 3 ? -1 : 1) : 0;
    block->width -= order.harm == TOO_NARROW;
    block->height -= order.harm == TOO_LOW;
}

void __wrap_qp_pingpong_copy(struct qp_pingpong *from, const struct qp_pingpong *to,
                             const struct qp_block *block)
{
    struct qp_block changed = *block;
    const int number = order.copies++;
    if (order.harm == STALE && number >= COPIES)
        return;
    if (number % COPIES == order.victim && order.harm != STALE && order.harm != UNHARMED) {
        if (order.harm == LEFT_OUT)
            return;
        if (order.harm == TURNED_ROUND) {
            __real_qp_pingpong_copy((struct qp_pingpong *)to, from, block);
            return;
        }
        change(&changed);
    }
    if (changed.width > 0 && changed.height > 0)
        __real_qp_pingpong_copy(from, to, &changed);
}

/* A variant in four tiles. */
struct tiled {
    struct qp_jacobi9_variant own;
    struct qp_recipe recipe;
    struct qp_variant variant;
};

/* Makes a variant with as many steps between exchanges as a halo of one texel has columns: all of
 * it is used. */
static void make(const char *name, struct tiled *out)
{
    *out = (struct tiled){.variant = *qp_variant_find(name)};
    out->recipe = *out->variant.recipe;
    out->own = *qp_jacobi9_variant(out->variant.recipe);
    const int columns = qp_layout_make(out->recipe.state, WIDTH, HEIGHT, 1).neighbours;
    out->own.engine.parts = (struct qp_parts_variant){
        .runs = {{out->variant.recipe, out->variant.name}}, .texels = 64, .depth = columns};
    out->recipe.engine = &qp_engine_parts;
    out->recipe.own = &out->own;
    out->variant.recipe = &out->recipe;
}

static void walk(struct qp_context *context, const struct tiled *tiled, struct qp_problem *problem)
{
    const struct qp_walk_desc desc = {.iterations = 21};
    struct qp_result result;
    order.copies = 0;
    assert_ok(qp_walk(context, &tiled->variant, problem, &desc, &result));
    if (result.verdict != (order.harm == UNHARMED ? QP_PASS : QP_FAIL))
        fail_msg("%s, copy %d %s: %s", tiled->variant.name, order.victim, names[order.harm],
                 qp_verdict_name(result.verdict));
    assert_int_equal(result.parts.depth, tiled->own.engine.parts.depth);
    if (order.copies % COPIES != 0 || order.copies < 4 * COPIES)
        fail_msg("%d copies", order.copies);
}

CLEAN_TEST(every_copy_counts)
{
    static const char *const rows[] = {"jacobi9/luminance", "jacobi9/rgba_abreast"};
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .kind = "random", .width = WIDTH, .height = HEIGHT, .seed = 3, .weight = 0.8},
        &problem));
    for (int i = 0; i < COUNT(rows); i++) {
        struct tiled tiled;
        make(rows[i], &tiled);
        for (int k = 0; k < HARMS * COPIES; k++) {
            order.harm = (enum harm)(k / COPIES);
            order.victim = k % COPIES;
            walk(context, &tiled, &problem);
        }
        order.harm = UNHARMED;
        walk(context, &tiled, &problem);
    }
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
