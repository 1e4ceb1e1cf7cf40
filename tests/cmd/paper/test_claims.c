/* SPDX-License-Identifier: MIT */
/* The list of the papers' claims: grammar, variants, and the papers' own ratios. */
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/paper/papers.h"

#define LIST QP_SOURCE_DIR "/docs/papers/claims.csv"
#define HEAD "paper,place,claim,theirs,ours,against,sizes"

enum { PAPER, PLACE, CLAIM, THEIRS, OURS, AGAINST, SIZES, FIELDS };
enum { PAPERS = 5, MOST_CLAIMS = 200, LONGEST = 110 };

struct claim {
    char *cell[FIELDS];
};

/* Claims of a text, which is cut up, with the first fault of each line. */
static struct claim claims[MOST_CLAIMS];
static int count;

/* ---- Ratios of the papers ---- */

/* A figure of the files paper*.csv as "LINE COLUMN" or "LINE LINE COLUMN": words that begin the
 * line, and the head of the column. */
static double figure(const char *file, const char *words)
{
    char copy[96], *cell[3];
    struct paper_table table;
    assert_true(strlen(words) < sizeof copy);
    strcpy(copy, words);
    const int cells = paper_cut(copy, " ", cell, 3);
    assert_true(cells == 2 || cells == 3);
    assert_ok(paper_read(file, &table));
    return paper_number(&table, paper_line(&table, cell[0], cells == 3 ? cell[1] : NULL),
                        cell[cells - 1]);
}

/* Ratios that claims have, by their variants, from ratios.csv. `how` says what two figures make of
 * them: '/' the same quotient, '*' their product, '%' a gain in percent, '=' the first figure
 * itself, and 't' that only the paper's text has it. */
enum { R_OURS, R_AGAINST, HOW, FILE_NAME, ABOVE, BELOW, RATIO_FIELDS, MOST_RATIOS = 64 };
static char *ratios[MOST_RATIOS][RATIO_FIELDS];
static int ratio_count;
static char *ratio_text;

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = slurp(file);
    fclose(file);
    return text;
}

static int read_ratios(void **state)
{
    (void)state;
    char *rest = ratio_text = read_text(QP_SOURCE_DIR "/tests/cmd/paper/ratios.csv");
    strsep(&rest, "\n");
    for (char *row; (row = strsep(&rest, "\n")) != NULL && rest != NULL; ratio_count++) {
        assert_true(ratio_count < MOST_RATIOS);
        assert_int_equal(paper_cut(row, ",", ratios[ratio_count], RATIO_FIELDS), RATIO_FIELDS);
    }
    return 0;
}

static int free_ratios(void **state)
{
    (void)state;
    free(ratio_text);
    return 0;
}

GROUP(read_ratios, free_ratios)

/* A ratio as it is written: a number, or a quotient of two; false if it is neither. */
static bool read_ratio(const char *text, double *above, double *below)
{
    char *end;
    *below = 1.0;
    *above = strtod(text, &end);
    if (end != text && *end == '/') {
        text = end + 1;
        *below = strtod(text, &end);
    }
    return end != text && *end == '\0' && *above > 0.0 && *below > 0.0;
}

static bool figures_say(char *const row[], double above, double below)
{
    const char how = row[HOW][0];
    if (how == 't')
        return true;
    const double first = figure(row[FILE_NAME], row[ABOVE]);
    const double second = row[BELOW][0] != '\0' ? figure(row[FILE_NAME], row[BELOW]) : 1.0;
    switch (how) {
    case '/':
        return above == first && below == second;
    case '*':
        return below == 1.0 && fabs(above - first * second) < 1e-9;
    case '%':
        return below == 1.0 && fabs(above - (1.0 + first / 100.0)) < 1e-9;
    default:
        return how == '=' && below == 1.0 && above == first;
    }
}

/* A claim that one is faster has a ratio above 1, one that both are alike a ratio from 0.97 to
 * 1.03, and both have the figures of the files. */
