/* SPDX-License-Identifier: MIT */
/* Convention 3: a test must be able to fail. Every GL variant of jacobi9 is run with its shaders
 * sabotaged, one place at a time, and the walk must notice each: a mutant that survives is
 * either a term that does nothing or a check that sees nothing. */
#include "support/mutants.h"

#include <stdio.h>
#include <string.h>

#include "lab/engines/engines.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/op.h"

enum { WIDTH = 13, HEIGHT = 11, EVEN_WIDTH = 16, EVEN_HEIGHT = 16 };

enum { PLAIN, WRAPPING, SYMMETRIC, FOUR_WRAPPING, EVEN, PROBLEMS };
static struct qp_problem problems[PROBLEMS];
static int mutants, survivors, fetches;

/* Runs a mutant, whose text from `begin` to `end` is replaced. A cell, the padding in stage 8, or
 * of a variant in parts the cells around one, must be found wrong, for `words` as a reason: a
 * mutant that does not even compile proves nothing. */
static struct qp_result sabotage(const struct victim *victim, const char *begin, const char *end,
                                 const char *instead, int steps, const char *words)
{
    mutants_strike(victim, begin, end, instead);
    struct qp_result result = mutants_walk(victim, steps);
    mutants_write(victim->name, victim->text);
    mutants++;
    if (result.verdict == QP_FAIL && strstr(result.reason, words) != NULL &&
        (strstr(result.reason, "cell (") || strstr(result.reason, "stage 8") ||
         strstr(result.reason, "wrote outside part")))
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

/* Strikes at each shader of each GL variant, or of each bound; returns how many there were. */
static int visit(void **state, bool bounds, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state)};
    int shaders = 0;
    mutants = survivors = fetches = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        victim.variant = qp_variant_at(i);
        const struct qp_recipe *recipe = victim.variant->recipe;
        if (victim.variant->backend != QP_GL || strcmp(victim.variant->op, "jacobi9") != 0 ||
            recipe->bound != bounds)
            continue;
        victim.problem = &problems[recipe->bound                                ? EVEN
                                   : recipe->systems > 1                        ? FOUR_WRAPPING
                                   : qp_jacobi9_variant(recipe)->needs_symmetry ? SYMMETRIC
                                   : qp_jacobi9_variant(recipe)->takes_wraps    ? WRAPPING
                                                                                : PLAIN];
        const char *before[2] = {"", ""};
        for (int k = 0; k < 2 * qp_recipe_draws(recipe); k++) {
            const struct qp_draw *draw = &recipe->draw[k / 2];
            victim.name = k % 2 ? draw->vertex : draw->compute ? draw->compute : draw->fragment;
            if (victim.name == NULL || strcmp(victim.name, before[k % 2]) == 0)
                continue;
            before[k % 2] = victim.name;
            mutants_read(victim.name, victim.text);
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

/* With LONG=1 each place in each way, else one place in six in one way, the next of them in
 * another. */
static bool strikes(int place, int way, int ways)
{
    return support_takes_long() || (place % 6 == 0 && place / 6 % ways == way % ways);
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
    int places = 0;
    for (int kind = vertex ? 3 : 0; kind < (vertex ? 4 : 3); kind++) {
        const char *at = victim->text;
        const int ways = kind != 2 ? 3 : 2;
        for (; (at = strstr(at, kinds[kind].mark)) != NULL; at++, places++) {
            struct site site = vertex ? read_assignment(at) : read_fetch(at);
            if (kind != 2 && strikes(places, 2, ways))
                sabotage(victim, site.begin, site.end, "vec4(0.0)", 2, "");
            for (int k = 0; k < 2; k++) {
                char shifted[512];
                if (!strikes(places, k, ways))
                    continue;
                snprintf(shifted, sizeof shifted, "(%.*s) + %s", (int)(site.to - site.from),
                         site.from, kinds[kind].by[k]);
                sabotage(victim, site.from, site.to, shifted, 2, "");
            }
        }
    }
    fetches += places;
}

/* 12 fetches in generic, 20 in five shaders from inverse to vertex, and as many for four systems,
 * 19 in six others, 18 in rgba_abreast and rgba_stamps, 12 in rgba_targets, 8 coordinates in
 * vertex.vert: a scanner that finds nothing cannot pass. */
CLEAN_TEST(every_term_counts)
{
    assert_true(visit_shaders(state, strike_terms) >= 28);
    assert_true(fetches >= 501 && mutants >= (support_takes_long() ? 1503 : 84));
}

/* x + w (b - A x) / DD without the old x, or with paper 3's part of it; with DD x left out of A x,
 * or taken from a neighbour. (1 - w) x + w (b - (A - DD) x) / DD likewise. */
static void strike_form(struct victim *victim)
{
    static const char *const forms[][2] = {
        {"vec4(old + ", "vec4("},
        {"= old + ", "= "},
        {"= x_dd + ", "= "},
        {"old + weight", "(1.0 - weight) * old + weight"},
        {"beside.g * old", "0.0"},
        {"diagonal * old", "0.0 * diagonal"},
        {"diagonal * x_dd", "vec4(0.0)"},
        {"diagonal * x_dd", "diagonal * x_du"},
        {"here).x * old", "here).x * 0.0"},
        {"(band_dd, here) * old", "(band_dd, here) * 0.0"},
        {"(1.0 - weight)", "1.0"},
        {"(1.0 - weight)", "weight"},
    };
    int struck = 0;
    for (int i = 0; i < COUNT(forms); i++) {
        if (strstr(victim->text, forms[i][0]) == NULL)
            continue;
        if (struck++ < 2 || support_takes_long())
            replace(victim, forms[i][0], forms[i][1], 1, "");
    }
    assert_true(struck >= 2);
}

/* Shaders that do nothing at all (the target stays NaN, and after two steps the start is back),
 * that hand the old iterate on, that forget the weight or give it to the wrong side. Without LONG=1
 * one half of them, by the length of its name, so that a new variant moves no other. */
static void strike_whole(struct victim *victim)
{
    bool computes = strstr(victim->name, ".comp") != NULL;
    const char *none = computes ? "void main()\n{ return;" : "void main()\n{ discard;";
    if (strstr(victim->name, ".vert") != NULL || !support_takes((int)strlen(victim->name) / 2, 2))
        return;
    const struct qp_recipe *recipe = victim->variant->recipe;
    replace(victim, "void main()\n{", none, 1, "; it should be ");
    replace(victim, "void main()\n{", none, 2, "");
    if (computes) {
        replace(victim, "imageStore(", "imageStore(target, ivec2(here), 0.0 * weight + x_dd); //",
                1, "");
        replace(victim, "cell, size", "cell, size - 1.0", 1, "; it should be ");
        replace(victim, "cell, size", "cell, size + 1.0", 1, "stage 8");
    } else if (recipe->state.sheets > 1) {
        replace(victim, "gl_FragData[1] =", "gl_FragData[1] = x1.middle; vec4 none =", 1, "");
    } else if (recipe->draw[0].loads_x) {
        replace(victim, "gl_FragColor =", "gl_FragColor = imageLoad(x, here); vec4 none =", 1, "");
    } else {
        replace(victim, "gl_FragColor =", "gl_FragColor = texture2DRect(x, here); vec4 none =", 1,
                "");
    }
    replace(victim, "+ weight *", "+", 1, "");
    replace(victim, "+ weight", "+ (1.0 - weight)", 1, "");
    strike_form(victim);
}

CLEAN_TEST(whole_shaders_are_judged)
{
    visit_shaders(state, strike_whole);
    assert_true(mutants >= (support_takes_long() ? 204 : 75));
}

/* A cell, in the middle or on the line that the shader draws, off by ten tolerances: it is found
 * where it is, and measured right. Columns are multiples of four: the first channel everywhere. A
 * variant that is cut has the shader of another, which sees tiles, and so more such cells than
 * one. */
static void strike_one_cell(struct victim *victim)
{
    const char *name = victim->name, *last = strrchr(victim->text, '}');
    const struct qp_shape shape = victim->variant->recipe->state;
    int x = strstr(name, "left") ? 0 : strstr(name, "right") ? WIDTH - 1 : 4, y = 6;
    if (strstr(name, ".vert") != NULL || victim->variant->recipe->engine == &qp_engine_parts)
        return;
    struct qp_layout layout = qp_layout_make(shape, WIDTH, HEIGHT, victim->problem->systems);
    char target[16] = "gl_FragColor", nudge[256];
    if (layout.sheets > 1)
        snprintf(target, sizeof target, "gl_FragData[%d]", y % layout.sheets);
    snprintf(nudge, 256, "if (gl_FragCoord.xy == vec2(%d.5, %d.5)) %s.r += %.9e; }",
             layout.origin_x + x / layout.neighbours,
             layout.origin_y + y / layout.rows / layout.sheets, target,
             10.0 * mutants_walk(victim, 1).tolerance * victim->problem->reference_scale);
    if (strstr(name, ".comp") != NULL) {
        last = strstr(victim->text, "imageStore(") - 1;
        snprintf(nudge, 256, " if (ivec2(here) == ivec2(%d, %d)) rest.r += %.9e / weight;",
                 layout.origin_x + x / layout.neighbours, layout.origin_y + y,
                 10.0 * mutants_walk(victim, 1).tolerance * victim->problem->reference_scale);
    }
    struct qp_result result = sabotage(victim, last, last + 1, nudge, 1, "");
    assert_true(result.worst_x == x && result.worst_y == y);
    assert_true(result.error > 9.0 * result.tolerance && result.error < 11.0 * result.tolerance);
}

CLEAN_TEST(one_cell_off_by_ten_tolerances)
{
    visit_shaders(state, strike_one_cell);
    assert_true(mutants >= 25);
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
        replace(victim, strays[i][1], strays[i][2], 1, "; it should be ");
        strays_read |= 1u << i;
    }
}

