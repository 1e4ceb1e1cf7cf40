/* SPDX-License-Identifier: MIT */
/* Coordinates that wrap in float: the whole part of a quotient, on hardware whose division is not
 * rounded correctly. GLSL allows it 2.5 units of the last place; llvmpipe makes no use of that, an
 * H100 does. So the division is played by worse ones, in C and in the shaders themselves. */
#include "support/mutants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/access/access.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/random.h"

/* ---- The formula, once as C and once as the text that is in shaders ---- */

#define QUOTIENT(DIVIDED)         \
    float whole = floor(DIVIDED); \
    float rest = a - b * whole;   \
    return whole + (rest < 0.0 ? -1.0 : rest < b ? 0.0 : 1.0);

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...)    TEXT_OF(__VA_ARGS__)

/* The variants whose shaders compute places, and problems that need all of it. */
static const struct {
    const char *row, *shader, *kind;
    int systems;
} users[] = {
    {"jacobi9/generic", "jacobi9/generic.frag", "random", 1},
    {"jacobi9/bands", "jacobi9/bands.frag", "random", 1},
    {"jacobi9/inverse", "jacobi9/inverse.frag", "random", 1},
    {"jacobi9/bands_systems", "jacobi9/bands_systems.frag", "random", 4},
    {"jacobi9/inverse_systems", "jacobi9/inverse_systems.frag", "random", 4},
    {"access/fetch_offset", "access/offset.frag", "offset", 1},
    {"access/fetch_stride", "access/stride.frag", "stride", 1},
};

static bool is_access(int user)
{
    return strncmp(users[user].row, "access", 6) == 0;
}

