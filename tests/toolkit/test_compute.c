/* SPDX-License-Identifier: MIT */
/* Compute shaders as kernels: groups that reach beyond, regions, shared memory, every type, and passes before and behind. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/context.h"

enum { WIDTH = 37, HEIGHT = 21, CELLS = WIDTH * HEIGHT };

static struct qp_context *context;

static bool computes(void **state)
{
    context = support_need_context(state);
    return (qp_context_device(context)->abilities & QP_CAN_COMPUTE) != 0;
}

static struct qp_array *make(struct qp_array_desc desc, const void *values)
{
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, values, &array));
    return array;
}

static struct qp_kernel *kernel(struct qp_kernel_desc desc)
{
    struct qp_kernel *made;
    assert_ok(qp_kernel_create(context, &desc, &made));
    return made;
}

#define HEAD                                                               \
    "#version 430\n"                                                       \
    "layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;\n"         \
    "uniform sampler2DRect x;\n"                                           \
    "layout(r32f) writeonly uniform image2DRect out0;\n"                   \
    "uniform vec2 origin, first, end, x_origin, x_size;\n"                 \
    "uniform float a;\n"                                                   \
    "float at(ivec2 cell)\n"                                               \
    "{\n"                                                                  \
    "    bool inside = all(greaterThanEqual(cell, ivec2(0))) &&\n"         \
    "                  all(lessThan(cell, ivec2(x_size)));\n"              \
    "    return inside ? texelFetch(x, cell + ivec2(x_origin)).r : 0.0;\n" \
    "}\n"

static const struct qp_kernel_desc blur = {
    .name = "blur",
    .compute = {.text = HEAD
                "void main()\n{\n"
                "    ivec2 cell = ivec2(first) + ivec2(gl_GlobalInvocationID.xy);\n"
                "    float sum = at(cell - ivec2(1, 0)) + at(cell + ivec2(1, 0)) +\n"
                "                at(cell - ivec2(0, 1)) + at(cell + ivec2(0, 1));\n"
                "    if (all(lessThan(cell, ivec2(end))))\n"
                "        imageStore(out0, cell + ivec2(origin), vec4(a * (at(cell) + sum)));\n"
                "}\n"},
    .input = {{"x"}},
    .number = {{"a"}}};

static float of(const float *values, int i, int j)
{
    return i >= 0 && i < WIDTH && j >= 0 && j < HEIGHT ? values[j * WIDTH + i] : 0.0f;
}

static void fill(float values[CELLS])
{
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)((i * 31) % 64 - 20);
}

/* Whole numbers, so that every sum is exact. */
static float blurred(const float *values, int cell)
{
    const int i = cell % WIDTH, j = cell / WIDTH;
    return 2.0f * (of(values, i, j) + of(values, i - 1, j) + of(values, i + 1, j) +
                   of(values, i, j - 1) + of(values, i, j + 1));
}

/* Groups that divide neither size, over all cells and over a region, whose surroundings stay. */
static void groups_cover_regions(void **state)
{
    static const int groups[][2] = {{0, 0}, {16, 4}, {1, 1}, {64, 2}, {5, 7}};
    static const struct qp_rect regions[] = {{0, 0, 0, 0}, {3, 2, 17, 11}, {36, 20, 1, 1}};
    float values[CELLS], got[CELLS];
    if (!computes(state))
        skip();
    fill(values);
    const struct qp_array_desc cells = {.width = WIDTH, .height = HEIGHT};
    struct qp_array *x = make(cells, values), *out = make(cells, NULL);
    for (int k = 0; k < COUNT(groups) * COUNT(regions); k++) {
        const struct qp_rect *region = &regions[k % COUNT(regions)];
        struct qp_kernel_desc desc = blur;
        desc.group_x = groups[k / COUNT(regions)][0];
        desc.group_y = groups[k / COUNT(regions)][1];
        struct qp_kernel *made = kernel(desc);
        assert_ok(qp_array_fill(out, NULL, -7.0));
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made,
                                                .input = {{"x", x}},
                                                .number = {{"a", {2.0}}},
                                                .output = {out},
                                                .region = *region}));
        assert_ok(qp_array_read(out, NULL, got, 0));
        for (int i = 0; i < CELLS; i++) {
            const int across = i % WIDTH - region->x, up = i / WIDTH - region->y;
            const bool inside = region->width == 0 || (across >= 0 && across < region->width &&
                                                       up >= 0 && up < region->height);
            assert_float_equal(got[i], inside ? blurred(values, i) : -7.0f, 0.0);
        }
        qp_kernel_destroy(&made);
    }
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* Views begin elsewhere in their textures, and a fragment pass before and behind sees what was written; in a list too. */
static void passes_see_each_other(void **state)
{
    enum { LEFT = 5, BELOW = 3, TIMES = 4 };
    const struct qp_rect part = {LEFT, BELOW, WIDTH, HEIGHT};
    float values[CELLS], wanted[CELLS], next[CELLS], got[CELLS];
    if (!computes(state))
        skip();
    fill(values);
    memcpy(wanted, values, sizeof wanted);
    struct qp_array *whole[2] =
        {make((struct qp_array_desc){.width = WIDTH + 9, .height = HEIGHT + 6}, NULL),
         make((struct qp_array_desc){.width = WIDTH + 9, .height = HEIGHT + 6}, NULL)},
                    *x, *y;
    assert_ok(qp_array_view(whole[0], &part, &x));
    assert_ok(qp_array_view(whole[1], &part, &y));
    assert_ok(qp_array_write(x, NULL, values, 0));
    struct qp_kernel *computed = kernel(blur),
                     *drawn = kernel((struct qp_kernel_desc){
                         .body = "float kernel(vec2 here) { return x_at(0, 0) - 1.0; }",
                         .input = {{"x"}}});
    const struct qp_pass passes[] = {
        {.kernel = computed, .input = {{"x", x}}, .number = {{"a", {2.0}}}, .output = {y}},
        {.kernel = drawn, .input = {{"x", y}}, .output = {x}}};
    struct qp_list *list;
    assert_ok(qp_list_create(passes, 2, &list));
    for (int k = 0; k < TIMES; k++) {
        for (int i = 0; i < CELLS; i++)
            next[i] = blurred(wanted, i) - 1.0f;
        memcpy(wanted, next, sizeof wanted);
    }
    assert_ok(qp_pass_run(&passes[0]));
    assert_ok(qp_pass_run(&passes[1]));
    assert_ok(qp_list_run(list, TIMES - 1));
    assert_ok(qp_array_read(x, NULL, got, 0));
    for (int i = 0; i < CELLS; i++)
        assert_float_equal(got[i], wanted[i], 0.0);
    qp_list_destroy(&list);
    qp_kernel_destroy(&computed);
    qp_kernel_destroy(&drawn);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    qp_array_destroy(&whole[0]);
    qp_array_destroy(&whole[1]);
}

