/* SPDX-License-Identifier: MIT */
/* The house rules, read off the files themselves: no OpenGL is needed here. */
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/engines/engines.h"
#include "lab/engines/shared.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/ops/table.h"
#include "lab/plan/engine.h"
#include "tools/cmd/cmd.h"

static void check_row(const struct qp_variant *variant)
{
    const char *name = variant->name + strlen(variant->op) + 1;
    assert_true(strncmp(variant->name, variant->op, strlen(variant->op)) == 0 && name[-1] == '/');
    assert_int_equal(name[strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789")], '\0');
    assert_ptr_equal(qp_variant_find(variant->name), variant);
    assert_non_null(qp_variant_find(name));
    assert_string_equal(strchr(qp_variant_find(name)->name, '/') + 1, name);
    assert_true(variant->layout[0] && variant->place[0] && variant->sentence[0] &&
                variant->recipe != NULL);
    assert_true(variant->backend < QP_BACKENDS && qp_op_find(variant->op) != NULL);
}

/* Unique, whole, found by both names, no more than the command has room for; the contract's are
 * there, and wrong ones find nothing. */
TEST(names)
{
    static const char *const wrong[] = {"",     "/", "jacobi9", "jacobi9/", "jacobi9/luminanc",
                                        " rgba"};
    assert_true(qp_variant_count() >= 12 && qp_variant_count() <= MOST_VARIANTS);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        check_row(qp_variant_at(i));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(qp_variant_at(k)->name, qp_variant_at(i)->name);
    }
    assert_null(qp_variant_at(qp_variant_count()));
    assert_ptr_equal(qp_variant_find("jacobi9/openmp"), qp_variant_find("openmp"));
    assert_non_null(qp_variant_find("jacobi9/amorim_cpu"));
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_null(qp_variant_find(wrong[i]));
}

/* Kinds are whole rows with names of their own, as many as recipes count; their lines fit 100
 * columns. */
TEST(kinds)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_op *op = qp_op_find(qp_variant_at(i)->op);
        int count = 0, benched = 0, sweep;
        for (const struct qp_kind *kind = op->kinds; kind->name != NULL; kind++) {
            const struct qp_range *range = &kind->range;
            assert_int_equal(qp_op_kind(op, kind->name), count++);
            assert_true(strlen(kind->name) <= 11 && kind->what[0] && strlen(kind->what) <= 84);
            assert_true(kind->inputs >= QP_NO_INPUTS && kind->inputs <= QP_INPUTS);
            assert_in_range(range->usual, range->least, range->most);
            sweep = range->what != NULL ? range->sweep[qp_kind_sweep(kind) - 1] : range->most;
            assert_in_range(sweep, range->least, range->most);
            benched += kind->benched;
        }
        assert_true(benched <= 1 && count > 0);
        if (qp_variant_at(i)->recipe->not_kinds >> count != 0)
            fail_msg("%s: a row is missing before the last kind", op->name);
    }
}

/* Again and again a pattern, what it matches and what not. */
TEST(patterns)
{
    const char *cases = "jacobi9/rgba* rgba_abreast luminance *rgba* rgba generic ? - bands "
                        "rgba rgba rgba_abreast jacobi9/openmp openmp bands_cpu jacobi9 openmp - "
                        "bands?cpu bands_cpu bands [gi]* inverse bands jacobi9/* vertex -";
    char word[3][32];
    for (int length; sscanf(cases, "%31s %31s %31s%n", word[0], word[1], word[2], &length) == 3;
         cases += length) {
        for (int k = 1; k <= 2; k++) {
            const struct qp_variant *variant = qp_variant_find(word[k]);
            if (variant != NULL ? qp_variant_matches(variant, word[0]) != (k == 1)
                                : word[k][0] != '-')
                fail_msg("'%s' and %s", word[0], word[k]);
        }
    }
    assert_int_equal(cases[0], '\0');
}

enum { SHADERS = 2 * QP_DRAWS + 3 * QP_REDUCTIONS };

/* The k-th shader of a variant, vertex shaders after fragment shaders, or of its way up a pyramid;
 * NULL for none. */
