/* SPDX-License-Identifier: MIT */
/* Convention 3: a test must be able to fail. Every GL row of jacobi9 and of reduce is run with its
 * shaders sabotaged, one place at a time, and the walk must notice each: a mutant that survives is
 * either a term that does nothing or a check that sees nothing. */
#include "support.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "gl/shaders.h"
#include "ops/op.h"
#include "ops/reduce.h"

enum { WIDTH = 13, HEIGHT = 11, EVEN_WIDTH = 16, EVEN_HEIGHT = 16, MOST_TEXT = 8192 };

static char folder[] = "/tmp/quadpass-sabotage-XXXXXX"; /* a live copy of the shaders */
enum { PLAIN, WRAPPING, SYMMETRIC, FOUR_WRAPPING, EVEN, PROBLEMS };
static struct qp_problem problems[PROBLEMS];
static int mutants, survivors;

static void write_shader(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The text as it was built in, which is never sabotaged. Comments become blanks, so that nothing in
 * them is found or counted. */
static void read_shader(const char *name, char text[MOST_TEXT])
{
    const struct qp_shader_file *file = qp_shader_files;
    while (file->name != NULL && strcmp(file->name, name) != 0)
        file++;
    assert_non_null(file->name);
    assert_in_range(file->size, 1, MOST_TEXT - 1);
    memcpy(text, file->text, file->size);
    text[file->size] = '\0';
    assert_null(strstr(text, "/*")); /* of a kind that is not known here */
    for (char *at = text; (at = strstr(at, "//")) != NULL;)
        memset(at, ' ', strcspn(at, "\n"));
}

/* A shader of a row, to be sabotaged. */
struct victim {
    struct qp_context *context;
    const struct qp_variant *variant;
    struct qp_problem *problem;
    const char *name;
    char text[MOST_TEXT];
};

static struct qp_result walk(const struct victim *victim, int steps)
{
    struct qp_walk_desc desc = {.iterations = steps};
    struct qp_result result;
    assert_ok(qp_walk(victim->context, victim->variant, victim->problem, &desc, &result));
    return result;
}

/* Runs with what stands from `begin` to `end` replaced. A cell, or in room 8 the padding, must be
 * found wrong, for `words` as a reason: a mutant that does not even compile proves nothing. */
static struct qp_result sabotage(const struct victim *victim, const char *begin, const char *end,
                                 const char *instead, int steps, const char *words)
{
    char mutant[2 * MOST_TEXT];
    snprintf(mutant, sizeof mutant, "%.*s%s%s", (int)(begin - victim->text), victim->text, instead,
             end);
    write_shader(victim->name, mutant);
    struct qp_result result = walk(victim, steps);
    write_shader(victim->name, victim->text);
    mutants++;
    if (result.verdict == QP_FAIL && strstr(result.reason, words) != NULL &&
        (strstr(result.reason, "cell (") || strstr(result.reason, "room 8")))
        return result;
    survivors++;
    print_error("%s: '%s' for '%.*s' survives: %s\n", victim->name, instead, (int)(end - begin),
                begin, result.reason);
    return result;
}

/* Replaces words that must be there. */
static void replace(const struct victim *victim, const char *old, const char *instead, int steps,
                    const char *words)
{
    const char *begin = strstr(victim->text, old);
    assert_non_null(begin);
    sabotage(victim, begin, begin + strlen(old), instead, steps, words);
}

/* Strikes at each shader of each GL row, or of each bound; returns how many there were. */
static int visit(void **state, bool bounds, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state)};
    int shaders = 0;
    mutants = survivors = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        victim.variant = qp_variant_at(i);
        const struct qp_recipe *recipe = victim.variant->recipe;
        if (victim.variant->backend != QP_GL || strcmp(victim.variant->op, "jacobi9") != 0 ||
            recipe->bound != bounds)
            continue;
        victim.problem = &problems[recipe->bound            ? EVEN
                                   : recipe->systems > 1    ? FOUR_WRAPPING
                                   : recipe->needs_symmetry ? SYMMETRIC
                                   : recipe->takes_wraps    ? WRAPPING
                                                            : PLAIN];
        const char *before[2] = {"", ""};
        for (int k = 0; k < 2 * qp_recipe_draws(recipe); k++) {
            const struct qp_draw *draw = &recipe->draw[k / 2];
            victim.name = k % 2 ? draw->vertex : draw->compute ? draw->compute : draw->fragment;
            if (victim.name == NULL || strcmp(victim.name, before[k % 2]) == 0)
                continue;
            before[k % 2] = victim.name;
            read_shader(victim.name, victim.text);
            strike(&victim);
            shaders++;
        }
    }
    assert_int_equal(survivors, 0);
    return shaders;
}

