/* SPDX-License-Identifier: MIT */
/* Parts on several devices of CUDA, without one (support/devices.h): the bits of one whole wherever
 * strips lie, whatever way their borders go and however late each stream does its work, and each on
 * the device that is its own. */
/* wrap: cuda_fake*.c */
#include "support/devices.h"

#include <stdio.h>

#include "lab/baseline/baseline.h"
#include "lab/baseline/ranks.h"
#include "lab/engines/choose.h"
#include "lab/engines/cuda.h"
#include "support/mpirun.h"
#include "support/shell.h"
#include "toolkit/gl/context/context.h"

/* ---- The same bits ---- */

static const char *const rows[] = {"poisson5/parts_cuda", "poisson5/parts_cuda_locked",
                                   "poisson5/hybrid_cuda"};

struct scene {
    const char *kind;
    struct qp_size size;
    int devices, steps;
    struct qp_parts_desc parts;
};

static struct scene scene_of(unsigned k)
{
    static const char *const kinds[] = {"spike", "field"};
    static const struct qp_size sizes[] = {{1, 1},  {5, 2},   {3, 7},   {13, 11},
                                           {9, 41}, {65, 64}, {31, 127}};
    static const int splits[] = {0, 1, -1, 1000, 0, 6, 0, -2 /* all but one */};
    struct scene out = {.kind = kinds[k % 2],
                        .size = sizes[k / 2 % COUNT(sizes)],
                        .devices = 1 + (int)(k % 3),
                        .steps = 1 + (int)(k % 11),
                        .parts = {.count = 1 + (int)(k / 3 % 5), .depth = (int)(k / 5 % 4)}};
    out.parts.split = splits[k / 7 % COUNT(splits)];
    if (out.parts.split == -2)
        out.parts.split = out.size.height - 1;
    if (out.parts.count > out.size.height)
        out.parts.count = out.size.height;
    return out;
}

static void compare(const struct devices_variant *variant, const struct scene *scene, int pace)
{
    struct qp_problem problem =
        parts_problem(scene->kind, scene->size.width, scene->size.height, 0);
    struct qp_walk_desc desc = {.iterations = scene->steps};
    struct qp_result whole = devices_walk(qp_variant_find("poisson5/sequential"), &problem, desc);
    desc.parts = scene->parts;
    cuda_fake.devices = scene->devices;
    devices_pace(pace);
    struct qp_result parts = devices_walk(&variant->variant, &problem, desc);
    if (parts.verdict != QP_PASS || !parts_same_bits(&whole, &parts))
        fail_msg("%s, %s of %d x %d, %d parts, depth %d, split %d, %d devices, %d steps, pace %d: "
                 "%s",
                 variant->variant.name, scene->kind, scene->size.width, scene->size.height,
                 scene->parts.count, scene->parts.depth, scene->parts.split, scene->devices,
                 scene->steps, pace, parts.verdict == QP_PASS ? "other bits" : parts.reason);
    assert_int_equal(cuda_fake.paged, 0);
    qp_matrix_destroy(&whole.solution);
    qp_matrix_destroy(&parts.solution);
    qp_problem_destroy(&problem);
}

DEVICES_TEST(parts_have_the_bits_of_one_whole)
{
    if (!support_has_cuda())
        skip();
    for (int i = 0; i < 2 * COUNT(rows); i++) {
        struct devices_variant variant;
        devices_variant_make(rows[i / 2], i % 2, &variant);
        for (unsigned k = 0; k < 840; k += support_takes_long() ? 1 : 13 + (unsigned)i) {
            const struct scene scene = scene_of(k);
            compare(&variant, &scene, (int)k % DEVICES_PACES);
        }
    }
}

/* ---- Devices and ways ---- */

static struct qp_parts_desc told(const char *name, int height, struct qp_parts_desc wanted)
{
    struct devices_variant variant;
    struct qp_problem problem = parts_problem("spike", 7, height, 0.0);
    devices_variant_make(name, false, &variant);
    const struct qp_walk_desc desc = {.iterations = 5, .parts = wanted};
    struct qp_result result = devices_walk(&variant.variant, &problem, desc);
    assert_int_equal(result.verdict, QP_PASS);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    return result.parts;
}

