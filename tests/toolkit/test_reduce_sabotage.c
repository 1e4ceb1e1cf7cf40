/* SPDX-License-Identifier: MIT */
/* Every shader of reductions, running sums, gathers and compaction sabotaged in one place at a
 * time: what they are worked out on notices each. */
#include "support/cells.h"
#include "support/mutants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Results of the shaders, as one list of numbers ---- */

enum { WIDTH = 7, HEIGHT = 6, MOST = 2048 };
static double right[MOST];
static int numbers;
/* learns: right[] is filled; noticed: a number is not right, and no more of them need be seen. */
static bool learns, noticed;

static void see(double value)
{
    assert_in_range(numbers, 0, MOST - 1);
    if (learns)
        right[numbers] = value;
    noticed = noticed || (right[numbers] != value && !(isnan(right[numbers]) && isnan(value)));
    numbers++;
}

static void see_array(const struct qp_array *array)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    double *values = cells_read(array);
    for (int i = 0; i < desc.width * desc.height * desc.channels; i++)
        see(values[i]);
    free(values);
}

/* A view, with numbers beside it that would show. `odd` is at two cells. */
static struct qp_array *make(struct qp_context *context, const struct qp_array_desc *desc, int at,
                             double odd, struct qp_array **whole)
{
    double *values = cells_values(desc);
    for (int i = 0; i < desc->width * desc->height * desc->channels; i++)
        values[i] = (i * 29 + at) % 17 + 1.0;
    if (odd != 0.0)
        values[9] = values[25] = odd;
    struct qp_array *view = cells_view(context, desc, values, 1 + at, 2, 40.0, whole);
    free(values);
    return view;
}

static void see_reduction(struct qp_context *context, const struct qp_reduction_desc *desc,
                          const struct qp_array *x, const struct qp_array *y)
{
    const bool place = desc->what == QP_REDUCE_MAX_PLACE || desc->what == QP_REDUCE_MIN_PLACE;
    const struct qp_pass_input input[] = {
        {"x", x}, {desc->what == QP_REDUCE_DOT ? "y" : NULL, y}, {NULL, NULL}};
    struct qp_array_desc one = {.width = 1, .height = 1, .channels = place ? 4 : 1};
    struct qp_reduction *reduction;
    struct qp_reduced got;
    struct qp_array *out;
    assert_ok(qp_reduction_create(context, desc, &reduction));
    assert_ok(qp_reduce(reduction, input, NULL, &got));
    see(got.value);
    see(got.x);
    see(got.y);
    if (desc->of.type == QP_ARRAY_FLOAT) {
        assert_ok(qp_array_create(context, &one, NULL, &out));
        assert_ok(qp_reduce_to(reduction, input, NULL, out));
        see_array(out);
        qp_array_destroy(&out);
    }
    qp_reduction_destroy(&reduction);
}

enum {
    SUMS = 1 << QP_REDUCE_SUM | 1 << QP_REDUCE_DOT | 1 << QP_REDUCE_NORM_1 | 1 << QP_REDUCE_NORM_2,
    EXTREMES = 1 << QP_REDUCE_MAX | 1 << QP_REDUCE_MIN | 1 << QP_REDUCE_NORM_MAX,
    PLACES = 1 << QP_REDUCE_MAX_PLACE | 1 << QP_REDUCE_MIN_PLACE
};

static void see_types(struct qp_context *context, int kinds)
{
    static const enum qp_array_type of[] = {QP_ARRAY_FLOAT, QP_ARRAY_FLOAT, QP_ARRAY_INT,
                                            QP_ARRAY_INT,   QP_ARRAY_UINT,  QP_ARRAY_DOUBLE,
                                            QP_ARRAY_FLOAT, QP_ARRAY_DOUBLE};
    static const double odd[] = {0.0, NAN, -18.0, INT32_MIN, UINT32_MAX, -18.0, 1e30, 1e121};
    for (int k = 0; k < COUNT(of) * (QP_REDUCE_NORM_MAX + 1); k++) {
        const int i = k / (QP_REDUCE_NORM_MAX + 1), what = k % (QP_REDUCE_NORM_MAX + 1);
        struct qp_array *whole[2];
        const struct qp_reduction_desc desc = {
            .what = (enum qp_reduce_what)what,
            .of = {.width = WIDTH, .height = HEIGHT, .channels = 1, .type = of[i]}};
        if (noticed || !(kinds & 1 << what))
            continue;
        struct qp_array *x = make(context, &desc.of, 0, odd[i], &whole[0]),
                        *y = make(context, &desc.of, 3, 0.0, &whole[1]);
        see_reduction(context, &desc, x, y);
        qp_array_destroy(&x);
        qp_array_destroy(&y);
        qp_array_destroy(&whole[0]);
        qp_array_destroy(&whole[1]);
    }
}

