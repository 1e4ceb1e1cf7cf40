/* SPDX-License-Identifier: MIT */
/* Sheets: comma-separated files with a head, whose cells may be quoted. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/draw/draw.h"

/* Cuts the cell off that begins at *at, in place; *at goes behind it, and *end is the character
 * that was there: ',', '\n' or 0, another one after a quote that is not closed. */
static char *cut(char **at, char *end)
{
    const bool quoted = **at == '"';
    char *cell = *at += quoted, *to = cell;
    for (; **at != '\0' && (quoted ? **at != '"' || (*at)[1] == '"' : strchr(",\n", **at) == NULL);
         ++*at) {
        *at += quoted && **at == '"';
        *to++ = **at;
    }
    *end = quoted && **at == '\0' ? '"' : *(*at += quoted);
    if (*end == '\r' && (*at)[1] == '\n')
        *end = *++*at;
    *at += **at != '\0';
    if (to > cell && to[-1] == '\r')
        to--;
    *to = '\0';
    return cell;
}

static enum qp_status read_line(struct draw_sheet *sheet, char **at, char *cell[])
{
    const int line = draw_sheet_line(sheet, sheet->columns > 0 ? sheet->lines : -1);
    char end = ',';
    int cells = 0;
    while (end == ',' && cells < DRAW_COLUMNS)
        cell[cells++] = cut(at, &end);
    if (end != '\0' && end != '\n')
        return qp_fail(QP_BAD_INPUT, "%s:%d: %s", sheet->name, line,
                       end == ',' ? "more than 8 cells" : "a quote ends before its comma or never");
    if (sheet->columns > 0 && cells != sheet->columns)
        return qp_fail(QP_BAD_INPUT, "%s:%d: %d cells, where the head has %d", sheet->name, line,
                       cells, sheet->columns);
    sheet->columns = cells;
    return QP_OK;
}

static enum qp_status parse(struct draw_sheet *sheet, char *at)
{
    sheet->title = sheet->name;
    if (*at == '#') {
        char *end = at + strcspn(at, "\r\n");
        sheet->title = at + 1 + strspn(at + 1, " ");
        at = end + strspn(end, "\r\n");
        *end = '\0';
    }
    enum qp_status status = read_line(sheet, &at, sheet->head);
    for (; status == QP_OK && *at != '\0' && sheet->lines < DRAW_LINES; sheet->lines++)
        status = read_line(sheet, &at, sheet->cell[sheet->lines]);
    if (status == QP_OK && (sheet->lines == 0 || *at != '\0'))
        status = qp_fail(QP_BAD_INPUT, "%s: 1 to %d lines are drawn, below a head", sheet->name,
                         DRAW_LINES);
    return status;
}

enum qp_status draw_sheet_read(const struct drawing *drawing, const char *first, const char *second,
                               struct draw_sheet *sheet)
{
    const char *path = drawing->options->words[1];
    const bool standard = strcmp(path, "-") == 0;
    size_t room = 0;
    *sheet = (struct draw_sheet){.name = standard ? "standard input" : path};
    errno = 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    const ssize_t length = file != NULL ? getdelim(&sheet->text, &room, '\0', file) : 0;
    const int error = errno;
    if (file != NULL && !standard)
        fclose(file);
    if (length <= 0 || strlen(sheet->text) < (size_t)length)
        return qp_fail(QP_BAD_INPUT, "%s: %s", sheet->name,
                       error != 0 ? strerror(error) : "no text, but a CSV file is wanted");
    const enum qp_status status = parse(sheet, sheet->text);
    if (status == QP_OK &&
        (draw_sheet_cell(sheet, 0, first) == NULL || draw_sheet_cell(sheet, 0, second) == NULL))
        return qp_fail(QP_BAD_INPUT, "%s: its head has to name the columns %s and %s", sheet->name,
                       first, second);
    return status;
}

int draw_sheet_line(const struct draw_sheet *sheet, int line)
{
    return line + 2 + (sheet->title != sheet->name);
}

const char *draw_sheet_cell(const struct draw_sheet *sheet, int line, const char *head)
{
    for (int i = 0; i < sheet->columns; i++) {
        if (strcmp(sheet->head[i], head) == 0)
            return sheet->cell[line][i];
    }
    return NULL;
}