static int visit_shaders(void **state, void (*strike)(struct victim *victim))
{
    return visit(state, false, strike);
}

/* A fetch `texture2DRect(x, here)` from begin to end, or the right side of a gl_TexCoord
 * assignment, and the coordinates in it. */
struct site {
    const char *begin, *end, *from, *to;
};

static struct site read_fetch(const char *begin)
{
    struct site site = {.begin = begin, .end = strchr(begin, '(')};
    int depth = 0;
    do {
        depth += *site.end == '(';
        depth -= *site.end == ')';
        if (*site.end == ',' && depth == 1 && site.from == NULL)
            site.from = site.end + 1;
        assert_int_not_equal(*site.end++, '\0');
    } while (depth > 0);
    assert_non_null(site.from);
    site.to = site.end - 1;
    return site;
}

static struct site read_assignment(const char *begin)
{
    const char *from = strchr(begin, '=') + 1;
    const char *to = strchr(from, ';');
    return (struct site){.begin = from, .end = to, .from = from, .to = to};
}

/* Each fetch and each coordinate dropped, shifted right, shifted up. */
static void strike_terms(struct victim *victim)
{
    static const struct {
        const char *mark, *by[2];
    } kinds[] = {
        {"texture2DRect(", {"vec2(1.0, 0.0)", "vec2(0.0, 1.0)"}},
        {"imageLoad(", {"ivec2(1, 0)", "ivec2(0, 1)"}},
        {"fetch(x[", {"vec2(1.0, 0.0)", "vec2(0.0, 1.0)"}}, /* a function of the shader's own */
        {"gl_TexCoord[", {"vec4(1.0, 0.0, 0.0, 0.0)", "vec4(0.0, 1.0, 0.0, 0.0)"}}};
    bool vertex = strstr(victim->name, ".vert") != NULL;
    for (int kind = vertex ? 3 : 0; kind < (vertex ? 4 : 3); kind++) {
        const char *at = victim->text;
        for (; (at = strstr(at, kinds[kind].mark)) != NULL; at++) {
            struct site site = vertex ? read_assignment(at) : read_fetch(at);
            if (kind != 2)
                sabotage(victim, site.begin, site.end, "vec4(0.0)", 2, "");
            for (int k = 0; k < 2; k++) {
                char shifted[512];
                snprintf(shifted, sizeof shifted, "(%.*s) + %s", (int)(site.to - site.from),
                         site.from, kinds[kind].by[k]);
                sabotage(victim, site.from, site.to, shifted, 2, "");
            }
        }
    }
}

/* 12 fetches in generic, 18 in rgba_abreast and rgba_stamps, 19 in eight
 * others, 12 in rgba_targets, 8 coordinates in vertex.vert: a scanner that finds nothing cannot pass. */
static void every_term_counts(void **state)
{
    assert_true(visit_shaders(state, strike_terms) >= 11);
    assert_true(mutants >= 3 * (12 + 2 * 18 + 8 * 19 + 12 + 8) + 2 * 10);
}

/* Shaders that do nothing at all (the target stays NaN, and after two steps the start is back),
 * that hand the old iterate on, that forget the weight or give it to the wrong side. */
