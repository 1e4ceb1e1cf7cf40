/* SPDX-License-Identifier: MIT */
/* The documentation: what pages say of variants and files is so, and public functions say all that
 * they must. */
#include "support/drawings.h"
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/quadpass.h>

/* Every variant has a line in the table of variants. */
static void rows_are_listed(const char *path, const char *page)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        char cell[128];
        snprintf(cell, sizeof cell, "\n| `%s` |", qp_variant_at(i)->name);
        if (strstr(page, cell) == NULL)
            fault("%s: no row for %s\n", path, qp_variant_at(i)->name);
    }
}

/* The README's table has a line for each operation. */
static void operations_are_listed(const char *path, const char *readme)
{
    const char *before = "";
    for (size_t i = 0; i < qp_variant_count(); before = qp_variant_at(i++)->op) {
        char cell[128];
        snprintf(cell, sizeof cell, "\n| [`%s`](", qp_variant_at(i)->op);
        if (strcmp(before, qp_variant_at(i)->op) != 0 && strstr(readme, cell) == NULL)
            fault("%s: no line for %s\n", path, qp_variant_at(i)->op);
    }
}

TEST(tables_are_whole)
{
    each_file("docs/variants.md", 1, rows_are_listed);
    each_file("README.md", 1, operations_are_listed);
}

/* Pages have the output of commands as they print it today. The walk of docs/tour-walk.md
 * has an error, which differs between devices. */
TEST(pages_are_fresh)
{
    static const char stale[] =
        "cd " QP_BUILD_DIR "/tests && sed 's/nine values of a row/stale/' " QP_SOURCE_DIR
        "/docs/variants.md >stale.md && cd " QP_SOURCE_DIR " && tools/docs.sh --check " QP_BUILD_DIR
        " " QP_BUILD_DIR "/tests/stale.md 2>&1";
    static const char stale_drawing[] =
        "cd " QP_BUILD_DIR "/tests && PATH=" QP_BUILD_DIR
        ":$PATH && echo >stale.svg && CHECK=1 " QP_SOURCE_DIR
        "/tools/drawing.sh stale.svg quadpass draw layout -o - 2>&1";
    char *said;
    bool gl = run_for(QP_BUILD_DIR "/quadpass info 2>&1", &said) == 0;
    free(said);
    if (!gl && !support_is_required("gl"))
        skip(); /* some pages show a walk */
    int code = run_for("cd " QP_SOURCE_DIR " && tools/docs.sh --check " QP_BUILD_DIR
                       " README.md man/quadpass.1 man/libquadpass.3 docs/*.md docs/papers/*.md "
                       "docs/measurements/*.md docs/exercises/*.md docs/exercises/*/*.md 2>&1",
                       &said);
    if (code != 0)
        print_error("%s", said);
    free(said);
    assert_int_equal(code, 0);
    assert_int_equal(run_for(stale, &said), 1);
    assert_non_null(strstr(said, "stale.md is stale: make docs"));
    free(said);
    assert_int_equal(run_for(stale_drawing, &said), 1);
    assert_non_null(strstr(said, "stale.svg is stale: make docs"));
    free(said);
}

/* True for a path with a place holder in it, such as <op>. */
static bool is_a_form(const char *path)
{
    return strpbrk(path, "<NX") != NULL || strstr(path, "...") != NULL;
}

/* Files that a page names in backticks, by their path from the root, are there; patterns match
 * some. */
static void named_files_exist(const char *page, const char *text)
{
    static const char *const folders[] = {"src/",  "tests/",    "shaders/", "include/",
                                          "docs/", "demos/",    "tools/",   "data/",
                                          "man/",  "headless/", "python/"};
    for (const char *at = text; (at = strchr(at, '`')) != NULL; at++) {
        for (int k = 0; k < COUNT(folders); k++) {
            char path[256];
            glob_t found;
            if (strncmp(at + 1, folders[k], strlen(folders[k])) != 0)
                continue;
            snprintf(path, sizeof path, "%.*s", (int)strcspn(at + 1, "` \n:("), at + 1);
            if (is_a_form(path))
                continue;
            if (glob(path, GLOB_BRACE, NULL, &found) != 0)
                fault("%s names %s, which is not there\n", page, path);
            globfree(&found);
        }
    }
}

