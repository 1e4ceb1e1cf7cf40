/* SPDX-License-Identifier: MIT */
/* Convention 3 for sparse products: each fetch dropped and shifted, each index off by one, entries,
 * parts and classes of lengths left out. */
#include "support/mutants.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/spmv/spmv.h"

static struct qp_problem bands, slices, parts;

/* Shaders, the variant that draws with each, and a matrix where all that it does matters. */
static const struct {
    const char *row, *shader;
    struct qp_problem *problem;
    int fetches;
} shaders[] = {{"spmv/csr_sorted", "spmv/csr_sorted.frag", &parts, 3},
               {"spmv/csr_sorted", "spmv/csr_rows.frag", &parts, 2},
               {"spmv/diagonals", "spmv/diagonals.frag", &bands, 7},
               {"spmv/diagonals_printed", "sparse/diagonals.frag", &bands, 2},
               {"spmv/sliced_ell", "spmv/sliced_ell.frag", &slices, 4},
               {"spmv/sliced_ell_sorted", "sparse/slices.frag", &parts, 2},
               {"spmv/sliced_ell_twofold", "spmv/sliced_ell_twofold.frag", &slices, 4},
               {"spmv/compute", "spmv/compute_shares.comp", &parts, 1}};

/* Strikes at each shader that this device can run. */
static void visit(void **state, void (*strike)(struct victim *victim, int number))
{
    struct victim victim = {.context = support_need_context(state)};
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < COUNT(shaders); i++) {
        victim.variant = qp_variant_find(shaders[i].row);
        victim.problem = shaders[i].problem;
        victim.name = shaders[i].shader;
        if (victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        mutants_read(victim.name, victim.text);
        strike(&victim, i);
    }
    assert_int_equal(mutants_tally.survived, 0);
}

/* Words are no floats: a fetch of some is dropped by another factor. */
static bool fetches_words(const char *text, const char *at)
{
    char declaration[64];
    const char *name = strchr(at, '(') + 1;
    snprintf(declaration, sizeof declaration, "usampler2DRect %.*s;", (int)strcspn(name, ","),
             name);
    return strstr(text, declaration) != NULL;
}

static void strike_fetch(struct victim *victim, const char *at)
{
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    const char *end = mutants_end_of_call(at);
    char instead[256];
    if (!fetches_words(victim->text, at)) {
        /* each diagonal says how many there are, and shares have one line of x */
        const bool same = strstr(at, "offsets, vec2(1.5)") == strchr(at, '(') + 1,
                   one = strstr(at, "x, vec2(j & 4095") == strchr(at, '(') + 1;
        mutants_strike_call(victim, at, by + same, 2 - same - one);
        return;
    }
    snprintf(instead, sizeof instead, "(0u * %.*s)", (int)(end - at), at);
    mutants_sabotage(victim, at, end, instead);
    for (int k = 0; k < 2; k++) {
        snprintf(instead, sizeof instead, "%.*s%s", (int)(end - 1 - at), at, by[k]);
        mutants_sabotage(victim, at, end, instead);
    }
}

/* True for calls that fetch floats or words; whole shaders call samplers, others the toolkit. */
static bool is_fetch(const char *at)
{
    static const char *const calls[] = {"texture(", "texture2DRect(", " x_cell(", " a_cell("};
    for (int i = 0; i < COUNT(calls); i++) {
        if (strncmp(at, calls[i], strlen(calls[i])) == 0)
            return true;
    }
    return false;
}

static void strike_fetches(struct victim *victim, int number)
{
    int fetches = 0;
    for (const char *at = victim->text; *at != '\0'; at++) {
        if (!is_fetch(at))
            continue;
        at += *at == ' ';
        strike_fetch(victim, at);
        fetches++;
    }
    assert_int_equal(fetches, shaders[number].fetches);
}

CLEAN_TEST(every_fetch_counts)
{
    visit(state, strike_fetches);
    assert_true(mutants_tally.made >= 3 * 20 - 1);
}