static void assert_told(const char *name, struct qp_parts_desc wanted, int count, int devices,
                        enum qp_borders borders)
{
    const struct qp_parts_desc got = told(name, 40, wanted);
    if (got.count != count || got.devices != devices || got.borders != borders)
        fail_msg("%s, %d parts of %d devices: %d on %d, borders '%s'", name, wanted.count,
                 cuda_fake.devices, got.count, got.devices, qp_borders_name(got.borders));
}

/* Devices are taken in turn; one that is taken twice gives rows to itself. */
DEVICES_TEST(runs_tell_devices_and_ways)
{
    if (!support_has_cuda())
        skip();
    static const char parts[] = "poisson5/parts_cuda", hybrid[] = "poisson5/hybrid_cuda";
    assert_told(parts, (struct qp_parts_desc){0}, 2, 2, QP_BORDERS_PEERS);
    assert_true(cuda_fake.across > 0);
    assert_told(parts, (struct qp_parts_desc){.count = 5}, 5, 2, QP_BORDERS_PEERS);
    assert_told(parts, (struct qp_parts_desc){.count = 1}, 1, 1, QP_BORDERS_NONE);
    assert_told(parts, (struct qp_parts_desc){.split = 40}, 1, 1, QP_BORDERS_NONE);
    assert_told(parts, (struct qp_parts_desc){.split = -1}, 1, 1, QP_BORDERS_NONE);
    assert_told(hybrid, (struct qp_parts_desc){0}, 2, 1, QP_BORDERS_LOCKED);
    assert_told(hybrid, (struct qp_parts_desc){.count = 4}, 4, 2, QP_BORDERS_PEERS);
    assert_told(hybrid, (struct qp_parts_desc){.count = 4, .split = 40}, 1, 0, QP_BORDERS_NONE);
    assert_told(hybrid, (struct qp_parts_desc){.count = 4, .split = -1}, 3, 2, QP_BORDERS_PEERS);
    const int across = cuda_fake.across;
    assert_told("poisson5/parts_cuda_locked", (struct qp_parts_desc){0}, 2, 2, QP_BORDERS_LOCKED);
    cuda_fake.peers = false;
    assert_told(parts, (struct qp_parts_desc){0}, 2, 2, QP_BORDERS_LOCKED);
    cuda_fake.devices = 1;
    assert_told(parts, (struct qp_parts_desc){0}, 2, 1, QP_BORDERS_DEVICE);
    assert_told(parts, (struct qp_parts_desc){.count = 3}, 3, 1, QP_BORDERS_DEVICE);
    assert_int_equal(cuda_fake.across, across);
}

enum { NOBODY = -7, MOST_PARTS = 8 };

struct seen {
    int ordinal[MOST_PARTS];
};

static void look(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct seen *seen = user;
    (void)seconds;
    for (int k = 0; stage == QP_STAGE_PROGRAM && k < qp_parts_of(plan)->count; k++) {
        const struct qp_plan_part *part = &qp_parts_of(plan)->part[k];
        if (part->plan == NULL) /* another process's */
            continue;
        seen->ordinal[k] = part->ordinal;
        if (part->variant.backend == QP_CUDA)
            assert_int_equal(((struct qp_plan_cuda *)part->plan->own)->cuda->ordinal,
                             part->ordinal);
    }
}