static const char *ratio_fault(const struct claim *claim)
{
    int row = 0;
    double above, below;
    while (row < ratio_count && (strcmp(ratios[row][R_OURS], claim->cell[OURS]) != 0 ||
                                 strcmp(ratios[row][R_AGAINST], claim->cell[AGAINST]) != 0))
        row++;
    if (claim->cell[THEIRS][0] == '\0')
        return row < ratio_count ? "the paper has a ratio" : NULL;
    if (!read_ratio(claim->cell[THEIRS], &above, &below))
        return "theirs is no ratio";
    if (row == ratio_count)
        return "this test does not know the ratio's figures";
    const double ratio = above / below;
    if (claim->cell[OURS][0] == '=' ? ratio < 0.97 || ratio > 1.03 : ratio <= 1.0)
        return "theirs does not say so";
    return figures_say(ratios[row], above, below) ? NULL : "theirs is not what the figures say";
}

/* ---- Variants, and what they are measured on ---- */

/* A side: a variant, and the kind of its problem where it names one. A variant of a library that
 * is not linked here takes none. */
struct side {
    const struct qp_variant *variant;
    char kind[32];
};

static const char *read_side(const char *text, struct side *side)
{
    char copy[128], *cell[3], *end;
    snprintf(copy, sizeof copy, "%s", text + (text[0] == '='));
    const int cells = paper_cut(copy, " ", cell, 3);
    *side = (struct side){.variant = qp_variant_find(cell[0])};
    if (side->variant == NULL || strchr(cell[0], '/') == NULL)
        return "no such variant";
    if (cells > 3)
        return "more than a variant, a kind and a parameter";
    snprintf(side->kind, sizeof side->kind, "%s", cell[1]);
    if (cells == 1)
        return NULL;
    struct qp_problem_desc desc = {.op = side->variant->op, .kind = cell[1], .width = 12};
    desc.height = desc.width;
    desc.parameter = (int)strtol(cell[2], &end, 10);
    struct qp_problem problem;
    if ((cells == 3 && end == cell[2]) || *end != '\0' || desc.parameter < 0 ||
        qp_problem_create(&desc, &problem) != QP_OK)
        return "no such kind or parameter";
    const bool same = problem.parameter == desc.parameter;
    const bool takes = qp_variant_library(side->variant) != NULL ||
                       qp_variant_takes(side->variant, &problem) == QP_OK;
    qp_problem_destroy(&problem);
    return !takes ? "the variant does not take it" : same ? NULL : "another parameter";
}

/* Both are of one operation and of one kind of problems; neither is the judge of all. What is said
 * of OpenGL or of a processor is measured there, and the papers' ratios are not of it. */
static const char *sides_fault(const struct claim *claim)
{
    struct side ours, against;
    const char *fault = read_side(claim->cell[OURS], &ours);
    if (fault == NULL)
        fault = read_side(claim->cell[AGAINST], &against);
    if (fault != NULL)
        return fault;
    if (strcmp(claim->cell[OURS] + (claim->cell[OURS][0] == '='), claim->cell[AGAINST]) == 0)
        return "both sides are the same";
    if (strcmp(ours.variant->op, against.variant->op) != 0)
        return "two operations";
    if (strcmp(ours.kind, against.kind) != 0)
        return "two kinds of problems";
    if (strstr(ours.variant->name, "reference") != NULL ||
        strstr(against.variant->name, "reference") != NULL)
        return "the reference is no opponent";
    const char *words = claim->cell[CLAIM];
    const bool opengl = strstr(words, "in OpenGL") != NULL;
    const bool processor = strstr(words, "on a processor") != NULL;
    if (opengl && (ours.variant->backend != QP_GL || claim->cell[THEIRS][0] != '\0'))
        return "not of OpenGL";
    if (processor && (ours.variant->backend != QP_CPU || against.variant->backend != QP_CPU))
        return "not of a processor";
    return NULL;
}

/* ---- Words and sizes ---- */

static const char *words_fault(const struct claim *claim)
{
    const char *place = claim->cell[PLACE], *words = claim->cell[CLAIM];
    if (place[0] == '\0')
        return "no place";
    if (claim->cell[PAPER][0] == '4' && (strncmp(place, "slide ", 6) != 0 || atoi(place + 6) < 1))
        return "no slide";
    if (strlen(words) > LONGEST || words[0] == '\0' ||
        ispunct((unsigned char)words[strlen(words) - 1]))
        return "not one short sentence without its dot";
    const bool alike = claim->cell[OURS][0] == '=';
    if (strstr(words, alike ? "as fast " : "faster") == NULL)
        return "the sentence says something else";
    return NULL;
}