/* The largest number, or NaN, at each cell in turn: alone, and in some of those after it too. */
static void see_each_place(struct qp_context *context, enum qp_reduce_what what, double largest)
{
    const struct qp_array_desc desc = {.width = WIDTH, .height = HEIGHT, .channels = 1};
    const struct qp_reduction_desc reduction = {.what = what, .of = desc};
    double *values = cells_values(&desc);
    struct qp_array *x = cells_array(context, &desc, values);
    float typed[WIDTH * HEIGHT];
    for (int at = 0; at < 2 * WIDTH * HEIGHT && !noticed; at++) {
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const bool more = at % 2 && i > at / 2 && i % 3 == at / 2 % 3;
            typed[i] = i == at / 2 || more ? (float)largest : 1.0f;
        }
        assert_ok(qp_array_write(x, NULL, typed, 0));
        see_reduction(context, &reduction, x, NULL);
    }
    qp_array_destroy(&x);
    free(values);
}

static void see_sums(struct qp_context *context)
{
    see_types(context, SUMS);
}

static void see_extremes(struct qp_context *context)
{
    see_types(context, EXTREMES);
    see_each_place(context, QP_REDUCE_MAX, 2.0);
}

static void see_places(struct qp_context *context)
{
    see_types(context, PLACES);
    see_each_place(context, QP_REDUCE_MAX_PLACE, 2.0);
    see_each_place(context, QP_REDUCE_MAX_PLACE, NAN);
}

/* Sums of a map's values, which are negative too, and its extreme. */
static void see_map(struct qp_context *context)
{
    static const enum qp_reduce_what kinds[] = {QP_REDUCE_SUM, QP_REDUCE_NORM_2, QP_REDUCE_MIN};
    struct qp_array *whole, *x;
    struct qp_reduction_desc map = {
        .of = {.width = WIDTH, .height = HEIGHT, .channels = 1},
        .map = "float map(vec2 here) { return here.x + 10.0 * here.y - size.x * x_at(1, 0); }",
        .input = {{"x", QP_ARRAY_FLOAT, 1, 1}}};
    x = make(context, &map.of, 0, 0.0, &whole);
    for (int k = 0; k < COUNT(kinds) && !noticed; k++) {
        map.what = kinds[k];
        see_reduction(context, &map, x, NULL);
    }
    qp_array_destroy(&x);
    qp_array_destroy(&whole);
}

static const struct qp_array_desc
    cells = {.width = WIDTH,
             .height = HEIGHT,
             .channels = 1,
             .outside = QP_OUTSIDE_VALUE,
             .value = -5.0},
    wraps = {.width = WIDTH, .height = HEIGHT, .channels = 1, .outside = QP_OUTSIDE_WRAP},
    ints = {.width = WIDTH, .height = HEIGHT, .channels = 1, .type = QP_ARRAY_INT},
    pairs = {.width = WIDTH, .height = HEIGHT, .channels = 2},
    int_pairs = {.width = WIDTH, .height = HEIGHT, .channels = 2, .type = QP_ARRAY_INT};

static void see_scans(struct qp_context *context)
{
    struct qp_array *whole, *x = make(context, &cells, 0, 0.0, &whole), *out;
    assert_ok(qp_array_create(context, &cells, NULL, &out));
    for (int how = QP_SCAN_INCLUSIVE; how <= QP_SCAN_EXCLUSIVE && !noticed; how++) {
        assert_ok(qp_scan(x, (enum qp_scan)how, out));
        see_array(out);
    }
    qp_array_destroy(&x);
    qp_array_destroy(&whole);
    qp_array_destroy(&out);
}