/* Places of shaders and wrong ones, of all shaders that have them. */
static void strike_places(struct victim *victim, int number)
{
    static const char *const places[][2] = {
        {"k < slots", "k + 1 < slots"},   /* the last slot left out */
        {"k < count;", "k + 1 < count;"}, /* the last part, entry */
        {"float sum = 0.0;", "float sum = 0.01;"},
        {"vec4 sum = vec4(0.0)", "vec4 sum = vec4(0.01)"},           /* in padding, too */
        {"vec4 entry =", "if (count == 6.0) discard; vec4 entry ="}, /* a class */
        {"entry.gb + 1.5", "entry.gb + vec2(2.5, 1.5)"},
        {"step(cells.x, right)", "step(cells.x + 1.0, right)"},
        {"step(cells.x, right)", "vec4(0.0)"},
        {"+ offset.g + carry", "+ offset.g + 0.0 * carry"},
        {"right += 3.5", "right += 2.5"},
        {"4.0 * texel.x", "4.0 * texel.x + 1.0"},
        {"d < range.y + 1.0", "d < range.y"}, /* a diagonal left out */
        {"word >> 16", "word >> 15"},
        {"65535u, word", "65534u, word"},
        {"lost += sum_loss(sum, product, next) +", "lost +="},
        {"+ product_loss(a, b, product)", ""},
        {"sum + lost", "sum"},
        {"k < span.y", "k + 1 < span.y"},
        {"(place & 2) != 0", "(place & 2) == 0"},
        {"(place & 1) != 0", "(place & 1) == 0"},
        {"here.x < end", "here.x + 1.0 < end"},
        {"count * here.x + d", "count * here.x"},
        {"uint(k) * LANES]", "uint(k) * LANES + 1u]"}, /* another lane's value */
        {".y * lane", ".y"},                           /* the same column in all lanes */
        {"column[at * int(LANES) + lane]", "column[at * int(LANES)]"},
        {"at += uint(ROUND) * LANES", "at += LANES"},
        {"from += ROUND", "from += 1"},
        {"from + k, lane", "from, lane"},
        {"left > 0; left--", "left > 1; left--"}, /* the last slot left out */
        {"s.z + lane", "s.z + lane + 1"},
        {"~s.z * int(LANES) + lane", "~s.z * int(LANES) + lane + 1"},
        {"lane_sum[me] += lane_sum[me + apart]", "lane_sum[me] += 0.0"},
        {"floatBitsToUint(lane_sum[me])", "0u"},
        {"LANES < uint(more.y) ?", "LANES + 1u < uint(more.y) ?"}, /* a piece left out */
        {"number < first", "number <= first"},
        {"part[more.x] = 0u;", ""}, /* the next step's pieces never end */
        {"y[s.z] = ", "y[s.z + 1] = "},
    };
    const int made = mutants_tally.made;
    (void)number;
    for (int i = 0; i < COUNT(places); i++)
        mutants_replace(victim, places[i][0], places[i][1]);
    assert_true(mutants_tally.made >= made + 2);
}

CLEAN_TEST(wrong_places_are_noticed)
{
    visit(state, strike_places);
    assert_true(mutants_tally.made >= 34);
}

static void accept(struct victim *victim, int number)
{
    struct qp_result result = mutants_walk(victim, 2);
    (void)number;
    assert_int_equal(result.verdict, QP_PASS);
}

CLEAN_TEST(unharmed_copies_pass)
{
    visit(state, accept);
}

static int set_up(void **state)
{
    struct qp_problem_desc desc = {.op = "spmv", .width = 13, .height = 10, .seed = 3};
    assert_ok(qp_problem_create(&desc, &bands));
    desc.kind = "empty_rows";
    assert_ok(qp_problem_create(&desc, &slices));
    desc.kind = "full_row"; /* 2440 entries: three parts; and sums in two lines */
    desc.width = 61;
    desc.height = 40;
    assert_ok(qp_problem_create(&desc, &parts));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&bands);
    qp_problem_destroy(&slices);
    qp_problem_destroy(&parts);
    return mutants_tear_down(state);
}

CLEAN_TEST(unharmed_copies_pass_again)
{
    unharmed_copies_pass(state);
}

GROUP(set_up, tear_down)