static void strike_whole(struct victim *victim)
{
    bool computes = strstr(victim->name, ".comp") != NULL;
    const char *none = computes ? "void main()\n{ return;" : "void main()\n{ discard;";
    if (strstr(victim->name, ".vert") != NULL)
        return;
    const struct qp_recipe *recipe = victim->variant->recipe;
    replace(victim, "void main()\n{", none, 1, "nan and should be");
    replace(victim, "void main()\n{", none, 2, "");
    if (computes) {
        replace(victim, "imageStore(", "imageStore(target, ivec2(here), 0.0 * weight + x_dd); //",
                1, "");
        replace(victim, "cell, size", "cell, size - 1.0", 1, "nan and should be");
        replace(victim, "cell, size", "cell, size + 1.0", 1, "room 8");
    } else if (recipe->state.sheets > 1) {
        replace(victim, "gl_FragData[1] =", "gl_FragData[1] = x1.middle; vec4 none =", 1, "");
    } else if (recipe->x_is_image) {
        replace(victim, "gl_FragColor =", "gl_FragColor = imageLoad(x, here); vec4 none =", 1, "");
    } else {
        replace(victim, "gl_FragColor =", "gl_FragColor = texture2DRect(x, here); vec4 none =", 1,
                "");
    }
    replace(victim, "(1.0 - weight)", "1.0", 1, "");
    replace(victim, "(1.0 - weight)", "weight", 1, "");
    replace(victim, "+ weight", "+ (1.0 - weight)", 1, "");
}

static void whole_shaders_are_judged(void **state)
{
    visit_shaders(state, strike_whole);
    assert_true(mutants >= 6 * 10);
}

/* One cell, in the middle or on the line that the shader draws, off by ten tolerances: it is found
 * where it is, and measured right. Columns are multiples of four: the first channel everywhere. A row
 * that is cut has the shader of another, which sees tiles, and so more such cells than one. */
static void strike_one_cell(struct victim *victim)
{
    const char *name = victim->name, *last = strrchr(victim->text, '}');
    const struct qp_shape shape = victim->variant->recipe->state;
    int x = strstr(name, "left") ? 0 : strstr(name, "right") ? WIDTH - 1 : 4, y = 6;
    if (strstr(name, ".vert") != NULL || victim->variant->recipe->tile > 0)
        return;
    struct qp_layout layout = qp_layout_make(shape, WIDTH, HEIGHT, victim->problem->systems);
    char target[16] = "gl_FragColor", nudge[256];
    if (layout.sheets > 1)
        snprintf(target, sizeof target, "gl_FragData[%d]", y % layout.sheets);
    snprintf(nudge, 256, "if (gl_FragCoord.xy == vec2(%d.5, %d.5)) %s.r += %.9e; }",
             layout.origin_x + x / layout.neighbours,
             layout.origin_y + y / layout.rows / layout.sheets, target,
             10.0 * walk(victim, 1).tolerance * victim->problem->reference_scale);
    if (strstr(name, ".comp") != NULL) {
        last = strstr(victim->text, "imageStore(") - 1;
        snprintf(nudge, 256, " if (ivec2(here) == ivec2(%d, %d)) rest.r += %.9e / weight;",
                 layout.origin_x + x / layout.neighbours, layout.origin_y + y,
                 10.0 * walk(victim, 1).tolerance * victim->problem->reference_scale);
    }
    struct qp_result result = sabotage(victim, last, last + 1, nudge, 1, "");
    assert_true(result.worst_x == x && result.worst_y == y);
    assert_true(result.error > 9.0 * result.tolerance && result.error < 11.0 * result.tolerance);
}

static void one_cell_off_by_ten_tolerances(void **state)
{
    visit_shaders(state, strike_one_cell);
    assert_true(mutants >= 10);
}

static unsigned strays_read;

/* Beyond the padding stand guards: NaN, which not even a band's zero takes away. */
static void strike_guards(struct victim *victim)
{
    static const char *const strays[][3] = {
        {"jacobi9/luminance.frag", "here + vec2(-1.0, 0.0)", "here + vec2(-3.0, 0.0)"},
        {"jacobi9/luminance.frag", "here + vec2(1.0, 1.0)", "here + vec2(1.0, 3.0)"},
        {"jacobi9/multipass_left.frag", "(x, right)", "(x, here + vec2(-3.0, 0.0))"},
        {"jacobi9/multipass_right.frag", "(rhs, here)", "(rhs, here + vec2(3.0, 0.0))"},
        {"jacobi9/generic.frag", "(bands_above, here)", "(bands_above, here - vec2(0.0, 3.0))"},
        {"jacobi9/rgba.frag", "here + vec2(-1.0, -1.0)", "here + vec2(-3.0, -1.0)"},
        {"jacobi9/rgba_abreast.frag", "band + vec2(8.0, 0.0)", "band + vec2(9.0, 0.0)"},
        {"jacobi9/rgba_stamps.frag", "band + vec2(32.0, 0.0)", "band + vec2(36.0, 0.0)"},
        {"jacobi9/rgba_targets.frag", "here - vec2(0.0, 1.0)", "here - vec2(0.0, 3.0)"},
    };
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        if (strcmp(victim->name, strays[i][0]) != 0)
            continue;
        replace(victim, strays[i][1], strays[i][2], 1, "nan and should be");
        strays_read |= 1u << i;
    }
}