/* Writes the anchor that hosts of Markdown make of a heading: small letters, - for a blank. */
static void make_anchor(const char *line, char *anchor, size_t size)
{
    size_t length = 0;
    for (line += strspn(line, "# "); *line != '\n' && *line != '\0' && length + 1 < size; line++)
        if (*line == ' ')
            anchor[length++] = '-';
        else if (isalnum((unsigned char)*line) || strchr("-_", *line) != NULL || *line < 0)
            anchor[length++] = (char)tolower((unsigned char)*line);
    anchor[length] = '\0';
}

/* First line from here on, outside of code, that is a heading; NULL if there is none. */
static const char *next_heading(const char *line)
{
    bool is_code = false;
    for (; *line != '\0'; line += *line == '\n') {
        is_code ^= strncmp(line, "```", 3) == 0;
        if (!is_code && *line == '#')
            return line;
        line += strcspn(line, "\n");
    }
    return NULL;
}

/* True if a heading of a page has the anchor; of two alike the second has -1 at its end. */
static bool has_anchor(const char *text, const char *anchor)
{
    const char *line = next_heading(text);
    for (; line != NULL; line = next_heading(line + strcspn(line, "\n"))) {
        char own[128], other[128];
        int alike = 0;
        make_anchor(line, own, sizeof own);
        for (const char *at = next_heading(text); at < line;
             at = next_heading(at + strcspn(at, "\n"))) {
            make_anchor(at, other, sizeof other);
            alike += strcmp(own, other) == 0;
        }
        if (alike > 0)
            snprintf(own + strlen(own), sizeof own - strlen(own), "-%d", alike);
        if (strcmp(own, anchor) == 0)
            return true;
    }
    return false;
}

static bool file_has_anchor(const char *path, const char *anchor)
{
    FILE *file = fopen(path, "r");
    char *text = file != NULL ? slurp(file) : NULL;
    const bool has = text == NULL || has_anchor(text, anchor);
    free(text);
    if (file != NULL)
        fclose(file);
    return has;
}

/* Links to other pages, to their headings and to files lead somewhere. */
static void links_lead_somewhere(const char *page, const char *text)
{
    const char *name = strrchr(page, '/');
    for (const char *at = text; (at = strstr(at, "](")) != NULL; at++) {
        char path[512], anchor[128] = "";
        const int length = (int)strcspn(at + 2, ")#\n");
        if (length > 0 && memchr(at + 2, ':', (size_t)length) != NULL)
            continue; /* a place of the web */
        if (at[2 + length] == '#')
            snprintf(anchor, sizeof anchor, "%.*s", (int)strcspn(at + 3 + length, ")\n"),
                     at + 3 + length);
        if (length == 0) {
            if (*anchor != '\0' && !has_anchor(text, anchor))
                fault("%s links #%s, which no heading of it has\n", page, anchor);
            continue;
        }
        snprintf(path, sizeof path, "%.*s%.*s", name != NULL ? (int)(name + 1 - page) : 0, page,
                 length, at + 2);
        if (access(path, R_OK) != 0)
            fault("%s links %s, which is not there\n", page, path);
        else if (*anchor != '\0' && !file_has_anchor(path, anchor))
            fault("%s links %s#%s, which no heading there has\n", page, path, anchor);
    }
}

TEST(paths_are_right)
{
    each_file("{*,docs/*,docs/*/*,docs/*/*/*}.md", 20, links_lead_somewhere);
    links_lead_somewhere("docs/x.md", "# A\n## A b, `c`\n### C\n#### C\n[a](README.md#first), "
                                      "[b](../src), [c](https://e.f), [d](#a-b-c), [e](#c-1)");
    assert_int_equal(faults, 0);
    links_lead_somewhere("docs/x.md", "# A\n[a](x.md), [b](README.md#b), [c](#b), [d](#a-1)");
    assert_int_equal(faults, 4);
    faults = 0;
    each_file("{README,ARCHITECTURE,CONTRIBUTING}.md", 3, named_files_exist);
    each_file("docs/{*,papers/*,measurements/*}.md", 15, named_files_exist);
    named_files_exist("x",
                      "`src/lab/plan/*.h`, `src/lab/ops/<op>/gl.c`, `tests/{base,io}` and src/x.c");
    assert_int_equal(faults, 0);
    named_files_exist("x", "`src/x.c`, `tests/x/*.c`");
    assert_int_equal(faults, 2);
}