/* A group sums its row in shared memory, by halves. */
static void groups_share_memory(void **state)
{
    float values[CELLS], got[HEIGHT];
    if (!computes(state))
        skip();
    fill(values);
    struct qp_array *x = make((struct qp_array_desc){.width = WIDTH, .height = HEIGHT}, values),
                    *out = make((struct qp_array_desc){.width = 1, .height = HEIGHT}, NULL);
    struct qp_kernel *sums = kernel((struct qp_kernel_desc){
        .compute = {.text = HEAD
                    "shared float part[GROUP_X];\n"
                    "void main()\n{\n"
                    "    int me = int(gl_LocalInvocationID.x), row = int(gl_WorkGroupID.y);\n"
                    "    part[me] = a * at(ivec2(me, row));\n"
                    "    for (int half_of = GROUP_X / 2; half_of > 0; half_of /= 2) {\n"
                    "        barrier();\n"
                    "        if (me < half_of)\n"
                    "            part[me] += part[me + half_of];\n"
                    "    }\n"
                    "    if (me == 0)\n"
                    "        imageStore(out0, ivec2(0, row), vec4(part[0]));\n"
                    "}\n"},
        .group_x = 64,
        .group_y = 1,
        .input = {{"x"}},
        .number = {{"a"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){
        .kernel = sums, .input = {{"x", x}}, .number = {{"a", {3.0}}}, .output = {out}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    for (int j = 0; j < HEIGHT; j++) {
        float sum = 0.0f;
        for (int i = 0; i < WIDTH; i++)
            sum += 3.0f * values[j * WIDTH + i];
        assert_float_equal(got[j], sum, 0.0);
    }
    qp_kernel_destroy(&sums);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* An array is doubled where it stands, in each type's image. */
static void images_of_every_type(void **state)
{
    static const struct {
        enum qp_array_type type;
        int channels;
        const char *format, *letter;
    } of_type[] = {{QP_ARRAY_FLOAT, 1, "r32f", ""},    {QP_ARRAY_FLOAT, 2, "rg32f", ""},
                   {QP_ARRAY_FLOAT, 4, "rgba32f", ""}, {QP_ARRAY_HALF, 1, "r16f", ""},
                   {QP_ARRAY_HALF, 4, "rgba16f", ""},  {QP_ARRAY_INT, 1, "r32i", "i"},
                   {QP_ARRAY_INT, 4, "rgba32i", "i"},  {QP_ARRAY_UINT, 1, "r32ui", "u"},
                   {QP_ARRAY_UINT, 2, "rg32ui", "u"}};
    if (!computes(state))
        skip();
    for (int k = 0; k < COUNT(of_type); k++) {
        const struct qp_array_desc desc = {
            .width = 5, .height = 3, .type = of_type[k].type, .channels = of_type[k].channels};
        char text[640];
        struct qp_array *x = make(desc, NULL), *out = make(desc, NULL);
        float fractions[60];
        int32_t integers[60];
        snprintf(text, sizeof text,
                 "#version 430\n"
                 "layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;\n"
                 "uniform %ssampler2DRect x;\n"
                 "layout(%s) writeonly uniform %simage2DRect out0;\n"
                 "uniform vec2 end;\n"
                 "void main()\n{\n"
                 "    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);\n"
                 "    if (all(lessThan(cell, ivec2(end))))\n"
                 "        imageStore(out0, cell, texelFetch(x, cell) + texelFetch(x, cell));\n"
                 "}\n",
                 of_type[k].letter, of_type[k].format, of_type[k].letter);
        struct qp_kernel *doubled =
            kernel((struct qp_kernel_desc){.compute = {.text = text},
                                           .input = {{"x", desc.type, desc.channels}},
                                           .output_type = desc.type,
                                           .output_channels = desc.channels});
        assert_ok(qp_array_fill(x, NULL, 21.0));
        assert_ok(qp_pass_run(
            &(struct qp_pass){.kernel = doubled, .input = {{"x", x}}, .output = {out}}));
        const bool whole = desc.type == QP_ARRAY_INT || desc.type == QP_ARRAY_UINT;
        assert_ok(qp_array_read(out, NULL, whole ? (void *)integers : (void *)fractions, 0));
        for (int i = 0; i < 15 * desc.channels; i++) {
            if (whole)
                assert_int_equal(integers[i], 42);
            else
                assert_float_equal(fractions[i], 42.0f, 0.0);
        }
        qp_kernel_destroy(&doubled);
        qp_array_destroy(&x);
        qp_array_destroy(&out);
    }
}

/* ---- Errors ---- */

static void refused(struct qp_kernel_desc desc, enum qp_status status, const char *words)
{
    struct qp_kernel *made;
    assert_int_equal(qp_kernel_create(context, &desc, &made), status);
    support_assert_sentence(words);
    assert_null(made);
}

static void what_is_no_compute_kernel(void **state)
{
    struct qp_kernel_desc desc = blur;
    if (!computes(state))
        skip();
    desc.group_x = 33;
    desc.group_y = 32;
    refused(desc, QP_BAD_USE, "blur: a group of 33 x 32 invocations; take 1 to 1024 in all");
    desc = blur;
    desc.group_x = -1;
    refused(desc, QP_BAD_USE, "blur: a group of -1 x 8 invocations");
    desc = blur;
    desc.body = "float kernel(vec2 here) { return 1.0; }";
    refused(desc, QP_BAD_USE, "blur has a compute shader and another one");
    desc.compute.text = NULL;
    desc.group_x = 8;
    refused(desc, QP_BAD_USE, "blur has a group of invocations and no compute shader");
    desc = blur;
    desc.number[1].name = "end";
    refused(desc, QP_BAD_USE, "blur: 'end' is the region's, and no number's");
    desc = blur;
    desc.input[0].name = "first";
    refused(desc, QP_BAD_USE, "blur: 'first' is the region's, and no input's");
    desc = blur;
    desc.number[0].name = "b";
    refused(desc, QP_BAD_INPUT, "blur:6: 'uniform float a;': nothing sets 'a', a float");
    desc = blur;
    desc.output_type = QP_ARRAY_INT;
    refused(desc, QP_BAD_INPUT, "'out0'");
    desc = blur;
    desc.compute.text = "#version 430\nvoid main() { nothing(); }\n";
    refused(desc, QP_DEVICE, "blur:2: 'void main() { nothing(); }': ");
    context->device.abilities &= ~(unsigned)QP_CAN_COMPUTE;
    desc = blur;
    refused(desc, QP_UNSUPPORTED, "blur: this device has no compute shaders");
    context->device.abilities |= QP_CAN_COMPUTE;
}

static void what_only_draws_can_do(void **state)
{
    if (!computes(state))
        skip();
    const struct qp_array_desc cells = {.width = WIDTH, .height = HEIGHT};
    struct qp_array *x = make(cells, NULL), *out = make(cells, NULL);
    struct qp_kernel *made = kernel(blur);
    const struct qp_pass good = {
        .kernel = made, .input = {{"x", x}}, .number = {{"a", {2.0}}}, .output = {out}};
    struct qp_pass pass = good;
    pass.blend = QP_BLEND_ADD;
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("blur: a compute shader draws nothing, so it has not blending");
    pass = good;
    pass.points = 3;
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("so it has not points");
    pass = good;
    pass.output[0] = x;
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("blur: input 'x' is in the array that output 0 writes");
    pass.in_place = true;
    assert_ok(qp_pass_run(&pass));
    qp_kernel_destroy(&made);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(groups_cover_regions),      clean_test(passes_see_each_other),
        clean_test(groups_share_memory),       clean_test(images_of_every_type),
        clean_test(what_is_no_compute_kernel), clean_test(what_only_draws_can_do),
    };
    return cmocka_run_group_tests_name("compute", tests, support_open_context,
                                       support_close_context);
}