static struct qp_problem make(int user, int width, int height, int parameter)
{
    const struct qp_problem_desc desc = {.op = is_access(user) ? "access" : "jacobi9",
                                         .kind = users[user].kind,
                                         .width = width,
                                         .height = height,
                                         .wraps = !is_access(user),
                                         .systems = users[user].systems,
                                         .parameter = is_access(user) ? parameter : 0,
                                         .seed = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* The text with every run of white space as one blank. */
static void squeeze(const char *text, char squeezed[MOST_TEXT])
{
    size_t length = 0;
    for (; *text != '\0'; text++) {
        bool blank = strchr(" \n\t", *text) != NULL;
        if (!blank || (length > 0 && squeezed[length - 1] != ' '))
            squeezed[length++] = blank ? ' ' : *text;
    }
    squeezed[length] = '\0';
}

static int occurrences(const char *text, const char *words)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

/* Shaders compute the formula that is proved below, and compute no place otherwise. */
CLEAN_TEST(shaders_have_the_formula)
{
    static const char formula[] = "float quotient(float a, float b) { " TEXT(QUOTIENT(a / b)) " }";
    char text[MOST_TEXT], code[MOST_TEXT];
    for (int i = 0; i < COUNT(users); i++) {
        mutants_read(users[i].shader, text);
        squeeze(text, code);
        assert_int_equal(occurrences(code, formula), 1);
        assert_int_equal(occurrences(code, "a / b"), 1);
        assert_int_equal(occurrences(code, "floor("), is_access(i) ? 2 : 1); /* gl_FragCoord, too */
    }
}

/* ---- Divisions that are off ---- */

enum { ROUNDED, LEAST, MOST, RECIPROCAL, WAYS };

/* The ends of what 2.5 units of the last place allow: what lies between can only be better. */
static float extreme(float a, float b, int way)
{
    const double exact = (double)a / (double)b;
    const double unit = exact != 0.0 ? ldexp(1.0, ilogb(exact) - 23) : 0.0;
    const double end = exact + (way == LEAST ? -2.5 : 2.5) * unit;
    const float nearest = (float)end;
    const bool beyond = way == LEAST ? nearest < end : nearest > end;
    return beyond ? nextafterf(nearest, way == LEAST ? INFINITY : -INFINITY) : nearest;
}

/* Correctly rounded, as badly as GLSL allows, or a product with a rounded reciprocal. */
static float divided(float a, float b, int way)
{
    volatile float reciprocal = 1.0f / b;
    return way == ROUNDED ? a / b : way == RECIPROCAL ? a * reciprocal : extreme(a, b, way);
}

static float quotient(float a, float b, int way)
{
    QUOTIENT(divided(a, b, way))
}

/* The earlier formula: right while the quotient is off by less than half a cell. */
static float half_a_cell(float a, float b, int way)
{
    return floorf(divided(a + 0.5f, b, way));
}

typedef float whole_function(float a, float b, int way);

/* Both ends of a row, whose numbers are below 2^24, so floats hold them. */
static bool row_is_right(whole_function *of, long row, long width, int way)
{
    float first = (float)(row * width), last = (float)(row * width + width - 1);
    return of(first, (float)width, way) == (float)row && of(last, (float)width, way) == (float)row;
}

/* The last rows of the largest grid of this width, those where quotients grow by a digit, and
 * some. */
static bool width_is_right(whole_function *of, long width, long cells, int way, uint64_t *seed)
{
    enum { MOST_VARIANTS = 1 << 15 }; /* rows of a texture on a GPU of today */
    long rows = cells / width < MOST_VARIANTS ? cells / width : MOST_VARIANTS;
    bool right = of(-1.0f, (float)width, way) == -1.0f && row_is_right(of, 0, width, way);
    for (long row = rows - 1; row > 0 && row >= rows - 24; row--)
        right = right && row_is_right(of, row, width, way);
    for (long power = 1; power < rows; power *= 2)
        right =
            right && row_is_right(of, power, width, way) && row_is_right(of, power - 1, width, way);
    for (int i = 0; i < 8; i++)
        right =
            right && row_is_right(of, (long)(qp_random_bits(seed) % (uint64_t)rows), width, way);
    /* after the last cell */
    return right && of((float)(rows * width), (float)width, way) == (float)rows;
}

static int widths_wrong(whole_function *of, long cells, int way)
{
    enum { MOST_WIDTH = 1 << 15 };
    uint64_t seed = 11;
    int wrong = 0;
    for (long width = 1; width <= MOST_WIDTH; width++)
        wrong += !width_is_right(of, width, cells, way, &seed);
    return wrong;
}

/* All widths up to the limit that the recipes claim. */
CLEAN_TEST(every_width_up_to_the_limit)
{
    assert_int_equal(qp_jacobi9_variant(qp_variant_find("jacobi9/generic")->recipe)->most_cells,
                     1 << 24);
    for (int way = 0; way < WAYS; way++)
        assert_int_equal(widths_wrong(quotient, 1 << 24, way), 0);
}

/* Half a cell does what its bound says: 2^22 / e cells with an error of e units, of which a correct
 * division has 1/2, so 2^23. Beyond it thousands of widths are wrong. */
CLEAN_TEST(half_a_cell_is_not_enough)
{
    assert_int_equal(widths_wrong(half_a_cell, 1 << 23, ROUNDED), 0);
    for (int way = ROUNDED + 1; way < WAYS; way++) {
        assert_true(widths_wrong(half_a_cell, 1 << 23, way) > 1000);
        assert_int_equal(widths_wrong(half_a_cell, (1 << 22) / 5 * 2, way), 0); /* 2.5 units */
    }
}

/* ---- The chains of access, all three divisions one way or each its own ---- */

static float offset_of(float i, float width, float count, float parameter, int way, float *row)
{
    float from = i + parameter;
    from -= count * quotient(from, count, way % WAYS);
    *row = quotient(from, width, way / WAYS % WAYS);
    return from - *row * width;
}

static float stride_of(float i, float width, float count, float parameter, int way, float *row)
{
    float from = i;
    float rows = quotient(count, parameter, way % WAYS);
    float column = quotient(from, fmaxf(rows, 1.0f), way / WAYS % WAYS);
    if (rows > 0.0f && column < parameter)
        from = (from - column * rows) * parameter + column;
    *row = quotient(from, width, way / WAYS / WAYS % WAYS);
    return from - *row * width;
}

static void access_is_right(long width, long height, long parameter, long i, int way)
{
    const long count = width * height, m = count / parameter;
    const long offset = (i + parameter) % count;
    const long stride = i < m * parameter ? i % m * parameter + i / m : i;
    float row, column;
    column = offset_of((float)i, (float)width, (float)count, (float)parameter, way, &row);
    bool right = row == (float)(offset / width) && column == (float)(offset % width);
    if (parameter <= qp_access_kinds[QP_ACCESS_STRIDE].range.most) {
        column = stride_of((float)i, (float)width, (float)count, (float)parameter, way, &row);
        right = right && row == (float)(stride / width) && column == (float)(stride % width);
    }
    if (!right)
        fail_msg("%ld x %ld, parameter %ld, cell %ld, way %d", width, height, parameter, i, way);
}

CLEAN_TEST(access_up_to_its_limit)
{
    static const int sizes[][2] = {{4094, 2049}, {4095, 2048}, {8163, 1027}, {8191, 1024},
                                   {2048, 2048}, {8388607, 1}, {2895, 2895}, {5461, 1536},
                                   {257, 32639}, {1, 1},       {1, 9},       {13, 1},
                                   {3, 5}};
    const int parameters[] = {1, 2, 3, 7, 13, 31, 32, qp_access_kinds[QP_ACCESS_OFFSET].range.most};
    const struct qp_access_variant *limits = qp_variant_find("access/fetch_offset")->recipe->own;
    uint64_t seed = 12;
    for (int k = 0; k < COUNT(sizes) * COUNT(parameters); k++) {
        const long width = sizes[k % COUNT(sizes)][0], height = sizes[k % COUNT(sizes)][1];
        const long parameter = parameters[k / COUNT(sizes)], count = width * height;
        assert_in_range(count, 1, limits->most_cells);
        for (int n = 0; n < 40 * WAYS * WAYS * WAYS; n++) {
            long row = n % 3 == 0 ? height - 1 - n / 3 % (height < 16 ? height : 16)
                                  : (long)(qp_random_bits(&seed) % (uint64_t)height);
            long i = row * width + (n % 2 == 0 ? 0 : width - 1);
            /* a cell that lands on a row's end, as well as one that is there already */
            i = n % 5 == 0 ? (i + 32 * count - parameter % count) % count : i;
            access_is_right(width, height, parameter, i, n % (WAYS * WAYS * WAYS));
        }
    }
}

/* ---- The shaders themselves ---- */

/* Walks a variant whose shader divides by `division`, in the formula above or in the one before
 * it. */
static enum qp_verdict verdict_of(struct victim *victim, bool corrected, const char *division,
                                  int steps)
{
    char body[256];
    const char *begin = strstr(victim->text, corrected ? "a / b" : "float whole");
    assert_non_null(begin);
    const char *end = corrected ? begin + strlen("a / b") : strchr(begin, '}');
    snprintf(body, sizeof body, corrected ? "%s" : "a += 0.5; return floor(%s); ", division);
    mutants_strike(victim, begin, end, body);
    struct qp_result result = mutants_walk(victim, steps);
    assert_null(strstr(result.reason, "stage 4"));
    mutants_write(victim->name, victim->text);
    return result.verdict;
}

/* Quotients off by 1/33 of themselves miss by less than a row, in grids of fewer than 33. */
CLEAN_TEST(rows_survive_a_bad_division)
{
    static const char *const divisions[] = {"a / b * 1.03", "a / b * 0.97", "a * (1.03 / b)"};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(users); i++) {
        struct qp_problem problem = make(i, 13, 17, 15);
        struct victim victim = {.context = context,
                                .variant = qp_variant_find(users[i].row),
                                .problem = &problem,
                                .name = users[i].shader};
        mutants_read(victim.name, victim.text);
        assert_int_equal(verdict_of(&victim, false, "a / b", 2), QP_PASS);
        for (int k = 0; k < COUNT(divisions); k++) {
            assert_int_equal(verdict_of(&victim, true, divisions[k], 2), QP_PASS);
            assert_int_equal(verdict_of(&victim, false, divisions[k], 2), QP_FAIL);
        }
        qp_problem_destroy(&problem);
    }
}

/* Division as an H100 does it, a product with a rounded reciprocal: one of 8 million cells took the
 * wrong row. With a few units more error, many cells do. */
CLEAN_TEST(a_reciprocal_on_a_wide_grid)
{
    static const char division[] = "a * (0.9999996 / b)";
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make(0, 4095, 1024, 0);
    struct victim victim = {.context = context,
                            .variant = qp_variant_find(users[0].row),
                            .problem = &problem,
                            .name = users[0].shader};
    mutants_read(victim.name, victim.text);
    assert_int_equal(verdict_of(&victim, true, division, 1), QP_PASS);
    assert_int_equal(verdict_of(&victim, false, division, 1), QP_FAIL);
    qp_problem_destroy(&problem);
}

static void walk_wide(struct qp_context *context, int user, int width, int height)
{
    struct qp_problem problem = make(user, width, height, 31);
    struct qp_walk_desc desc = {.iterations = 1};
    struct qp_result result;
    assert_ok(qp_walk(context, qp_variant_find(users[user].row), &problem, &desc, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s, %d x %d: %s", users[user].row, width, height, result.reason);
    qp_problem_destroy(&problem);
}

/* Large grids of awkward widths, where the device's own division shows: on GPUs, and with LONG=1.
 * Four systems take the memory of four, so they do with the first. */
CLEAN_TEST(wide_grids)
{
    static const int sizes[][2] = {{4095, 2048}, {8163, 1027}, {2895, 2895}};
    struct qp_context *context = support_need_context(state);
    if (qp_context_device(context)->software && !support_takes_long()) {
        print_message("SKIP: wide grids take long on a software rasteriser; LONG=1 runs them\n");
        skip();
    }
    for (int user = 0; user < COUNT(users); user++) {
        for (int i = 0; i < (users[user].systems > 1 ? 1 : COUNT(sizes)); i++)
            walk_wide(context, user, sizes[i][0], sizes[i][1]);
    }
}

/* The boundary lines of one column would be the same: variants that draw them need two. */
CLEAN_TEST(two_columns_are_enough)
{
    static const char *const rows[] = {"jacobi9/multipass", "jacobi9/vertex"};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(rows); i++) {
        for (int width = 1; width <= 2; width++) {
            const struct qp_problem_desc problem_desc = {
                .op = "jacobi9", .kind = "wraps", .width = width, .height = 5, .seed = 3};
            const struct qp_walk_desc desc = {.iterations = 3};
            struct qp_problem problem;
            struct qp_result result;
            assert_ok(qp_problem_create(&problem_desc, &problem));
            assert_ok(qp_walk(context, qp_variant_find(rows[i]), &problem, &desc, &result));
            assert_int_equal(result.verdict, width == 2 ? QP_PASS : QP_SKIP);
            qp_problem_destroy(&problem);
        }
    }
}

GROUP(mutants_copy_shaders, mutants_tear_down)