/* The index names every page but records. */
static char *index_page;
static void page_is_indexed(const char *path, const char *text)
{
    char link[256];
    (void)text;
    snprintf(link, sizeof link, "](%s)", path + strlen("docs/"));
    if (strcmp(path, "docs/README.md") != 0 && strstr(index_page, link) == NULL)
        fault("docs/README.md does not name %s\n", path);
}

TEST(index_is_whole)
{
    FILE *file = fopen(QP_SOURCE_DIR "/docs/README.md", "r");
    index_page = slurp(file);
    fclose(file);
    each_file("docs/{*,papers/*,exercises/*,measurements/[!0-9]*}.md", 15, page_is_indexed);
    page_is_indexed("docs/x.md", "");
    free(index_page);
    assert_int_equal(faults, 1);
}

/* Drawings by hand are as wide as a phone, their letters are dark or light enough, no group moves
 * them, and they say no more than a listener follows. */
static void drawing_by_hand_is_right(const char *path, const char *drawing)
{
    const char *pale = drawing_pale(drawing), *title = strstr(drawing, "<title");
    const char *end = strstr(drawing, "</desc>");
    if (pale != NULL)
        fault("%s: too little contrast at %.60s\n", path, pale);
    if (strstr(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\"") != drawing)
        fault("%s is not 360 wide\n", path);
    if (strstr(drawing, "<g") != NULL || strstr(drawing, " transform=") != NULL)
        fault("%s has groups or transforms, which its test does not follow\n", path);
    if (title == NULL || end == NULL || end - title > 440)
        fault("%s: title and description have more than 400 letters\n", path);
}

TEST(drawings_by_hand_are_right)
{
    static const char form[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\"><title>t"
                               "</title><desc>d</desc><rect x=\"0\" y=\"0\" width=\"90\" "
                               "height=\"90\" fill=\"%s\"/><text x=\"%d\" y=\"40\" "
                               "font-size=\"12\" text-anchor=\"middle\" fill=\"%s\">abc</text>%s";
    static const struct {
        int width;
        const char *card;
        int x;
        const char *ink, *rest;
        int faults;
    } cases[] = {
        {360, "#fff", 45, "#212529", "", 0},  {360, "#bde0fe", 45, "#1d6fa5", "", 1},
        {360, "#fff", 45, "#868e96", "", 1},  {360, "none", 45, "#000", "", 1},
        {360, "#fff", 84, "#000", "", 1},     {640, "#fff", 45, "#000", "", 1},
        {360, "#fff", 45, "#000", "<g/>", 1}, {360, "#fff", 45, "red", "", 1},
        {360, "#767676", 45, "#fff", "", 0},  {360, "#777777", 45, "#fff", "", 1},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof text, form, cases[i].width, cases[i].card, cases[i].x, cases[i].ink,
                 cases[i].rest);
        faults = 0;
        drawing_by_hand_is_right("x.svg", text);
        assert_int_equal(faults, cases[i].faults);
    }
    faults = 0;
}

/* A committed drawing keeps the rules of drawings, is small, and some page says how it is drawn. */
static void drawing_is_right(const char *path, const char *drawing)
{
    char command[256], *said;
    const char *wrong = drawing_fault(drawing);
    if (wrong != NULL)
        fault("%s: a fault at %.60s\n", path, wrong);
    if (strlen(drawing) > 150000)
        fault("%s has more than 150 kB\n", path);
    snprintf(command, sizeof command,
             "cd " QP_SOURCE_DIR " && grep -hF 'tools/drawing.sh %s ' *.md docs/*.md", path);
    if (run_for(command, &said) != 0)
        fault("%s: no page says how it is drawn\n", path);
    if (strstr(said, " cat ") != NULL)
        drawing_by_hand_is_right(path, drawing);
    free(said);
}

