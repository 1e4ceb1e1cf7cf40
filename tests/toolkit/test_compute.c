/* SPDX-License-Identifier: MIT */
/* Compute shaders as kernels: against plain C, with groups that do not divide the size, shared
 * memory, regions, and after and before kernels that draw. */
#include "support/toolkit.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

enum { W = 37, H = 21, CELLS = W * H };

/* Whole numbers that float adds without rounding, unlike their neighbours. */
static void fill(float values[CELLS])
{
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(i * i % 101 - 50);
}

#define BEGIN                                                                                   \
    "uniform sampler2DRect x;\n"                                                                \
    "uniform vec2 x_origin, origin;\n"                                                          \
    "uniform vec4 region;\n"                                                                    \
    "void main()\n{\n"                                                                          \
    "    vec2 cell = vec2(gl_GlobalInvocationID.xy) + region.xy, at = cell + x_origin + 0.5;\n" \
    "    if (any(greaterThanEqual(cell, region.xy + region.zw)))\n        return;\n"
#define END "}\n"

static const char cross[] =
    BEGIN "    imageStore(out0, ivec2(cell + origin), 0.25 * (texture(x, at - vec2(1, 0))\n"
          "        + texture(x, at + vec2(1, 0)) + texture(x, at - vec2(0, 1))\n"
          "        + texture(x, at + vec2(0, 1))));\n" END;
static const char twice[] =
    BEGIN "    imageStore(out0, ivec2(cell + origin), 2.0 * texture(x, at));\n" END;

static float at(const float *x, int i, int j)
{
    return i >= 0 && j >= 0 && i < W && j < H ? x[j * W + i] : 0.0f;
}

/* The mean of four neighbours, as a step of Jacobi has it. */
static void cross_of(const float *x, float *out)
{
    for (int j = 0; j < H; j++) {
        for (int i = 0; i < W; i++)
            out[j * W + i] =
                0.25f * (at(x, i - 1, j) + at(x, i + 1, j) + at(x, i, j - 1) + at(x, i, j + 1));
    }
}

/* ---- Results ---- */

/* No group of these but (1, 1) divides 37 x 21. */
CLEAN_TEST(groups_give_the_same)
{
    static const int groups[][2] = {{0, 0}, {1, 1}, {5, 4}, {16, 16}, {64, 0}, {0, 64}};
    float values[CELLS], expected[CELLS];
    need_compute(state);
    fill(values);
    cross_of(values, expected);
    for (int i = 0; i < COUNT(groups); i++) {
        struct qp_array *x = grid(W, H, values), *out = grid(W, H, NULL);
        struct qp_kernel *step = kernel((struct qp_kernel_desc){.compute = {.text = cross},
                                                                .group_x = groups[i][0],
                                                                .group_y = groups[i][1],
                                                                .input = {{"x"}}});
        assert_ok(
            qp_pass_run(&(struct qp_pass){.kernel = step, .input = {{"x", x}}, .output = {out}}));
        expect_values(out, expected, CELLS, "");
        qp_kernel_destroy(&step);
        qp_array_destroy(&out);
        qp_array_destroy(&x);
    }
}

/* Without a word of groups they are 8 x 8, says docs/toolkit.md. */
CLEAN_TEST(groups_are_8_by_8)
{
    static const char sizes[] =
        "uniform vec2 origin;\n"
        "void main()\n{\n"
        "    imageStore(out0, ivec2(origin), vec4(GROUP_X + 100 * GROUP_Y));\n"
        "}\n";
    need_compute(state);
    struct qp_array *out = grid(1, 1, NULL);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){.compute = {.text = sizes}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {out}}));
    expect_values(out, (const float[]){808.0f}, 1, "");
    qp_kernel_destroy(&made);
    qp_array_destroy(&out);
}