/* By numbers and pairs of either type, some of them outside, and far away where x wraps. */
static void see_gathers(struct qp_context *context)
{
    const struct qp_array_desc *const of[] = {&cells, &ints, &ints, &pairs, &int_pairs, &int_pairs};
    for (int k = 0; k < COUNT(of) && !noticed; k++) {
        const struct qp_array_desc *desc = k == 1 || k == 4 ? &wraps : &cells;
        struct qp_array *whole, *x = make(context, desc, 0, 0.0, &whole), *out;
        double *at = cells_values(of[k]);
        for (int i = 0; i < WIDTH * HEIGHT * of[k]->channels; i++)
            at[i] = (k == 4 ? 0x1p24 + 1.0 : 1.0) * (k >= 3 ? i % 9 - 1 : i * 5 % 50 - 5) +
                    (of[k]->type == QP_ARRAY_FLOAT ? 0.75 : 0.0);
        struct qp_array *index = cells_array(context, of[k], at);
        assert_ok(qp_array_create(context, &cells, NULL, &out));
        assert_ok(qp_gather(x, index, out));
        see_array(out);
        qp_array_destroy(&index);
        qp_array_destroy(&x);
        qp_array_destroy(&whole);
        qp_array_destroy(&out);
        free(at);
    }
}

static void see_compaction(struct qp_context *context)
{
    struct qp_array *whole, *x = make(context, &cells, 0, 0.0, &whole), *mask, *out;
    double flags[WIDTH * HEIGHT];
    size_t count;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        flags[i] = i % 3 == 1;
    mask = cells_array(context, &ints, flags);
    assert_ok(qp_array_create(context, &cells, NULL, &out));
    assert_ok(qp_compact(x, mask, out, &count));
    see((double)count);
    see_array(out);
    qp_array_destroy(&x);
    qp_array_destroy(&whole);
    qp_array_destroy(&mask);
    qp_array_destroy(&out);
}

/* ---- Mutants ---- */

