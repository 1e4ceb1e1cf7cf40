/* SPDX-License-Identifier: MIT */
/* Descriptions of tables with more than there is room for, which are refused, and none of it is
 * lost. */
/* own program: for paper_files, which it gives */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/table.h"
#include "tools/cmd/paper/described.h"
#include "tools/cmd/paper/papers.h"

enum { ROOM = 20000, ROWS = 64 /* for variants */ };

static char text[ROOM];

const struct qp_own_file paper_files[] = {{"paper1.table", (const unsigned char *)text, 16383},
                                          {"paper2.table", (const unsigned char *)text, 16384},
                                          {.name = NULL}};

static struct paper_bench bench;
static struct options options;

/* Plans a paper of this text, blanks after it; QP_OK if all of it had room. */
static enum qp_status plan(int paper)
{
    options.paper = paper;
    bench = (struct paper_bench){.options = &options};
    described_plan(&bench, NULL, NULL);
    return bench.plan;
}

/* Adds lines to the text, the rest of which is an empty line and a comment. */
static void write_text(const char *line, int count)
{
    size_t used = (size_t)snprintf(text, sizeof text, "table one\n");
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", line);
    memset(text + used, ' ', sizeof text - used);
    text[used] = '#';
}

TEST(characters)
{
    write_text("rows jacobi9/rgba\ngrid random 64", 1);
    assert_ok(plan(1));
    assert_int_equal(bench.lines, 1);
    assert_int_equal(plan(2), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "the tables of paper 2 have more than 16383 characters");
}

TEST(lines_of_a_table)
{
    write_text("> words", 96);
    assert_ok(plan(1));
    write_text("> words", 97);
    assert_int_equal(plan(1), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "the tables of paper 1 have more than 96 lines of a table");
}

TEST(grids)
{
    char line[1024] = "rows jacobi9/rgba\ngrid random";
    for (int n = 1; n <= 49; n++) {
        write_text(line, 1);
        assert_int_equal(plan(1), QP_OK);
        assert_int_equal(bench.lines, n - 1);
        snprintf(line + strlen(line), sizeof line - strlen(line), " %d", n);
    }
    write_text(line, 1);
    assert_int_equal(plan(1), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "the tables of paper 1 have more than 48 grids");
}

/* Variants of two lines, each with some characters fewer than it may have. */
TEST(variants)
{
    char lines[8192] = "";
    for (size_t i = 0, end = 0; i < ROWS + 1; i++) {
        const char *name = qp_variant_at(i)->name;
        const bool begins = i == 0 || strlen(lines) + strlen(name) - end > 1000;
        end = begins ? strlen(lines) : end;
        if (i == ROWS) {
            write_text(lines, 1);
            assert_ok(plan(1));
        }
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%s",
                 !begins  ? "|"
                 : i == 0 ? "rows "
                          : "\nrows ",
                 name);
    }
    write_text(lines, 1);
    assert_int_equal(plan(1), QP_UNSUPPORTED);
    assert_string_equal(qp_error(), "the tables of paper 1 have more than 64 variants");
}

TEST(characters_of_a_line)
{
    char line[1200];
    snprintf(line, sizeof line, "rows jacobi9/rgba|%01011d", 0);
    write_text(line, 1);
    assert_int_equal(plan(1), QP_UNSUPPORTED);
    assert_string_equal(qp_error(),
                        "the tables of paper 1 have more than 1023 characters of a line");
}