CLEAN_TEST(reading_far_outside_is_poison)
{
    strays_read = 0;
    visit_shaders(state, strike_guards);
    assert_int_equal(strays_read, 0x1ff);
}

/* Without sabotage the same copies pass, before and after everything above. */
static void accept_unharmed(struct victim *victim)
{
    for (int steps = 0; steps < 4; steps++)
        assert_int_equal(mutants_walk(victim, steps).verdict, QP_PASS);
}

CLEAN_TEST(unharmed_copies_pass)
{
    assert_true(visit_shaders(state, accept_unharmed) >= 28);
}

/* Mutants of a bound, of which only is known that it writes every cell: no cell written, or all but
 * one, after any number of steps, or an infinite cell, must be seen. */
static void strike_bound(struct victim *victim)
{
    const char *last = strrchr(victim->text, '}');
    struct qp_layout layout =
        qp_layout_make(victim->variant->recipe->state, EVEN_WIDTH, EVEN_HEIGHT, 1);
    int x = 4, y = 8; /* the first cell of its fragment in all layouts */
    char spare[128];
    for (int steps = 1; steps <= 4; steps++) {
        assert_int_equal(mutants_walk(victim, steps).verdict, QP_BOUND);
        replace(victim, "void main()\n{", "void main()\n{ discard;", steps,
                "cell (0, 0) was never written");
        snprintf(spare, sizeof spare, "if (gl_FragCoord.xy == vec2(%d.5, %d.5)) discard; }",
                 layout.origin_x + x / layout.neighbours, layout.origin_y + y / layout.sheets);
        struct qp_result result =
            sabotage(victim, last, last + 1, spare, steps, "cell (4, 8) was never written");
        assert_true(result.worst_x == x && result.worst_y == y);
    }
    snprintf(spare, sizeof spare, "%s = vec4(3e38 * weight) * 3e38; }",
             layout.sheets > 1 ? "gl_FragData[0]" : "gl_FragColor");
    sabotage(victim, last, last + 1, spare, 1, "cell (0, 0) is ");
}

CLEAN_TEST(bounds_write_every_cell)
{
    assert_true(visit(state, true, strike_bound) >= 5);
    assert_true(mutants >= 5 * 9);
}

static int set_up(void **state)
{
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
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    for (int k = 0; k < PROBLEMS; k++)
        qp_problem_destroy(&problems[k]);
    return mutants_tear_down(state);
}

CLEAN_TEST(unharmed_copies_pass_again)
{
    unharmed_copies_pass(state);
}

GROUP(set_up, tear_down)