/* Mutants: the first `old` in the shader's text is replaced by `instead`. */
static const struct {
    const char *shader, *old, *instead;
} mutants[] = {
    {"extreme.frag", "BEYOND(b, a)", "BEYOND(a, b)"},
    {"extreme.frag", " || b != b", ""},
    {"extreme.frag", "min(place, size - 0.5)", "place"},
    {"extreme.frag", "origin + ", ""},
    {"extreme.frag", "term(place + vec2(1.0, 0.0))", "term(place)"},
    {"extreme.frag", "term(place + vec2(2.0, 0.0))", "term(place)"},
    {"extreme.frag", "term(place + vec2(3.0, 0.0))", "term(place)"},
    {"extreme.frag", "row(place + vec2(0.0, 1.0))", "row(place)"},
    {"extreme.frag", "row(place + vec2(0.0, 2.0))", "row(place)"},
    {"extreme.frag", "row(place + vec2(0.0, 3.0))", "row(place)"},
    {"extreme.frag", "4.0 * ", "5.0 * "},
    {"place.frag", "BEYOND(b.value, a.value)", "BEYOND(a.value, b.value)"},
    {"place.frag", "(b.value != b.value && a.value == a.value)", "false"},
    {"place.frag", "|| (b.value != b.value && a.value != a.value)", ""},
    {"place.frag", "b.value == a.value ||", ""},
    {"place.frag", "b.place.y < a.place.y", "b.place.y > a.place.y"},
    {"place.frag", "b.place.y == a.place.y && b.place.x", "b.place.x"},
    {"place.frag", "b.place.x < a.place.x", "b.place.x > a.place.x"},
    {"place.frag", "here - 0.5", "here + 0.5"},
    {"place.frag", "min(place, size - 0.5)", "place"},
    {"place.frag", "PLACE_OF(cell));", "PLACE_OF(cell) + 1.0);"},
    {"place.frag", "term(place + vec2(1.0, 0.0))", "term(place)"},
    {"place.frag", "term(place + vec2(2.0, 0.0))", "term(place)"},
    {"place.frag", "term(place + vec2(3.0, 0.0))", "term(place)"},
    {"place.frag", "row(place + vec2(0.0, 1.0))", "row(place)"},
    {"place.frag", "row(place + vec2(0.0, 2.0))", "row(place)"},
    {"place.frag", "row(place + vec2(0.0, 3.0))", "row(place)"},
    {"whole_sum.frag", "lower < a.x ? 1u : 0u", "0u"},
    {"whole_sum.frag", "a.y + b.y", "a.y"},
    {"whole_sum.frag", "place.x < size.x && ", ""},
    {"whole_sum.frag", " && place.y < size.y", ""},
    {"whole_sum.frag", "add(term(place)", "add(uvec2(0u)"},
    {"whole_sum.frag", "term(place + vec2(1.0, 0.0))", "term(place)"},
    {"whole_sum.frag", "term(place + vec2(2.0, 0.0))", "term(place)"},
    {"whole_sum.frag", "term(place + vec2(3.0, 0.0))", "uvec2(0u)"},
    {"whole_sum.frag", "row(place + vec2(0.0, 1.0))", "row(place)"},
    {"whole_sum.frag", "row(place + vec2(0.0, 2.0))", "row(place)"},
    {"whole_sum.frag", "row(place + vec2(0.0, 3.0))", "uvec2(0u)"},
    {"double_sum.frag", "here + apart", "here"},
    {"double_sum.frag", "TERM_OF(a, b)", "a"},
    {"double_sum.frag", "place.x < size.x && ", ""},
    {"double_sum.frag", " && place.y < size.y", ""},
    {"double_sum.frag", "term(place + vec2(1.0, 0.0))", "term(place)"},
    {"double_sum.frag", "term(place + vec2(2.0, 0.0))", "term(place)"},
    {"double_sum.frag", "term(place + vec2(3.0, 0.0))", "dvec2(0.0LF)"},
    {"double_sum.frag", "row(place + vec2(0.0, 1.0))", "row(place)"},
    {"double_sum.frag", "row(place + vec2(0.0, 2.0))", "row(place)"},
    {"double_sum.frag", "row(place + vec2(0.0, 3.0))", "dvec2(0.0LF)"},
    {"double_sum.frag", "fit(b.x, e - b.y)", "b.x"},
    {"map.frag", "map(here)", "map(here + 1.0)"},
    {"map_sum.frag", "min(cell, size - 1.0)", "cell"},
    {"map_sum.frag", "qp_here = min(cell, size - 1.0)", "vec2 other = cell"},
    {"map_sum.frag", "qp_here == cell ? TERM_OF(value) : vec4(0.0)", "TERM_OF(value)"},
    {"map_sum.frag", "TERM_OF(value)", "vec4(value)"},
    {"map_sum.frag", "(qp_term(cell)", "(vec4(0.0)"},
    {"map_sum.frag", "qp_term(cell + vec2(1.0, 0.0))", "qp_term(cell)"},
    {"map_sum.frag", "qp_term(cell + vec2(2.0, 0.0))", "qp_term(cell)"},
    {"map_sum.frag", "qp_term(cell + vec2(3.0, 0.0))", "vec4(0.0)"},
    {"map_sum.frag", "qp_row(cell + vec2(0.0, 1.0))", "qp_row(cell)"},
    {"map_sum.frag", "qp_row(cell + vec2(0.0, 2.0))", "qp_row(cell)"},
    {"map_sum.frag", "qp_row(cell + vec2(0.0, 3.0))", "vec4(0.0)"},
    {"floats.frag", " * float(VALUE_OF(y_cell(here)))", ""},
    {"floats.frag", "y_cell(here)", "y_cell(here + 1.0)"},
    {"floats.frag", "    return float(VALUE_OF(x_cell(here)));", "    return 1.0;"},
    {"answer.frag", "float_sum(last_cell(vec2(0.0)))", "float_sum(last_cell(vec2(1.0)))"},
    {"answer.frag", "is_number(sum)", "true"},
    {"answer.frag", "as_it_is(high, 1.2089258196146292e24)", "high"},
    {"scan_up.frag", "cell.x < cells_size.x && cell.y < cells_size.y ? cells_cell(cell) : VALUE(0)",
     "cells_cell(cell)"},
    {"scan_up.frag", "term(first) + term(first + along)", "term(first) + term(first)"},
    {"scan_up.frag", "term(first + 2.0 * along)", "VALUE(0)"},
    {"scan_up.frag", "term(first + 3.0 * along)", "VALUE(0)"},
    {"scan_down.frag", "here + 0.5", "here + 1.0"},
    {"scan_down.frag", "left > 0.5", "left > 1.5"},
    {"scan_down.frag", "left > 1.5", "left > 2.5"},
    {"scan_down.frag", "left > 2.5", "left > 3.5"},
    {"scan_down.frag", "first + along", "first"},
    {"scan_down.frag", "first + 2.0 * along", "first"},
    {"scan_down.frag", "before_cell(higher) + ", ""},
    {"scan_down.frag", "before_cell(higher)", "before_cell(higher - along)"},
    {"scan_down.frag", "sum + cells_cell(here)", "sum"},
    {"scan_down.frag", "with_own > 0.5", "true"},
    {"gather.frag", "return floor(index_cell(here))", "return index_cell(here)"},
    {"gather.frag", "INDEX(-1) - (INDEX(-1) - i) / n", "i / n"},
    {"gather.frag", "i - quotient(i, n) * n", "i"},
    {"gather.frag", "? -1.0", "? 0.0"},
    {"gather.frag", "into(index_cell(here).y", "into(index_cell(here).x"},
    {"gather.frag", "i - row * w, into", "i, into"},
    {"gather.frag", "into(row, INDEX(x_size.y))", "into(row, INDEX(x_size.x))"},
    {"gather.frag", "i = floor(index_cell(here))", "i = index_cell(here)"},
    {"gather.frag", "floor(i / x_size.x)", "(i / x_size.x)"},
    {"gather.frag", "vec2(-1.0), x_size", "vec2(0.0), x_size"},
    {"flag.frag", "== MASK(0)", "!= MASK(0)"},
    {"compact.frag", "low = middle + 1", "low = middle"},
    {"compact.frag", "+ 1u;", ";"},
    {"compact.frag", "uint(here.y) * uint(size.x)", "uint(here.y)"},
    {"compact.frag", "return VALUE(0)", "return VALUE(1)"},
    {"compact.frag", "k < 31", "k < 4"},
    {"compact.frag", "i % w, i / w", "i / w, i % w"},
};