static const char *shader_of(size_t row, size_t k)
{
    const struct qp_recipe *recipe = qp_variant_at(row)->recipe;
    const struct qp_draw *draw = &recipe->draw[k % QP_DRAWS];
    if (k < QP_DRAWS)
        return draw->compute != NULL ? draw->compute : draw->fragment;
    if (k < 2 * QP_DRAWS)
        return draw->vertex;
    k -= 2 * QP_DRAWS;
    const struct qp_climb *climb = qp_reduce_climb(recipe);
    if (climb == NULL)
        return NULL;
    return k / QP_REDUCTIONS < 2 ? climb->first[k / QP_REDUCTIONS][k % QP_REDUCTIONS]
                                 : climb->next[k % QP_REDUCTIONS];
}

static bool has_shader(size_t row)
{
    size_t k = 0;
    while (k < SHADERS && shader_of(row, k) == NULL)
        k++;
    return k < SHADERS;
}

static bool is_named_by_row(const char *name)
{
    for (size_t k = 0; k < SHADERS * qp_variant_count(); k++) {
        const char *shader = shader_of(k / SHADERS, k % SHADERS);
        if (shader != NULL && strcmp(shader, name) == 0)
            return true;
    }
    return false;
}

/* Checks that a variant uses it, or an engine or the tools: then its name is in the source. */
static void shader_is_used(const char *path, const char *text)
{
    char command[256], *output;
    const char *name = path + strlen("shaders/");
    /* In the short form, or parts of it. */
    const bool krylov = strncmp(name, "krylov/", 7) == 0 || strncmp(name, "sparse/", 7) == 0 ||
                        strncmp(name, "proof/", 6) == 0;
    const bool toolkit = strncmp(name, "toolkit/", 8) == 0; /* whole, or in the short form */
    bool tool = strncmp(name, "probe/", 6) == 0 || strncmp(name, "gauss_jordan", 12) == 0 ||
                strncmp(name, "transfer/", 9) == 0 || strncmp(name, "reduce/change", 13) == 0 ||
                strncmp(name, "reduce/row_", 11) == 0 || toolkit || krylov;
    snprintf(command, sizeof command, "cd src && grep -rqF '\"%s\"' toolkit lab", name);
    bool named = run_for(command, &output) == 0;
    bool whole = strstr(text, "void main()") != NULL ||
                 ((toolkit || krylov) && strstr(text, " kernel(vec2 here)\n") != NULL) ||
                 (toolkit && (strstr(text, " map(vec2 here)\n") != NULL ||
                              strstr(text, "\nvec4 total()\n") != NULL)) ||
                 ((toolkit || krylov) && strstr(text, "\nvec4 map(vec2 at)\n") != NULL);
    if (!(tool ? named : is_named_by_row(name)) || !whole)
        fault("%s is no whole shader, or nothing uses it\n", path);
    free(output);
}

TEST(shaders)
{
    each_file("shaders/*/*", 18, shader_is_used);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const struct qp_recipe *recipe = variant->recipe;
        bool listed = recipe->engine == NULL || recipe->engine->uses == NULL ||
                      qp_reduce_climb(recipe) != NULL;
        enum qp_sharing sharing = qp_sharing_of(recipe);
        bool shared = sharing == QP_SHARE_HALVES || sharing == QP_SHARE_ALTERNATE;
        if (recipe->engine != &qp_engine_parts) /* which runs other variants, and their shaders */
            assert_int_equal((variant->backend == QP_GL && listed) || shared, has_shader(i));
        for (size_t k = 0; k < SHADERS; k++) {
            char path[256];
            snprintf(path, sizeof path, "shaders/%s", shader_of(i, k) ? shader_of(i, k) : "");
            if (access(path, R_OK) != 0)
                fail_msg("%s names %s, which is not there", variant->name, path);
        }
    }
}

/* Reports lines of C and CUDA above 100 characters, but for those that clang-format leaves
 * alone. */
static void lines_are_short(const char *path, const char *text)
{
    const char *ending = strrchr(path, '.');
    bool held = strcmp(ending, ".def") != 0 && strncmp(path, "shaders/", 8) != 0;
    int line = 1, width = 0;
    for (const char *at = text; held && *at != '\0'; at++) {
        if (strncmp(at, "/* clang-format o", 17) == 0) {
            const char *on = at[18] == 'f' ? strstr(at, "/* clang-format on") : NULL;
            for (; on != NULL && at < on; at++)
                line += *at == '\n';
            width = 0;
        }
        width += (*at & 0xC0) != 0x80; /* UTF-8: not a later byte of a character */
        if (*at != '\n')
            continue;
        if (width > 101)
            fault("%s:%d: %d characters, more than 100\n", path, line, width - 1);
        line++;
        width = 0;
    }
}