static void reading_far_outside_is_poison(void **state)
{
    strays_read = 0;
    visit_shaders(state, strike_guards);
    assert_int_equal(strays_read, 0x1ff);
}

/* Without sabotage the same copies pass, before and after everything above. */
static void accept_unharmed(struct victim *victim)
{
    for (int steps = 0; steps < 4; steps++)
        assert_int_equal(walk(victim, steps).verdict, QP_PASS);
}

static void unharmed_copies_pass(void **state)
{
    assert_true(visit_shaders(state, accept_unharmed) >= 11);
}

/* Of a bound nothing is known but that it writes every cell: none, or all but one, after any number
 * of steps, or one that is infinite, must be seen. */
static void strike_bound(struct victim *victim)
{
    const char *last = strrchr(victim->text, '}');
    struct qp_layout layout =
        qp_layout_make(victim->variant->recipe->state, EVEN_WIDTH, EVEN_HEIGHT, 1);
    int x = 4, y = 8; /* the first cell of its fragment in all layouts */
    char spare[128];
    for (int steps = 1; steps <= 4; steps++) {
        assert_int_equal(walk(victim, steps).verdict, QP_BOUND);
        replace(victim, "void main()\n{", "void main()\n{ discard;", steps, "cell (0, 0) is ");
        snprintf(spare, sizeof spare, "if (gl_FragCoord.xy == vec2(%d.5, %d.5)) discard; }",
                 layout.origin_x + x / layout.neighbours, layout.origin_y + y / layout.sheets);
        struct qp_result result = sabotage(victim, last, last + 1, spare, steps, "cell (4, 8) is ");
        assert_true(result.worst_x == x && result.worst_y == y);
    }
    snprintf(spare, sizeof spare, "%s = vec4(3e38 * weight) * 3e38; }",
             layout.sheets > 1 ? "gl_FragData[0]" : "gl_FragColor");
    sabotage(victim, last, last + 1, spare, 1, "cell (0, 0) is ");
}

static void bounds_write_every_cell(void **state)
{
    assert_true(visit(state, true, strike_bound) >= 5);
    assert_true(mutants >= 5 * 9);
}

/* ---- Reductions ---- */

enum { SIDE = 17, VALUES = SIDE * SIDE, TRIES = 300 };

/* Values at random; or two large ones among them that cancel; or all but three of them zero; or one
 * whose square those of the others vanish beside, one by one but not together. Of maxima the
 * largest magnitude stands in place number `try`; where places count, in another one too. */
static void fill_values(struct qp_problem *problem, int try)
{
    uint64_t seed = (uint64_t)try + 1;
    enum qp_reduction kind = qp_reduce_kind(problem);
    float *x = problem->field[QP_REDUCE_X].values, *y = problem->field[QP_REDUCE_Y].values;
    int a = try % VALUES, b = (int)qp_random(&seed, 0.0, VALUES), c = VALUES / 2;
    float small = (float)qp_random(&seed, 5e-5, 2e-4);
    for (int i = 0; i < VALUES; i++) {
        bool keep = i == a || i == b || i == c;
        x[i] = (float)qp_random(&seed, -1.0, 1.0);
        y[i] = (float)qp_random(&seed, -1.0, 1.0);
        if (qp_reduce_adds(kind) && try % 4 == 2)
            x[i] = keep ? x[i] : 0.0f;
        if (qp_reduce_adds(kind) && try % 4 == 3)
            x[i] = y[i] = i == a ? 1.0f : small;
    }
    if (!qp_reduce_adds(kind)) {
        x[kind == QP_INDEX ? b : a] = 2.0f;
        x[a] = 2.0f;
    } else if (try % 4 == 1 && a != b) {
        x[a] = 0x1p26f;
        x[b] = -0x1p26f;
        y[a] = y[b] = 1.0f;
    }
    free(problem->reference);
    problem->reference = NULL;
}