/* Widths, ranges A-B and A-, with a blank between two. */
static const char *sizes_fault(const struct claim *claim)
{
    for (const char *at = claim->cell[SIZES]; *at != '\0';) {
        char *end;
        const long first = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : 0;
        if (first <= 0)
            return "no size";
        if (*end == '-' && isdigit((unsigned char)end[1])) {
            if (strtol(end + 1, &end, 10) <= first)
                return "no range";
        } else if (*end == '-') {
            end++;
        }
        if (*end != '\0' && (*end != ' ' || end[1] == '\0'))
            return "no size";
        at = end + (*end == ' ');
    }
    return NULL;
}

static const char *claim_fault(const struct claim *claim)
{
    static const char *(*const checks[])(const struct claim *) = {words_fault, sides_fault,
                                                                  ratio_fault, sizes_fault};
    for (int i = 0; i < COUNT(checks); i++) {
        const char *fault = checks[i](claim);
        if (fault != NULL)
            return fault;
    }
    for (const struct claim *other = claims; other < claim; other++) {
        if (strcmp(other->cell[CLAIM], claim->cell[CLAIM]) == 0)
            return "the sentence is there already";
        if (strcmp(other->cell[OURS], claim->cell[OURS]) == 0 &&
            strcmp(other->cell[AGAINST], claim->cell[AGAINST]) == 0)
            return "the variants are there already";
    }
    return NULL;
}

/* Reads all claims of a text; NULL, or the first fault, with the number of the line in *line. */
static const char *list_fault(char *text, int *line)
{
    char *rest = text, *row = strsep(&rest, "\n");
    count = 0;
    *line = 1;
    if (row == NULL || strcmp(row, HEAD) != 0)
        return "another head";
    while ((row = strsep(&rest, "\n")) != NULL && rest != NULL) {
        ++*line;
        if (count == MOST_CLAIMS)
            return "too many claims";
        struct claim *claim = &claims[count];
        if (strchr(row, '"') != NULL)
            return "a quotation mark";
        if (paper_cut(row, ",", claim->cell, FIELDS) != FIELDS)
            return "not seven fields";
        const char *paper = claim->cell[PAPER];
        if (paper[0] < '1' || paper[0] > '0' + PAPERS || paper[1] != '\0')
            return "no paper";
        if (count > 0 && paper[0] < claims[count - 1].cell[PAPER][0])
            return "a paper out of order";
        const char *fault = claim_fault(claim);
        if (fault != NULL)
            return fault;
        count++;
    }
    return row != NULL && row[0] != '\0' ? "a last line without its end" : NULL;
}

/* ---- Tests ---- */

/* Every ratio of ratios.csv is some claim's, and each paper has five claims at least. */
TEST(claims_are_sound)
{
    int of_paper[PAPERS] = {0}, with_ratio = 0, line;
    char *text = read_text(LIST);
    const char *fault = list_fault(text, &line);
    if (fault != NULL)
        fail_msg("docs/papers/claims.csv:%d: %s", line, fault);
    for (int i = 0; i < count; i++) {
        of_paper[claims[i].cell[PAPER][0] - '1']++;
        with_ratio += claims[i].cell[THEIRS][0] != '\0';
    }
    for (int i = 0; i < PAPERS; i++)
        assert_true(of_paper[i] >= 5);
    assert_true(count >= 40);
    assert_int_equal(with_ratio, ratio_count);
    free(text);
}

/* Machines without CUDA have claims of every paper. */
TEST(claims_are_judged_without_cuda)
{
    int of_paper[PAPERS] = {0}, line;
    char *text = read_text(LIST);
    assert_null(list_fault(text, &line));
    for (int i = 0; i < count; i++) {
        struct side ours, against;
        assert_null(read_side(claims[i].cell[OURS], &ours));
        assert_null(read_side(claims[i].cell[AGAINST], &against));
        of_paper[claims[i].cell[PAPER][0] - '1'] +=
            ours.variant->backend != QP_CUDA && against.variant->backend != QP_CUDA;
    }
    for (int i = 0; i < PAPERS; i++)
        assert_true(of_paper[i] >= 5);
    free(text);
}

