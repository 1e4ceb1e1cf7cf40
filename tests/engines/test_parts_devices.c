/* SPDX-License-Identifier: MIT */
/* Parts on several devices of CUDA, without one (support/devices.h): the bits of one whole wherever strips lie, whatever
 * way their borders go and however late each stream does its work; and each wait that is left out is found. */
#include "support/devices.h"

#include "engines/cuda.h"

enum { PACES = 8 };

static void set_pace(int pace)
{
    cuda_fake.pace = pace < FAKE_DRAWN ? (enum cuda_fake_pace)pace : FAKE_DRAWN;
    cuda_fake.seed = 77u * (unsigned)pace + 1u;
}

static int open_devices(void **state)
{
    (void)state;
    if (support_has_cuda())
        devices_open(2);
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    return support_has_cuda() ? devices_close() : 0;
}

static struct qp_result walk(const struct qp_variant *row, struct qp_problem *problem,
                             struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    assert_ok(qp_walk(NULL, row, problem, &desc, &result));
    return result;
}

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

static void compare(const struct devices_row *row, const struct scene *scene, int pace)
{
    struct qp_problem problem =
        parts_problem(scene->kind, scene->size.width, scene->size.height, 0);
    struct qp_walk_desc desc = {.iterations = scene->steps};
    struct qp_result whole = walk(qp_variant_find("poisson5/sequential"), &problem, desc);
    desc.parts = scene->parts;
    cuda_fake.devices = scene->devices;
    set_pace(pace);
    struct qp_result parts = walk(&row->row, &problem, desc);
    if (parts.verdict != QP_PASS || !parts_same_bits(&whole, &parts))
        fail_msg("%s, %s of %d x %d, %d parts, depth %d, split %d, %d devices, %d steps, pace %d: "
                 "%s",
                 row->row.name, scene->kind, scene->size.width, scene->size.height,
                 scene->parts.count, scene->parts.depth, scene->parts.split, scene->devices,
                 scene->steps, pace, parts.verdict == QP_PASS ? "other bits" : parts.reason);
    assert_int_equal(cuda_fake.paged, 0);
    qp_matrix_destroy(&whole.solution);
    qp_matrix_destroy(&parts.solution);
    qp_problem_destroy(&problem);
}

static void parts_have_the_bits_of_one_whole(void **state)
{
    (void)state;
    if (!support_has_cuda())
        skip();
    for (int i = 0; i < 2 * COUNT(rows); i++) {
        struct devices_row row;
        devices_row_make(rows[i / 2], i % 2, &row);
        for (unsigned k = 0; k < 840; k += support_takes_long() ? 1 : 13 + (unsigned)i) {
            const struct scene scene = scene_of(k);
            compare(&row, &scene, (int)k % PACES);
        }
    }
}

/* ---- Devices and ways ---- */