/* The first of the tries whose verdict is this one; TRIES if there is none. */
static int first_try(const struct victim *victim, enum qp_verdict verdict)
{
    for (int try = 0; try < TRIES; try++) {
        fill_values(victim->problem, try);
        if (walk(victim, 1).verdict == verdict)
            return try;
    }
    return TRIES;
}

/* As above, but one of many problems must tell. */
static void sabotage_reduction(const struct victim *victim, const char *begin, const char *end,
                               const char *instead)
{
    char mutant[2 * MOST_TEXT];
    snprintf(mutant, sizeof mutant, "%.*s%s%s", (int)(begin - victim->text), victim->text, instead,
             end);
    write_shader(victim->name, mutant);
    bool found = first_try(victim, QP_FAIL) < TRIES;
    const char *reason = walk(victim, 1).reason;
    bool good = found && strstr(reason, "room 4") == NULL;
    write_shader(victim->name, victim->text);
    mutants++;
    if (good)
        return;
    survivors++;
    print_error("%s, %s: '%s' for '%.*s' survives: %s\n", victim->variant->name, victim->name,
                instead, (int)(end - begin), begin, reason);
}

/* Strikes at each shader of each GL row of reduce once; returns how many there were. */
static int visit_reductions(void **state, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state)};
    const char *seen[32] = {0};
    int shaders = 0;
    mutants = survivors = 0;
    for (size_t i = 0; i < qp_variant_count() * QP_REDUCTIONS * 2; i++) {
        victim.variant = qp_variant_at(i / 2 / QP_REDUCTIONS);
        const struct qp_recipe *recipe = victim.variant->recipe;
        enum qp_reduction kind = (enum qp_reduction)(i / 2 % QP_REDUCTIONS);
        if (recipe->climb == NULL || recipe->not_kinds >> kind & 1 ||
            victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        victim.name = i % 2 ? recipe->climb->next[kind]
                            : qp_climb_first(recipe->climb, kind, recipe->input[0].shape.format);
        int k = 0;
        while (k < shaders && strcmp(seen[k], victim.name) != 0)
            k++;
        if (k < shaders)
            continue;
        seen[shaders++] = victim.name;
        struct qp_problem_desc desc = {
            .op = "reduce", .kind = qp_op_reduce.kinds[kind], .width = SIDE, .height = SIDE};
        struct qp_problem problem;
        assert_ok(qp_problem_create(&desc, &problem));
        victim.problem = &problem;
        read_shader(victim.name, victim.text);
        strike(&victim);
        qp_problem_destroy(&problem);
    }
    assert_int_equal(survivors, 0);
    return shaders;
}

static void pass_all_tries(struct victim *victim)
{
    assert_int_equal(first_try(victim, QP_FAIL), TRIES);
}

static void unharmed_reductions_pass(void **state)
{
    assert_true(visit_reductions(state, pass_all_tries) >= 10);
}

/* The call that begins here, up to its closing bracket. */
static const char *end_of_call(const char *at)
{
    int depth = 0;
    do {
        depth += *at == '(';
        depth -= *at == ')';
    } while (*at++ != ')' || depth > 0);
    return at;
}

/* Every fetch, and every term of a tree, dropped, shifted right, shifted up. */
static void strike_tree(struct victim *victim)
{
    static const char *const calls[] = {"texture2DRect(", "term(place", "row(place"};
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    for (int k = 0; k < 3; k++) {
        for (const char *at = victim->text; (at = strstr(at, calls[k])) != NULL; at++) {
            const char *end = end_of_call(at);
            char instead[256];
            snprintf(instead, sizeof instead, "(0.0 * %.*s)", (int)(end - at), at);
            sabotage_reduction(victim, at, end, instead);
            for (int b = 0; b < 2; b++) {
                snprintf(instead, sizeof instead, "%.*s%s", (int)(end - 1 - at), at, by[b]);
                sabotage_reduction(victim, at, end, instead);
            }
        }
    }
}

static void every_term_of_a_tree_counts(void **state)
{
    assert_true(visit_reductions(state, strike_tree) >= 10);
    assert_true(mutants >= 3 * 9 * 10);
}

/* Replaces words where they are. */
static void replace_in_reduction(const struct victim *victim, const char *old, const char *instead)
{
    const char *begin = strstr(victim->text, old);
    if (begin != NULL)
        sabotage_reduction(victim, begin, begin + strlen(old), instead);
}