/* A group takes a tile into shared memory and stores it turned over. */
CLEAN_TEST(a_transpose_in_shared_memory)
{
    static const char text[] =
        "#version 430\n"
        "shared float tile[GROUP_X][GROUP_X];\n"
        "uniform sampler2DRect x;\n"
        "uniform vec4 region;\n"
        "uniform vec2 size;\n"
        "void main()\n{\n"
        "    ivec2 mine = ivec2(gl_LocalInvocationID), group = ivec2(gl_WorkGroupID) * GROUP_X;\n"
        "    tile[mine.y][mine.x] = texture(x, vec2(group.yx + mine) + 0.5).r;\n"
        "    barrier();\n"
        "    ivec2 cell = group + mine;\n"
        "    if (all(lessThan(vec2(cell), size)))\n"
        "        imageStore(out0, cell, vec4(tile[mine.x][mine.y]));\n"
        "}\n";
    float values[CELLS], expected[CELLS], got[CELLS];
    need_compute(state);
    fill(values);
    for (int i = 0; i < CELLS; i++)
        expected[i] = values[i % H * W + i / H];
    struct qp_array *x = grid(W, H, values), *out = grid(H, W, NULL);
    struct qp_kernel *turn =
        kernel((struct qp_kernel_desc){.compute = {.text = text}, .input = {{"x"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = turn, .input = {{"x", x}}, .output = {out}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, expected, sizeof got);
    qp_kernel_destroy(&turn);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

/* Each has a compute pass between two that draw, by itself and in a list: what one writes the next
 * one reads, and x is written by both kinds in turn. */
CLEAN_TEST(chains_see_each_other)
{
    float values[CELLS], a[CELLS], b[CELLS];
    need_compute(state);
    fill(values);
    memcpy(a, values, sizeof a);
    struct qp_array *x = grid(W, H, values), *y = grid(W, H, NULL), *z = grid(W, H, NULL);
    struct qp_kernel *step =
        kernel((struct qp_kernel_desc){.compute = {.text = cross}, .input = {{"x"}}});
    struct qp_kernel *more =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(1, 0) + a; }",
                                       .input = {{"x", .reach = 1}},
                                       .number = {{"a"}}});
    const struct qp_pass passes[] = {
        {more, .input = {{"x", x}}, .number = {{"a", .value = {1}}}, .output = {y}},
        {step, .input = {{"x", y}}, .output = {z}},
        {more, .input = {{"x", z}}, .number = {{"a", .value = {4}}}, .output = {x}},
        {step, .input = {{"x", x}}, .output = {y}},
        {step, .input = {{"x", y}}, .output = {x}}};
    struct qp_list *list;
    for (int i = 0; i < COUNT(passes); i++)
        assert_ok(qp_pass_run(&passes[i]));
    assert_ok(qp_list_create(passes, COUNT(passes), &list));
    assert_ok(qp_list_run(list, 2));
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CELLS; i++)
            b[i] = at(a, i % W + 1, i / W) + 1.0f;
        cross_of(b, a);
        for (int i = 0; i < CELLS; i++)
            b[i] = at(a, i % W + 1, i / W) + 4.0f;
        cross_of(b, a);
        cross_of(a, b);
        memcpy(a, b, sizeof a);
    }
    expect_values(x, a, CELLS, "");
    qp_list_destroy(&list);
    qp_kernel_destroy(&more);
    qp_kernel_destroy(&step);
    qp_array_destroy(&z);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
}

/* A second output of another size: a sum for each group. */
CLEAN_TEST(outputs_of_other_sizes)
{
    static const char sums[] = "uniform sampler2DRect x;\n"
                               "uniform vec2 size;\n"
                               "void main()\n{\n"
                               "    vec2 cell = vec2(gl_GlobalInvocationID.xy);\n"
                               "    if (any(greaterThanEqual(cell, size)))\n        return;\n"
                               "    imageStore(out0, ivec2(cell), texture(x, cell + 0.5));\n"
                               "    vec4 sum = vec4(0.0);\n"
                               "    for (int i = 0; i < 64; i++)\n"
                               "        sum += texture(x, cell + vec2(i % 8, i / 8) + 0.5);\n"
                               "    if (gl_LocalInvocationIndex == 0)\n"
                               "        imageStore(out1, ivec2(gl_WorkGroupID.xy), sum);\n}\n";
    enum { ACROSS = (W + 7) / 8, UP = (H + 7) / 8 };
    float values[CELLS], expected[ACROSS * UP] = {0.0f};
    need_compute(state);
    fill(values);
    for (int i = 0; i < CELLS; i++)
        expected[i / W / 8 * ACROSS + i % W / 8] += values[i];
    struct qp_array *x = grid(W, H, values), *out = grid(W, H, NULL), *few = grid(ACROSS, UP, NULL);
    struct qp_kernel *step =
        kernel((struct qp_kernel_desc){.compute = {.text = sums}, .outputs = 2, .input = {{"x"}}});
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = step, .input = {{"x", x}}, .output = {out, few}}));
    expect_values(out, values, CELLS, "");
    expect_values(few, expected, ACROSS * UP, "");
    qp_kernel_destroy(&step);
    qp_array_destroy(&few);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