/* Faults made on purpose: the first place of some words gets others. */
TEST(faults_of_claims_are_named)
{
    static const struct {
        const char *from, *to, *fault;
    } cases[] = {
        {"sizes\n", "size\n", "another head"},
        {"1,SIMD section,a product", "1,a product", "not seven fields"},
        {"1,SIMD section,a product", "1,SIMD, section,a product", "not seven fields"},
        {"1,SIMD section,a product", "6,SIMD section,a product", "no paper"},
        {"1,SIMD section,a product", "12,SIMD section,a product", "no paper"},
        {"3,section 4,", "1,section 4,", "a paper out of order"},
        {"3,section 4,", "3,,", "no place"},
        {"4,slide 3,", "4,page 3,", "no slide"},
        {"is faster than a division,,", "is as good as a division,,",
         "the sentence says something"},
        {"is faster than a division,,", "is faster than a division.,,", "not one short sentence"},
        {"about as fast as two buffers", "faster than two buffers", "the sentence says something"},
        {"with four systems in RGBA a product is", "a product with the inverse of the diagonal is",
         "the sentence is there already"},
        {"jacobi9/blas", "jacobi9/blast", "no such variant"},
        {"jacobi9/blas", "blas", "no such variant"},
        {"jacobi9/blas", "poisson5/rgba", "two operations"},
        {"jacobi9/blas", "jacobi9/bands_cpu", "both sides are the same"},
        {"jacobi9/blas,jacobi9/bands_cpu", "jacobi9/blas,jacobi9/reference", "no opponent"},
        {"jacobi9/blas", "jacobi9/rgba", "not of a processor"},
        {"jacobi9/blas", "jacobi9/blas random x", "no such kind or parameter"},
        {"access/fetch_offset offset 0", "access/cuda_simple offset 0", "not of OpenGL"},
        {"divergent 2", "convergent 2", "two kinds of problems"},
        {"divergent 2", "divergent 64", "no such kind or parameter"},
        {"divergent 2", "divergent 0", "another parameter"},
        {"divergent 2", "divergence 2", "no such kind or parameter"},
        {"divergent 2", "divergent 2 3", "more than a variant"},
        {"cuda_branches divergent 1", "cuda_shifts divergent 1", "the variant does not take it"},
        {"1363/632", "1363/632x", "theirs is no ratio"},
        {"1363/632", "1363//632", "theirs is no ratio"},
        {"1363/632", "632/1363", "theirs does not say so"},
        {"1363/632", "1364/632", "theirs is not what the figures say"},
        {"1363/632", "", "the paper has a ratio"},
        {"57.840/57.830", "57.840/47.184", "theirs does not say so"},
        {",17.6,", ",17.7,", "theirs is not what the figures say"},
        {",1.08,", ",1.09,", "theirs is not what the figures say"},
        {",2.21,", ",2.22,", "theirs is not what the figures say"},
        {"jacobi9/inverse,jacobi9/bands,", "jacobi9/blas,jacobi9/bands_cpu,", "variants are there"},
        {"than a division,,jacobi9/inverse", "than a division,2,jacobi9/inverse",
         "does not know the ratio's figures"},
        {"1500-\n", "1500-1000\n", "no range"},
        {"1500-\n", "-1500\n", "no size"},
        {"512 513\n", "512  513\n", "no size"},
        {"512 513\n", "512 wide\n", "no size"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        int line;
        char *text = read_text(LIST), *at = strstr(text, cases[i].from);
        if (at == NULL)
            fail_msg("claims.csv has no '%s'", cases[i].from);
        char *spoiled = malloc(strlen(text) + strlen(cases[i].to) + 1);
        assert_non_null(spoiled);
        sprintf(spoiled, "%.*s%s%s", (int)(at - text), text, cases[i].to,
                at + strlen(cases[i].from));
        const char *fault = list_fault(spoiled, &line);
        if (fault == NULL || strstr(fault, cases[i].fault) == NULL)
            fail_msg("'%s' for '%s': %s", cases[i].to, cases[i].from,
                     fault != NULL ? fault : "no fault");
        free(spoiled);
        free(text);
    }
}