/* Edges, ties and what compensation is made of. An optimiser that takes (a + b) - a for b makes
 * nothing of a loss, as the mutant does. */
static void strike_reduction(struct victim *victim)
{
    bool sums = qp_reduce_adds(qp_reduce_kind(victim->problem));
    replace_in_reduction(victim, "void main()\n{", "void main()\n{ discard;");
    replace_in_reduction(victim, sums ? "place.x < size.x" : "none", "true");
    replace_in_reduction(victim, sums ? "place.y < size.y" : "none", "true");
    replace_in_reduction(victim, "(equal && first)", "equal");
    replace_in_reduction(victim, "(equal && first)", "false");
    replace_in_reduction(victim, "b.z < a.z", "b.z > a.z");
    replace_in_reduction(victim, "b.y < a.y", "b.y > a.y");
    replace_in_reduction(victim, "(a.x - (sum - part)) + (b.x - part)", "0.0");
    replace_in_reduction(victim, "(a.x - (sum - part)) +", "");
    replace_in_reduction(victim, "+ (b.x - part)", "");
    replace_in_reduction(victim, "vec2(product, loss)", "vec2(product, 0.0)");
    replace_in_reduction(victim, "4097.0", "1.0");
    if (strstr(victim->name, "next") != NULL)
        replace_in_reduction(victim, "(a.y + b.y) +", "");
}

static void edges_ties_and_losses_are_judged(void **state)
{
    assert_true(visit_reductions(state, strike_reduction) >= 10);
    assert_true(mutants >= 40);
}

/* llvmpipe's compiler is such an optimiser: without `precise` compensated sums are no better than the
 * tree's. */
static void strike_precise(struct victim *victim)
{
    char mutant[MOST_TEXT];
    if (strstr(victim->text, "precise float") == NULL)
        return;
    snprintf(mutant, sizeof mutant, "%s", victim->text);
    for (char *at = mutant; (at = strstr(at, "precise float")) != NULL;)
        memset(at, ' ', strlen("precise"));
    sabotage_reduction(victim, victim->text, victim->text + strlen(victim->text), mutant);
}

static void an_optimiser_needs_precise(void **state)
{
    const struct qp_device *device = qp_context_device(support_need_context(state));
    if (strstr(device->renderer, "llvmpipe") == NULL || !(device->abilities & QP_CAN_PRECISE))
        skip();
    visit_reductions(state, strike_precise);
    assert_int_equal(mutants, 4);
}

static int set_up(void **state)
{
    support_open_context(state);
    for (int k = 0; k < PROBLEMS; k++) {
        struct qp_problem_desc desc = {.kind = k == SYMMETRIC ? "symmetric" : "random",
                                       .width = k == EVEN ? EVEN_WIDTH : WIDTH,
                                       .height = k == EVEN ? EVEN_HEIGHT : HEIGHT,
                                       .wraps = k == WRAPPING || k == FOUR_WRAPPING,
                                       .systems = k == FOUR_WRAPPING ? 4 : 1,
                                       .seed = 20,
                                       .weight = 0.9};
        assert_ok(qp_problem_create(&desc, &problems[k]));
    }
    assert_non_null(mkdtemp(folder));
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        char text[MOST_TEXT], path[64];
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(file->name, "/"), file->name);
        mkdir(path, 0700); /* usually there already; if it fails, writing does too */
        read_shader(file->name, text);
        write_shader(file->name, text);
    }
    return setenv("QUADPASS_SHADER_DIR", folder, 1);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static int tear_down(void **state)
{
    unsetenv("QUADPASS_SHADER_DIR");
    int left = nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    for (int k = 0; k < PROBLEMS; k++)
        qp_problem_destroy(&problems[k]);
    return support_close_context(state) | left;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(unharmed_copies_pass),          clean_test(every_term_counts),
        clean_test(whole_shaders_are_judged),      clean_test(one_cell_off_by_ten_tolerances),
        clean_test(reading_far_outside_is_poison), clean_test(bounds_write_every_cell),
        clean_test(unharmed_copies_pass),          clean_test(unharmed_reductions_pass),
        clean_test(every_term_of_a_tree_counts),   clean_test(edges_ties_and_losses_are_judged),
        clean_test(an_optimiser_needs_precise),
    };
    return cmocka_run_group_tests_name("sabotage", tests, set_up, tear_down);
}