static struct qp_parts_desc told(const char *name, int height, struct qp_parts_desc wanted)
{
    struct devices_row row;
    struct qp_problem problem = parts_problem("spike", 7, height, 0.0);
    devices_row_make(name, false, &row);
    const struct qp_walk_desc desc = {.iterations = 5, .parts = wanted};
    struct qp_result result = walk(&row.row, &problem, desc);
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
static void runs_tell_devices_and_ways(void **state)
{
    (void)state;
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

struct seen {
    int split, ordinal[8];
};

static void look(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    struct seen *seen = user;
    (void)seconds;
    for (int k = 0; room == QP_ROOM_PROGRAM && k < qp_parts_of(plan)->count; k++) {
        const struct qp_plan_part *part = &qp_parts_of(plan)->part[k];
        seen->ordinal[k] = part->ordinal;
        if (part->variant.backend == QP_CUDA)
            assert_int_equal(((struct qp_plan_cuda *)part->plan->own)->cuda->ordinal,
                             part->ordinal);
    }
}

static void assert_ordinals(const char *name, int count, int split, const int *expected)
{
    struct devices_row row;
    struct seen seen;
    struct qp_result result;
    struct qp_problem problem = parts_problem("spike", 7, 40, 0.0);
    devices_row_make(name, false, &row);
    const struct qp_walk_desc desc = {
        .iterations = 2, .parts = {.count = count, .split = split}, .on_room = look, .user = &seen};
    assert_ok(qp_walk(NULL, &row.row, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    for (int k = 0; k < result.parts.count; k++)
        assert_int_equal(seen.ordinal[k], expected[k]);
    qp_problem_destroy(&problem);
}

/* The upper part keeps its device where it has the whole grid: a model times it alone. */
static void each_part_opens_its_device(void **state)
{
    (void)state;
    if (!support_has_cuda())
        skip();
    cuda_fake.devices = 3;
    assert_ordinals(rows[0], 5, 0, (const int[]){0, 1, 2, 0, 1});
    assert_ordinals(rows[0], 2, 40, (const int[]){0});
    assert_ordinals(rows[0], 2, -1, (const int[]){1});
    assert_ordinals(rows[0], 3, -1, (const int[]){1, 2});
    assert_ordinals(rows[2], 5, 0, (const int[]){QP_ON_HOST, 0, 1, 2, 0});
    assert_ordinals(rows[2], 3, -1, (const int[]){0, 1});
}

/* ---- Each wait counts ---- */

enum harm {
    UNHARMED,
    STALE,          /* no rows are taken */
    SWAPPED,        /* rows from below go above, and back */
    SHIFTED,        /* rows go one farther inside */
    GIVEN_EARLY,    /* rows are given that the last step has not computed yet */
    TAKEN_EARLY,    /* rows are taken before they are there */
    COMPUTED_EARLY, /* rows at a border are computed before their neighbours arrive */
    GONE_ON_EARLY,  /* the next step begins before rows at a border are computed */
    HARMS
};

static const char *const names[HARMS] = {"unharmed",       "stale",        "swapped",
                                         "shifted",        "given early",  "taken early",
                                         "computed early", "gone on early"};

static enum harm harm;

static int mirrored(const struct qp_plan *plan, int y, int count)
{
    return plan->problem->height - count - y;
}

static enum qp_status give(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    struct qp_plan_cuda *own = plan->own;
    void *const first = own->cuda->stream;
    if (harm == GIVEN_EARLY)
        own->cuda->stream = own->side.stream;
    const enum qp_status status = qp_plan_cuda_give_rows(plan, y, count, border);
    own->cuda->stream = first;
    return status;
}

static enum qp_status take(struct qp_plan *plan, int y, int count, struct qp_border *border)
{
    struct qp_plan_cuda *own = plan->own;
    struct qp_border changed = *border;
    if (harm == STALE)
        return QP_OK;
    if (harm == SWAPPED)
        y = mirrored(plan, y, count);
    if (harm == SHIFTED)
        y += y == 0 ? 1 : -1;
    if (harm == TAKEN_EARLY)
        changed.there = NULL;
    const enum qp_status status = qp_plan_cuda_take_rows(plan, y, count, &changed);
    own->aside = own->aside && harm != COMPUTED_EARLY;
    return status;
}

static enum qp_status pass_rows(struct qp_plan *plan, int y0, int y1, bool ends)
{
    struct qp_plan_cuda *own = plan->own;
    const enum qp_status status =
        qp_plan_cuda_pass_rows(plan, y0, y1, ends && harm != GONE_ON_EARLY);
    if (ends && harm == GONE_ON_EARLY) {
        own->aside = false;
        own->step++;
    }
    return status;
}

/* Walks that fail, of one at each pace. */
static int count_failures(const struct devices_row *row, int depth)
{
    int failures = 0;
    struct qp_problem problem = parts_problem("field", 14, 36, 0.0);
    for (int pace = 0; pace < PACES; pace++) {
        const struct qp_walk_desc desc = {.iterations = 4 * depth + 3,
                                          .parts = {.count = 3, .depth = depth}};
        set_pace(pace);
        struct qp_result result = walk(&row->row, &problem, desc);
        assert_int_equal(result.cause, QP_OK);
        failures += result.verdict == QP_FAIL;
        qp_matrix_destroy(&result.solution);
    }
    qp_problem_destroy(&problem);
    return failures;
}

static void every_wait_counts(void **state)
{
    (void)state;
    if (!support_has_cuda())
        skip();
    for (int k = 0; k < COUNT(rows) - 1; k++) {
        struct devices_row row;
        devices_row_make(rows[k], false, &row);
        row.engine.give_rows = give;
        row.engine.take_rows = take;
        row.engine.pass_rows = pass_rows;
        for (int h = UNHARMED; h < HARMS; h++) {
            harm = (enum harm)h;
            const int failures = count_failures(&row, 1) + count_failures(&row, 2);
            if ((failures > 0) != (h != UNHARMED))
                fail_msg("%s, %s: %d walks failed", row.row.name, names[h], failures);
        }
    }
}

/* ---- Slow devices, and failures ---- */

/* The lowest part takes each step so often, and its device waits for all of them. */
static void a_slow_part_is_slow_on_its_device(void **state)
{
    struct devices_row row;
    (void)state;
    if (!support_has_cuda())
        skip();
    struct qp_problem problem = parts_problem("field", 9, 30, 0.0);
    int launches[2];
    devices_row_make(rows[0], false, &row);
    for (int k = 0; k < 2; k++) {
        const struct qp_walk_desc desc = {.iterations = 10, .parts = {.slow = k == 0 ? 0 : 4}};
        set_pace(3);
        devices_launches = 0;
        struct qp_result result = walk(&row.row, &problem, desc);
        assert_int_equal(result.verdict, QP_PASS);
        launches[k] = devices_launches;
        qp_matrix_destroy(&result.solution);
    }
    assert_int_equal(launches[1] - launches[0], 3 * 10 + 1 /* that warms up */);
    qp_problem_destroy(&problem);
}

/* Every call to CUDA fails once: there is a sentence, nothing is left, and no thread waits for ever. */
static void every_call_fails_once(void **state)
{
    struct devices_row row;
    struct qp_result result;
    (void)state;
    if (!support_has_cuda())
        skip();
    struct qp_problem problem = parts_problem("field", 9, 30, 0.0);
    const struct qp_walk_desc desc = {.iterations = 3, .parts = {.count = 3}};
    devices_row_make(rows[0], false, &row);
    assert_ok(qp_walk(NULL, &row.row, &problem, &desc, &result));
    const int calls = cuda_fake.calls;
    int failed = 0;
    cuda_fake.error = FAKE_INVALID;
    for (int k = 1; k <= calls; k++) {
        cuda_fake.calls = 0;
        cuda_fake.fail_at = k;
        assert_ok(qp_walk(NULL, &row.row, &problem, &desc, &result));
        failed += result.cause == QP_DEVICE;
        if (devices_close() != 0)
            fail_msg("call %d of %d leaves something behind", k, calls);
        cuda_fake.on = true;
    }
    if (failed < calls / 2)
        fail_msg("of %d calls %d failed a walk", calls, failed);
    qp_problem_destroy(&problem);
}

#define devices_test(f) cmocka_unit_test_setup_teardown(f, open_devices, close_devices)

int main(void)
{
    const struct CMUnitTest tests[] = {
        devices_test(parts_have_the_bits_of_one_whole),  devices_test(runs_tell_devices_and_ways),
        devices_test(each_part_opens_its_device),        devices_test(every_wait_counts),
        devices_test(a_slow_part_is_slow_on_its_device), devices_test(every_call_fails_once)};
    return cmocka_run_group_tests_name("parts on devices", tests, NULL, NULL);
}
