/* SPDX-License-Identifier: MIT */
/* Cells that are off are not run; and the costs of masks. With LONG=1 times are printed. */
#include "support/toolkit.h"

#include <math.h>

#include "toolkit/base/clock.h"
#include "toolkit/gl/context/context.h"

static struct qp_mask *mask_of(const struct qp_array *array)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    struct qp_mask *mask;
    assert_ok(qp_mask_create(context, desc.width, desc.height, &mask));
    assert_ok(qp_mask_set(mask, array));
    return mask;
}

/* A square of `on` x `on` cells in the middle of side x side is on; each cell takes long. */
struct scene {
    struct qp_array *out;
    struct qp_mask *mask;
    struct qp_kernel *slow;
};

static void open_scene(struct scene *scene, int side, int on)
{
    struct qp_array *cells = grid(side, side, NULL);
    const int from = (side - on) / 2;
    assert_ok(qp_array_fill(cells, &(struct qp_rect){from, from, on, on}, 1.0));
    scene->mask = mask_of(cells);
    scene->out = grid(side, side, NULL);
    scene->slow = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { float v = here.x; for (int i = 0; i < 200; i++) v = "
                "sin(v + here.y); return v; }"});
    qp_array_destroy(&cells);
}

static void close_scene(struct scene *scene)
{
    qp_kernel_destroy(&scene->slow);
    qp_mask_destroy(&scene->mask);
    qp_array_destroy(&scene->out);
}

/* Fragments that pass the tests of OpenGL. */
static GLuint samples(const struct qp_pass *pass)
{
    GLuint query, passed = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    assert_ok(qp_pass_run(pass));
    assert_ok(qp_context_finish(context));
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
    glDeleteQueries(1, &query);
    return passed;
}

CLEAN_TEST(what_is_off_passes_no_test)
{
    enum { SIDE = 50, ON = 5 };
    struct scene scene;
    context = support_need_context(state);
    open_scene(&scene, SIDE, ON);
    struct qp_pass pass = {.kernel = scene.slow, .output = {scene.out}};
    assert_int_equal(samples(&pass), SIDE * SIDE);
    pass.mask = scene.mask;
    assert_int_equal(samples(&pass), ON * ON);
    pass.mask_inverted = true;
    assert_int_equal(samples(&pass), SIDE * SIDE - ON * ON);
    close_scene(&scene);
}

static double seconds_of(const struct qp_pass *pass)
{
    assert_ok(qp_context_finish(context));
    const double begin = qp_clock();
    assert_ok(qp_pass_run(pass));
    assert_ok(qp_context_finish(context));
    return qp_clock() - begin;
}

/* A mask with as many cells on, but no two of them beside each other: devices run neighbours
 * together. */
static struct qp_mask *scattered(int side, int apart)
{
    static const char each[] =
        "float kernel(vec2 here)\n"
        "{\n"
        "    vec2 from_the_last = apart * fract((here + 0.5) / apart);\n"
        "    return max(from_the_last.x, from_the_last.y) < 1.0 ? 1.0 : 0.0;\n"
        "}\n";
    struct qp_array *cells = grid(side, side, NULL);
    struct qp_kernel *sets = kernel((struct qp_kernel_desc){.body = each, .number = {{"apart"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){
        .kernel = sets, .number = {{.name = "apart", .value = {apart}}}, .output = {cells}}));
    struct qp_mask *mask = mask_of(cells);
    qp_kernel_destroy(&sets);
    qp_array_destroy(&cells);
    return mask;
}

/* The best of laps in turn, of all cells and 1 % of them. */
CLEAN_TEST(cells_apart_and_together)
{
    enum { LAPS = 5, PART = 10, FEW = 100, MANY = 2000 };
    double best[3] = {INFINITY, INFINITY, INFINITY};
    struct scene scene;
    context = support_need_context(state);
    const bool software = qp_context_device(context)->software;
    /* A GPU gets enough cells that it takes longer than its driver. */
    const int side = software ? FEW : MANY, on = side / PART;
    open_scene(&scene, side, on);
    struct qp_mask *apart = scattered(side, PART);
    const struct qp_pass pass = {.kernel = scene.slow, .output = {scene.out}};
    struct qp_pass passes[3] = {pass, pass, pass};
    passes[1].mask = scene.mask;
    passes[2].mask = apart;
    assert_int_equal(samples(&passes[2]), on * on);
    for (int lap = 0; lap < LAPS; lap++) {
        for (int k = 0; k < COUNT(passes); k++)
            best[k] = fmin(best[k], seconds_of(&passes[k]));
    }
    if (support_takes_long())
        print_message("a pass over %d x %d cells: %.3g ms; with %d x %d of them on %.3g ms (%.3f), "
                      "apart from each other %.3g ms (%.3f)\n",
                      side, side, 1e3 * best[0], on, on, 1e3 * best[1], best[1] / best[0],
                      1e3 * best[2], best[2] / best[0]);
    qp_mask_destroy(&apart);
    close_scene(&scene);
}

CLEAN_TEST(small_passes)
{
    const int passes = support_takes_long() ? 20000 : 10;
    context = support_need_context(state);
    static const float cells_on[] = {0, 1, 1, 0, 0, 0, 0, 1};
    float got[COUNT(cells_on)];
    struct qp_array *cells = grid(4, 2, cells_on), *out = grid(4, 2, NULL);
    struct qp_mask *mask = mask_of(cells);
    struct qp_kernel *ones =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"});
    struct qp_pass pass = {.kernel = ones, .output = {out}, .mask = mask};
    microseconds_each(&pass, passes);
    const double with = microseconds_each(&pass, passes);
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, cells_on, sizeof got);
    pass.mask = NULL;
    const double without = microseconds_each(&pass, passes);
    if (support_takes_long())
        print_message("a pass over 4 x 2 cells: %.3g us, with a mask %.3g us\n", without, with);
    qp_kernel_destroy(&ones);
    qp_mask_destroy(&mask);
    qp_array_destroy(&cells);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