/* Most lines of a file: sources of src have room for one theme whole, all others have less. */
static int most_lines(const char *path)
{
    const char *ending = strrchr(path, '.');
    const bool source = strcmp(ending, ".c") == 0 || strcmp(ending, ".cu") == 0;
    return source && strncmp(path, "src/", 4) == 0 ? 600 : 400;
}

/* Reports functions of more than 60 lines between their braces, which stand in column one. */
static void functions_are_short(const char *path, const char *text)
{
    int line = 1, begin = 0;
    for (const char *at = text; *at != '\0'; at += *at == '\n') {
        if (*at == '{')
            begin = line;
        if (*at == '}' && begin > 0 && line - begin - 1 > 60)
            fault("%s:%d: a function of %d lines, more than 60\n", path, begin, line - begin - 1);
        if (*at == '}')
            begin = 0;
        at += strcspn(at, "\n");
        line++;
    }
}

static void file_is_neat(const char *path, const char *text)
{
    int lines = 0;
    bool shader = strncmp(path, "shaders/", 8) == 0; /* begins with its #version */
    const char *second = text + strcspn(text, "\n"),
               *mark = strstr(text, "SPDX-License-Identifier: MIT");
    if (mark == NULL || mark > (shader ? second + 4 : second))
        fault("%s does not begin with its licence\n", path);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (lines > most_lines(path))
        fault("%s has %d lines, more than %d\n", path, lines, most_lines(path));
    lines_are_short(path, text);
    if (strncmp(path, "src/", 4) == 0)
        functions_are_short(path, text);
}

TEST(files_are_neat)
{
    each_file("{src/*/{*,*/*,*/*/*}/*.*,include/*/*,shaders/*/*,tests/*/*.[ch],tests/*/*/"
              "*.[ch],demos/*.[ch],headless/*}",
              80, file_is_neat);
    char wide[] = "/* clang-format off */\n%0105d\n/* clang-format on */\n%0101d\n/* %094d */\n"
                  "/* a\n * %098d */\n",
         text[600];
    snprintf(text, sizeof text, wide, 1, 1, 1, 1);
    lines_are_short("src/x/x.c", text); /* the number and the last comment */
    assert_int_equal(faults, 2);
}

/* Fills a text with its licence and as many empty lines as make `lines`. */
static const char *empty_lines(char text[1024], int lines)
{
    const int licence = sprintf(text, "/* SPDX-License-Identifier: MIT */\n");
    memset(text + licence, '\n', (size_t)lines - 1);
    text[licence + lines - 1] = '\0';
    return text;
}

/* Sizes at the limit pass, and one line more is a fault. */
TEST(sizes_are_limited)
{
    static const char *const larger[] = {"src/x/x.c", "src/x/x.cu"};
    static const char *const smaller[] = {"src/x/x.h", "src/x/x.cuh", "tests/x/x.c", "demos/x.c"};
    char text[1024];
    faults = 0;
    for (size_t i = 0; i < COUNT(larger); i++) {
        file_is_neat(larger[i], empty_lines(text, 600));
        file_is_neat(larger[i], empty_lines(text, 601));
    }
    for (size_t i = 0; i < COUNT(smaller); i++) {
        file_is_neat(smaller[i], empty_lines(text, 400));
        file_is_neat(smaller[i], empty_lines(text, 401));
    }
    assert_int_equal(faults, COUNT(larger) + COUNT(smaller));
    faults = 0;
    for (int lines = 60; lines <= 61; lines++) {
        snprintf(text, sizeof text, "void f(void)\n{%0*d}\n", lines + 1, 0);
        memset(strchr(text, '{') + 1, '\n', (size_t)lines + 1);
        functions_are_short("src/x/x.c", text);
    }
    assert_int_equal(faults, 1);
}

