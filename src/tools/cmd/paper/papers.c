/* SPDX-License-Identifier: MIT */
#include "tools/cmd/paper/papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"

int paper_cut(char *line, const char *at, char *cell[], int most)
{
    static char nothing[1];
    int count = 0;
    for (char *next; (next = strsep(&line, at)) != NULL; count++) {
        if (count < most)
            cell[count] = next;
    }
    for (int i = count; i < most; i++)
        cell[i] = nothing;
    return count;
}

enum qp_status paper_parse(const char *name, const char *text, size_t size, struct paper_table *out)
{
    *out = (struct paper_table){0};
    if (size >= sizeof out->text)
        return qp_fail(QP_BAD_INPUT, "%s: more than the %d bytes a paper's table may have", name,
                       PAPER_BYTES - 1);
    memcpy(out->text, text, size);
    char *rest = out->text, *line = strsep(&rest, "\n");
    out->columns = paper_cut(line, ",", out->head, PAPER_COLUMNS);
    if (out->columns > PAPER_COLUMNS)
        return qp_fail(QP_BAD_INPUT, "%s:1: more than %d columns", name, PAPER_COLUMNS);
    for (int number = 2; (line = strsep(&rest, "\n")) != NULL && line[0] != '\0'; number++) {
        if (out->lines == PAPER_LINES)
            return qp_fail(QP_BAD_INPUT, "%s:%d: more than %d lines", name, number, PAPER_LINES);
        int cells = paper_cut(line, ",", out->cell[out->lines++], PAPER_COLUMNS);
        if (cells != out->columns)
            return qp_fail(QP_BAD_INPUT, "%s:%d: not as many cells as the head has, %d", name,
                           number, out->columns);
    }
    return QP_OK;
}

enum qp_status paper_read(const char *name, struct paper_table *out)
{
    *out = (struct paper_table){0};
    const struct qp_own_file *file = qp_own_file_find(paper_files, name);
    return file->name != NULL ? paper_parse(name, (const char *)file->text, file->size, out)
                              : qp_fail(QP_BAD_INPUT, "docs/papers has no %s", name);
}

int paper_line(const struct paper_table *table, const char *first, const char *second)
{
    for (int line = 0; line < table->lines; line++) {
        if (strcmp(table->cell[line][0], first) == 0 &&
            (second == NULL || (table->columns > 1 && strcmp(table->cell[line][1], second) == 0)))
            return line;
    }
    return -1;
}

const char *paper_cell(const struct paper_table *table, int line, const char *head)
{
    for (int column = 0; column < table->columns && line >= 0; column++) {
        if (strcmp(table->head[column], head) == 0)
            return table->cell[line][column];
    }
    return "";
}

double paper_number(const struct paper_table *table, int line, const char *head)
{
    char *end;
    const char *cell = paper_cell(table, line, head);
    const double value = strtod(cell, &end);
    return end != cell && *end == '\0' ? value : NAN;
}