static void assert_ordinals(struct qp_context *context, const char *name, int count, int split,
                            const int *expected)
{
    struct devices_variant variant;
    struct seen seen;
    for (int k = 0; k < MOST_PARTS; k++)
        seen.ordinal[k] = NOBODY;
    struct qp_result result;
    struct qp_problem problem = parts_problem("spike", 7, 40, 0.0);
    devices_variant_make(name, false, &variant);
    const struct qp_walk_desc desc = {.iterations = 2,
                                      .parts = {.count = count, .split = split},
                                      .on_stage = look,
                                      .user = &seen};
    assert_ok(qp_walk(context, &variant.variant, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    for (int k = 0; k < result.parts.count; k++) {
        if (seen.ordinal[k] != NOBODY)
            assert_int_equal(seen.ordinal[k], expected[k]);
    }
    qp_problem_destroy(&problem);
}

/* The upper part keeps its device where it has the whole grid: a model times it alone. */
DEVICES_TEST(each_part_opens_its_device)
{
    if (!support_has_cuda())
        skip();
    cuda_fake.devices = 3;
    assert_ordinals(NULL, rows[0], 5, 0, (const int[]){0, 1, 2, 0, 1});
    assert_ordinals(NULL, rows[0], 2, 40, (const int[]){0});
    assert_ordinals(NULL, rows[0], 2, -1, (const int[]){1});
    assert_ordinals(NULL, rows[0], 3, -1, (const int[]){1, 2});
    assert_ordinals(NULL, rows[2], 5, 0, (const int[]){QP_ON_HOST, 0, 1, 2, 0});
    assert_ordinals(NULL, rows[2], 3, -1, (const int[]){0, 1});
}

/* The device that was asked for has the first part, as CUDA numbers it. */
DEVICES_TEST(the_first_part_is_on_the_device_asked_for)
{
    struct qp_context *context = support_need_context(state);
    if (!support_has_cuda())
        skip();
    const int own = context->device.cuda_device;
    cuda_fake.devices = 3;
    context->device.cuda_device = 2;
    assert_ordinals(context, rows[0], 2, 0, (const int[]){2, 0});
    assert_ordinals(context, rows[2], 4, 0, (const int[]){QP_ON_HOST, 2, 0, 1});
    context->device.cuda_device = own;
}

/* Rows of each part; the first as asked for, the others alike. */
static void assert_rows(const char *name, struct qp_parts_desc wanted, int depth,
                        const int *expected)
{
    struct devices_variant variant;
    struct qp_plan *plan;
    struct qp_problem problem = parts_problem("spike", 7, 40, 0.0);
    const struct qp_walk_desc desc = {.parts = wanted};
    devices_variant_make(name, false, &variant);
    struct qp_plan outline = qp_plan_outline(&variant.variant, &problem);
    outline.engine = &qp_engine_parts;
    assert_ok(qp_plan_make(&outline, &desc, &plan));
    for (int k = 0; k < qp_parts_of(plan)->count; k++)
        assert_int_equal(qp_parts_of(plan)->part[k].own.height, expected[k]);
    assert_int_equal(qp_parts_of(plan)->depth, depth);
    qp_plan_destroy(&plan);
    qp_problem_destroy(&problem);
}

DEVICES_TEST(devices_share_what_a_split_leaves)
{
    if (!support_has_cuda())
        skip();
    assert_rows(rows[0], (struct qp_parts_desc){.count = 3}, 1, (const int[]){13, 13, 14});
    assert_rows(rows[0], (struct qp_parts_desc){.count = 3, .split = 10}, 1,
                (const int[]){10, 15, 15});
    assert_rows(rows[2], (struct qp_parts_desc){.count = 5, .split = 1, .depth = 20}, 9,
                (const int[]){1, 9, 10, 10, 10});
    assert_rows(rows[2], (struct qp_parts_desc){.count = 4, .split = -1, .depth = 20}, 13,
                (const int[]){13, 13, 14});
    assert_rows(rows[2], (struct qp_parts_desc){.count = 9, .split = 37}, 1,
                (const int[]){37, 1, 1, 1});
}

/* ---- Processes: this program starts itself by mpirun ---- */

enum { RANKS = 3 };

SCENE(again)
{
    devices_begin(NULL);
    baseline_lend_mpi();
    baseline_set_stall(5.0);
    assert_ok(qp_link_mpi.open());
    assert_int_equal(qp_link_mpi.ranks(), RANKS);
    for (int k = 0; k < 4 * DEVICES_PACES; k++) {
        struct devices_variant variant;
        const struct scene scene = {.kind = k % 2 ? "field" : "spike",
                                    .size = {13, 9 + 5 * k},
                                    .devices = 2,
                                    .steps = 11,
                                    .parts = {.depth = k % 4}};
        devices_variant_make("poisson5/mpi_cuda", k % 3 == 0, &variant);
        compare(&variant, &scene, k % DEVICES_PACES);
    }
    cuda_fake.devices = 2;
    assert_ordinals(
        NULL, "poisson5/mpi_cuda", 0, 0,
        (const int[]){qp_link_mpi.rank() % 2, qp_link_mpi.rank() % 2, qp_link_mpi.rank() % 2});
    print_message("one of them is right\n");
    return devices_end(NULL);
}

DEVICES_TEST(processes_have_a_device_each)
{
    char line[1024];
    need_mpirun();
    if (!support_has_cuda())
        skip();
    snprintf(line, sizeof line, MPIRUN "-n %d %s/tests/engines/test_parts_devices again", RANKS,
             QP_BUILD_DIR);
    expect(line, 0, "one of them is right");
}

GROUP(support_open_context, support_close_context)