/* Cells outside of the region stay, in views too. */
CLEAN_TEST(regions)
{
    const struct qp_rect part = {3, 2, 30, 17}, region = {5, 4, 11, 9};
    float values[CELLS], expected[CELLS];
    need_compute(state);
    fill(values);
    for (int i = 0; i < CELLS; i++) {
        const int u = i % W - part.x - region.x, v = i / W - part.y - region.y;
        const bool inside = u >= 0 && v >= 0 && u < region.width && v < region.height;
        expected[i] = inside ? 2.0f * values[i - part.y * W - part.x] : -7.0f;
    }
    struct qp_array *x = grid(W, H, values), *out = grid(W, H, NULL), *view;
    assert_ok(qp_array_fill(out, NULL, -7.0));
    assert_ok(qp_array_view(out, &part, &view));
    struct qp_kernel *doubled =
        kernel((struct qp_kernel_desc){.compute = {.text = twice}, .input = {{"x"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){
        .kernel = doubled, .input = {{"x", x}}, .output = {view}, .region = region}));
    expect_values(out, expected, CELLS, "");
    qp_kernel_destroy(&doubled);
    qp_array_destroy(&view);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

/* All that arrays have, two outputs at once: the cell's place and a number. */
CLEAN_TEST(every_format)
{
    static const char *const stores[] = {"vec4", "vec4", "ivec4", "uvec4"};
    need_compute(state);
    for (int k = 0; k < 12; k++) {
        const enum qp_array_type type = (enum qp_array_type)(k / 3);
        const int channels = 1 << k % 3;
        const struct qp_array_desc desc = {
            .width = 9, .height = 2, .channels = channels, .type = type};
        char text[400];
        snprintf(text, sizeof text,
                 "uniform float a;\nuniform vec2 size;\nvoid main()\n{\n"
                 "    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);\n"
                 "    if (any(greaterThanEqual(vec2(cell), size)))\n        return;\n"
                 "    imageStore(out0, cell, %s(cell, 3, 5));\n"
                 "    imageStore(out1, cell, %s(a));\n}\n",
                 stores[type], stores[type]);
        struct qp_kernel *both = kernel((struct qp_kernel_desc){.compute = {.text = text},
                                                                .number = {{"a"}},
                                                                .outputs = 2,
                                                                .output_type = type,
                                                                .output_channels = channels});
        struct qp_array *one = make(desc, NULL), *two = make(desc, NULL);
        assert_ok(qp_pass_run(&(struct qp_pass){
            .kernel = both, .number = {{"a", .value = {12.0}}}, .output = {one, two}}));
        union {
            float fraction[72];
            int32_t whole[72];
        } got[2];
        assert_ok(qp_array_read(one, NULL, &got[0], 0));
        assert_ok(qp_array_read(two, NULL, &got[1], 0));
        for (int i = 0; i < 18 * channels; i++) {
            const int cell = i / channels, place[4] = {cell % 9, cell / 9, 3, 5};
            const bool is_whole = type >= QP_ARRAY_INT;
            assert_int_equal(is_whole ? got[0].whole[i] : (int)got[0].fraction[i],
                             place[i % channels]);
            assert_int_equal(is_whole ? got[1].whole[i] : (int)got[1].fraction[i], 12);
        }
        qp_kernel_destroy(&both);
        qp_array_destroy(&two);
        qp_array_destroy(&one);
    }
}

/* A histogram by atomic additions: it reads what it writes, and counts on in the next pass. */
CLEAN_TEST(outputs_that_are_read)
{
    float values[CELLS];
    int32_t expected[4] = {0}, got[4];
    need_compute(state);
    for (int i = 0; i < CELLS; i++) {
        values[i] = (float)(i * i % 103);
        expected[i * i % 103 % 4] += 2;
    }
    struct qp_array *x = grid(W, H, values);
    struct qp_array *bins =
        make((struct qp_array_desc){.width = 4, .height = 1, .type = QP_ARRAY_INT}, NULL);
    /* Four invocations, each of which counts every fourth value into any bin. */
    struct qp_kernel *counts = kernel((struct qp_kernel_desc){
        .name = "counts",
        .compute =
            {.text = "uniform sampler2DRect x;\nvoid main()\n{\n"
                     "    for (int i = int(gl_LocalInvocationIndex); i < 37 * 21; i += GROUP_X)\n"
                     "        imageAtomicAdd(out0, ivec2(mod(texelFetch(x, ivec2(i % 37, i "
                     "/ 37)).r, 4.0), 0), 1);\n}\n"},
        .group_x = 4,
        .input = {{"x"}},
        .output_type = QP_ARRAY_INT});
    struct qp_pass pass = {.kernel = counts, .input = {{"x", x}}, .output = {bins}};
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("counts: its text reads an output (imageLoad or imageAtomic), which "
                            "needs in_place");
    pass.in_place = true;
    for (int k = 0; k < 2; k++)
        assert_ok(qp_pass_run(&pass));
    assert_ok(qp_array_read(bins, NULL, got, 0));
    assert_memory_equal(got, expected, sizeof got);
    qp_kernel_destroy(&counts);
    qp_array_destroy(&bins);
    qp_array_destroy(&x);
}

/* In place, a cell reads itself alone, by a sampler of the output. */
CLEAN_TEST(in_place)
{
    float values[CELLS], expected[CELLS];
    need_compute(state);
    fill(values);
    for (int i = 0; i < CELLS; i++)
        expected[i] = 8.0f * values[i];
    struct qp_array *x = grid(W, H, values);
    struct qp_kernel *doubled = kernel(
        (struct qp_kernel_desc){.name = "twice", .compute = {.text = twice}, .input = {{"x"}}});
    struct qp_pass pass = {.kernel = doubled, .input = {{"x", x}}, .output = {x}};
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("twice: input 'x' is in the array that output 0 writes; take another "
                            "array, or in_place");
    pass.in_place = true;
    for (int k = 0; k < 3; k++)
        assert_ok(qp_pass_run(&pass));
    expect_values(x, expected, CELLS, "");
    qp_kernel_destroy(&doubled);
    qp_array_destroy(&x);
}

static GLbitfield barriers[4];
static int barrier_count;

static void GLAPIENTRY note_barrier(GLbitfield bits)
{
    barriers[barrier_count++ % COUNT(barriers)] = bits;
}

/* A pass waits for what was drawn before it, and lets what follows wait for it. */
CLEAN_TEST(passes_stand_between_barriers)
{
    float values[CELLS];
    need_compute(state);
    fill(values);
    struct qp_array *x = grid(W, H, values), *out = grid(W, H, NULL);
    struct qp_kernel *doubled =
        kernel((struct qp_kernel_desc){.compute = {.text = twice}, .input = {{"x"}}});
    const struct qp_pass pass = {.kernel = doubled, .input = {{"x", x}}, .output = {out}};
    assert_ok(qp_pass_run(&pass));
    const PFNGLMEMORYBARRIERPROC kept = __glewMemoryBarrier;
    __glewMemoryBarrier = note_barrier;
    const enum qp_status status = qp_pass_run(&pass);
    __glewMemoryBarrier = kept;
    assert_ok(status);
    assert_int_equal(barrier_count, 2);
    assert_int_equal(barriers[0], GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    assert_true(barriers[1] & GL_TEXTURE_FETCH_BARRIER_BIT);
    qp_kernel_destroy(&doubled);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

/* Doubles are two words a value, and are not rounded to floats. */
CLEAN_TEST(doubles)
{
    static const char text[] =
        "uniform usampler2DRect x;\nvoid main()\n{\n"
        "    double value = packDouble2x32(texelFetch(x, ivec2(gl_GlobalInvocationID)).rg);\n"
        "    uvec2 words = unpackDouble2x32(value + 1.0LF);\n"
        "    imageStore(out0, ivec2(gl_GlobalInvocationID), uvec4(words, 0u, 0u));\n}\n";
    const double values[] = {1e-12, 0.1, 3e9}, expected[] = {1e-12 + 1.0, 0.1 + 1.0, 3e9 + 1.0};
    const struct qp_array_desc row = {.width = 3, .height = 1, .type = QP_ARRAY_DOUBLE};
    double got[3];
    need_compute(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_DOUBLE))
        skip();
    struct qp_array *x = make(row, values), *out = make(row, NULL);
    struct qp_kernel *add = kernel((struct qp_kernel_desc){.compute = {.text = text},
                                                           .group_x = 3,
                                                           .input = {{"x", QP_ARRAY_DOUBLE}},
                                                           .output_type = QP_ARRAY_DOUBLE});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = add, .input = {{"x", x}}, .output = {out}}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, expected, sizeof got);
    qp_kernel_destroy(&add);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

GROUP(support_open_context, support_close_context)