/* The library neither prints nor ends the program; the one printf it may use is into memory. */
static void library_is_quiet(const char *path, const char *text)
{
    regex_t loud;
    regmatch_t at;
    if (strstr(path, "lab/baseline/mpi.c") != NULL || strstr(path, "lab/baseline/stall.c") != NULL)
        return; /* processes that wait for each other are ended, with a sentence */
    static const char words[] =
        "(^|[^_[:alnum:]])((v?printf|puts|putchar|perror|_?exit|_Exit|quick_exit|abort|assert) *\\("
        "|stderr)";
    assert_int_equal(regcomp(&loud, words, REG_EXTENDED), 0);
    if (regexec(&loud, text, 1, &at, 0) == 0)
        fault("%s: '%.*s'\n", path, (int)(at.rm_eo - at.rm_so - 1), text + at.rm_so + 1);
    regfree(&loud);
}

TEST(quiet)
{
    each_file("src/{toolkit/{*,*/*},lab/{*,*/*,*/*/*},tools/{stencil,tune}}/*.*", 200,
              library_is_quiet);
    library_is_quiet("src/x/x.c", "{\n    fprintf(stderr, 1);");
    library_is_quiet("src/x/x.c", "{ exit (1); }");
    library_is_quiet("src/x/x.c", "snprintf(a, 1, 2); fprintf(file, 3); atexit(f);");
    assert_int_equal(faults, 2);
}

/* No word of it is an operation's name, also within a name such as qp_op_reduce. */
static void operations_are_not_named(const char *path, const char *text)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const char *op = qp_variant_at(i)->op;
        if (i > 0 && strcmp(op, qp_variant_at(i - 1)->op) == 0)
            continue;
        for (const char *at = text; (at = strstr(at, op)) != NULL; at++) {
            if (!isalnum(at[-1]) && !isalnum(at[strlen(op)]))
                fault("%s names %s; src/lab/solve/solvers.h tells who solves what\n", path, op);
        }
    }
}

/* Commands that solve ask the table of solvers. */
TEST(solvers_are_asked_for)
{
    each_file("{src/tools/cmd/solve/*.*,src/tools/cmd/accuracy.c}", 11, operations_are_not_named);
    operations_are_not_named("src/x/x.c", " strcmp(op, \"jacobi9\") == 0 || op == &qp_op_reduce;");
    operations_are_not_named("src/x/x.c", " it accesses what transfers; jacobi90, Reduce");
    assert_int_equal(faults, 2);
}

static char compiler[256]; /* and its options; it is given the headers one by one */
static void header_compiles(const char *path, const char *text)
{
    char command[1024], *output;
    (void)text;
    snprintf(command, sizeof command,
             "%s -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude %s 2>&1", compiler, path);
    if (run_for(command, &output) != 0)
        fault("%s: %s\n", command, output);
    free(output);
}

static void choose_compiler(const char *named, const char *otherwise, const char *options)
{
    char command[300], *output;
    snprintf(compiler, sizeof compiler, "%s %s", named && named[0] ? named : otherwise, options);
    snprintf(command, sizeof command, "%s -E /dev/null 2>&1", compiler);
    if (run_for(command, &output) != 0) {
        print_message("SKIP: no '%s' here: %s", compiler, output);
        skip();
    }
    free(output);
}

TEST(headers_in_c)
{
    choose_compiler(getenv("CC"), "cc", "-std=c11 -x c");
    each_file("include/quadpass/*.h", 10, header_compiles);
}

TEST(headers_in_cpp)
{
    choose_compiler(getenv("CXX"), "c++", "-std=c++17 -x c++");
    each_file("include/quadpass/*.h", 10, header_compiles);
}

static FILE *together;
static void include_header(const char *path, const char *text)
{
    (void)text;
    fprintf(together, "#include \"%s\"\n", path);
}

/* No name is in two of the library's own headers: one file includes them all. */
TEST(headers_together)
{
    static const char path[] = QP_BUILD_DIR "/tests/together.h";
    choose_compiler(getenv("CC"), "cc", "-std=c11 -D_GNU_SOURCE -I. -Isrc -x c");
    together = fopen(path, "w");
    assert_non_null(together);
    each_file("src/*/{*,*/*,*/*/*}/*.h", 80, include_header);
    fputs("enum { together };\n", together);
    fflush(together);
    header_compiles(path, NULL);
    assert_int_equal(faults, 0);
    fputs("enum { together = QP_SURFACES };\n", together);
    fclose(together);
    header_compiles(path, NULL);
    assert_int_equal(faults, 1);
}