/* Functions that show that a shader is wrong. */
static const struct {
    const char *shader;
    void (*see)(struct qp_context *context);
} shows[] = {
    {"extreme.frag", see_extremes},  {"place.frag", see_places},   {"whole_sum.frag", see_sums},
    {"double_sum.frag", see_sums},   {"floats.frag", see_sums},    {"answer.frag", see_sums},
    {"map.frag", see_map},           {"map_sum.frag", see_map},    {"scan_up.frag", see_scans},
    {"scan_down.frag", see_scans},   {"gather.frag", see_gathers}, {"flag.frag", see_compaction},
    {"compact.frag", see_compaction}};

/* How many numbers were seen: all, or up to the first that is not right. */
static int look(struct qp_context *context, void (*show)(struct qp_context *))
{
    numbers = 0;
    noticed = false;
    show(context);
    return numbers;
}

/* The sabotaged shader is there from the first call of `show` to its end. */
static bool is_noticed(struct qp_context *context, void (*show)(struct qp_context *), int k)
{
    char name[64], text[MOST_TEXT], mutant[2 * MOST_TEXT];
    snprintf(name, sizeof name, "toolkit/%s", mutants[k].shader);
    mutants_read(name, text);
    const char *at = strstr(text, mutants[k].old);
    if (at == NULL)
        fail_msg("%s has no '%s'", name, mutants[k].old);
    snprintf(mutant, sizeof mutant, "%.*s%s%s", (int)(at - text), text, mutants[k].instead,
             at + strlen(mutants[k].old));
    mutants_write(name, mutant);
    look(context, show);
    mutants_write(name, text);
    if (noticed)
        return true;
    print_error("%s: '%s' for '%s' survives\n", name, mutants[k].instead, mutants[k].old);
    return false;
}

CLEAN_TEST(each_is_noticed)
{
    struct qp_context *context = support_need_context(state);
    int survived = 0, made = 0;
    for (int i = 0; i < COUNT(shows); i++) {
        mutants_tally = (struct mutants_tally){0};
        learns = true;
        const int count = look(context, shows[i].see);
        learns = false;
        for (int k = 0; k < COUNT(mutants); k++) {
            if (strcmp(mutants[k].shader, shows[i].shader) != 0)
                continue;
            made++;
            survived += mutants_chosen() && !is_noticed(context, shows[i].see, k);
        }
        assert_true(look(context, shows[i].see) == count && !noticed);
    }
    assert_int_equal(made, COUNT(mutants));
    assert_int_equal(survived, 0);
}

GROUP(mutants_set_up, mutants_tear_down)