TEST(drawings_are_right)
{
    each_file("docs/pictures/*.svg", 10, drawing_is_right);
    drawing_is_right("docs/pictures/x.svg", "<svg>");
    assert_int_equal(faults, 2);
}

static int functions_seen; /* or groups of them */

/* The comment before a public function, or of several in a row, says three words (status.h explains
 * them). A blank line parts it from the next. */
static void functions_say_all(const char *path, const char *header)
{
    static const char *const words[] = {"Errors:", "Owner:", "Threads:"};
    regex_t function;
    regmatch_t at;
    const char *paragraph;
    assert_int_equal(regcomp(&function, "\n[a-z][^\n]*[ *]qp_[a-z0-9_]+\\(", REG_EXTENDED), 0);
    for (; (paragraph = strstr(header, "\n\n")) != NULL; header = paragraph + 1) {
        char *text = strndup(header, (size_t)(paragraph - header));
        assert_non_null(text);
        if (regexec(&function, text, 1, &at, 0) == 0 &&
            strncmp(text + at.rm_so, "\ntypedef", 8) != 0) {
            functions_seen++;
            for (int k = 0; k < COUNT(words); k++) {
                const char *said = strstr(text, words[k]);
                if (said == NULL || said > text + at.rm_so)
                    fault("%s: no %s before%.*s\n", path, words[k], (int)(at.rm_eo - at.rm_so),
                          text + at.rm_so);
            }
        }
        free(text);
    }
    regfree(&function);
}

TEST(headers_say_all)
{
    functions_seen = 0;
    each_file("include/quadpass/*.h", 10, functions_say_all);
    assert_true(functions_seen > 45);
    functions_say_all("x.h",
                      "\n/* Errors: none. Owner: none. Threads: any. */\nint qp_x(void);\n\n");
    assert_int_equal(faults, 0);
    functions_say_all(
        "x.h", "\n/* Errors: none. Threads: any. */\nint qp_x(void);\n\nint *qp_y(void);\n\n");
    assert_int_equal(faults, 4);
}

/* ARCHITECTURE names the files of C whose strings hold shader text, all of them and no others. */
static char *architecture;

static bool holds_shader_text(const char *text)
{
    static const char words[] = "kernel\\(vec2 here\\)(\\\\n| \\{|;)|\"#version [0-9]|\"uniform %s";
    regex_t shader;
    assert_int_equal(regcomp(&shader, words, REG_EXTENDED | REG_NOSUB), 0);
    const bool found = regexec(&shader, text, 0, NULL, 0) == 0;
    regfree(&shader);
    return found;
}

static void shader_text_is_named(const char *path, const char *text)
{
    char name[256];
    snprintf(name, sizeof name, "`%s`", path);
    const bool holds = holds_shader_text(text), named = strstr(architecture, name) != NULL;
    if (holds && !named)
        fault("%s holds shader text; ARCHITECTURE.md does not list it among those that do\n", path);
    if (named && !holds)
        fault("%s holds no shader text; ARCHITECTURE.md lists it among those that do\n", path);
}

static void keep_text(const char *path, const char *text)
{
    const char *from = strstr(text, "- **No shader text of a variant inside C**");
    (void)path;
    assert_non_null(from);
    architecture = strndup(from, (size_t)(strstr(from, "\n- **No windows") - from));
}

TEST(shader_text_in_c)
{
    each_file("ARCHITECTURE.md", 1, keep_text);
    each_file("src/*/{*,*/*,*/*/*}/*.{c,h}", 400, shader_text_is_named);
    assert_int_equal(faults, 0);
    shader_text_is_named("src/x/none.c", "\"vec4 kernel(vec2 here)\\n\"");
    shader_text_is_named("src/x/none.c", "\"#version 130\\n\"");
    shader_text_is_named("src/x/none.c",
                         "qp_fail(\"write 'float kernel(vec2 here)', no #version\");");
    assert_int_equal(faults, 2);
    shader_text_is_named("src/toolkit/passes/mask.c", "\"a mask\"");
    assert_int_equal(faults, 3);
    free(architecture);
}
