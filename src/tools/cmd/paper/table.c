/* SPDX-License-Identifier: MIT */
#include "tools/cmd/paper/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/output/figures.h"
#include "tools/cmd/output/terminal.h"
#include "tools/cmd/paper/bench_paper.h"

/* ---- Writers ---- */

/* Writes a cell of a Markdown row, without a terminal's indentation; a figure of ours is a link
 * where its record has one. */
static void write_markdown(struct table *table, const char *text)
{
    text += strspn(text, " ");
    const int link = strcmp(text, "-") != 0 ? paper_link(table->bench, table->of) : -1;
    fprintf(table->out, "%s%s%s%s", table->at == 0 ? "|" : "", text[0] != '\0' ? " " : "",
            link >= 0 ? "[" : "", text);
    if (link >= 0)
        fprintf(table->out, "](#%s%d)", table->bench->links, link);
    fprintf(table->out, " |%s", table->at + 1 == table->columns ? "\n" : "");
}

/* Writes a cell at its column's place, `shown` of its characters being visible. Blanks are kept
 * for the next one, so that a line does not end with them; words that are wider than their
 * column take those of blank cells before it. One blank is always between two cells. */
static void write_aligned(struct table *table, const char *text, int shown)
{
    const int width = table->width[table->at], rest = abs(width) - shown, pad = rest > 0 ? rest : 0;
    const int before = table->blanks + (width < 0 ? 0 : rest);
    const bool touches = table->at > 0 && table->gap == 0 && before <= 0 && text[0] != ' ';
    if (shown == 0) {
        table->blanks += pad;
    } else {
        fprintf(table->out, "%*s%*s%s", table->gap, "", before > 0 ? before : touches, "", text);
        table->gap = width < 0 ? pad : 0;
        table->blanks = 0;
    }
    if (table->at + 1 < table->columns)
        return;
    table->gap = table->blanks = 0;
    fputc('\n', table->out);
}

static void write_cell(struct table *table, const char *text, int shown)
{
    if (table->markdown)
        write_markdown(table, text);
    else
        write_aligned(table, text, shown);
    table->at = (table->at + 1) % table->columns;
}

static void write_text(struct table *table, const char *text)
{
    write_cell(table, text, (int)strlen(text));
}

/* ---- Heads ---- */

struct table table_begin(const struct paper_bench *bench)
{
    return (struct table){.out = bench->out, .bench = bench, .markdown = bench->options->markdown};
}

void table_columns(struct table *table, const char *columns)
{
    char text[256], *rest = text, *column;
    snprintf(text, sizeof text, "%s", columns);
    while ((column = strsep(&rest, "|")) != NULL) {
        const int k = table->columns++;
        table->width[k] = (int)strtol(column, &column, 10);
        snprintf(table->head[k], TABLE_HEAD, "%s", strsep(&column, "@") + 1);
        snprintf(table->group[k], TABLE_HEAD, "%s", column != NULL ? column : "");
    }
}

/* True for the last column of a group, which has its name on a terminal. */
static bool ends_group(const struct table *table, int k)
{
    return k + 1 == table->columns || strcmp(table->group[k], table->group[k + 1]) != 0;
}

/* Writes heads in two lines, of which one that is blank is left out. */
static void write_heads(struct table *table)
{
    bool grouped = false;
    for (int k = 0; k < table->columns; k++)
        grouped = grouped || table->group[k][0] != '\0';
    for (int k = 0; k < table->columns && grouped; k++)
        write_text(table, ends_group(table, k) ? table->group[k] : "");
    for (int k = 0; k < table->columns && !table->bare; k++)
        write_text(table, table->head[k]);
}

/* Writes heads in one line, and one that says how columns are aligned. */
static void write_markdown_heads(struct table *table)
{
    fputc('\n', table->out);
    for (int k = 0; k < table->columns; k++) {
        const char *group = table->group[k], *head = table->head[k];
        table_text(table, "%s%s%s", group, group[0] != '\0' && head[0] != '\0' ? ", " : "", head);
    }
    for (int k = 0; k < table->columns; k++)
        write_text(table, table->width[k] < 0 ? "---" : "---:");
}

void table_heads(struct table *table)
{
    if (table->markdown)
        write_markdown_heads(table);
    else
        write_heads(table);
}

struct table table_of(const struct paper_bench *bench, const char *columns)
{
    struct table table = table_begin(bench);
    table_columns(&table, columns);
    table_heads(&table);
    return table;
}

/* ---- Cells ---- */

void table_text(struct table *table, const char *format, ...)
{
    char text[256], *rest = text, *cell;
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    while ((cell = strsep(&rest, "|")) != NULL)
        write_text(table, cell);
}

void table_end_row(struct table *table)
{
    while (table->at > 0)
        write_text(table, "");
}

/* Decimals for a terminal, or those that make three digits. */
static int decimals_for(const struct table *table, int decimals, double value)
{
    const double size = fabs(value);
    if (!table->markdown || decimals == 0)
        return decimals;
    return size >= 100.0 ? 0 : size >= 10.0 ? 1 : size >= 1.0 ? 2 : 3;
}

void table_number(struct table *table, int decimals, double value)
{
    if (isnan(value))
        write_text(table, "-");
    else
        table_text(table, "%.*f", decimals_for(table, decimals, value), value);
}

void table_theirs(struct table *table, const struct paper_table *theirs, int line, const char *head)
{
    const char *cell = paper_cell(theirs, line, head);
    write_text(table, *cell != '\0' ? cell : "-");
}

/* Writes a figure with its spread or as a range: 1.62+-3% and 1.0-1.9, or in Markdown 1.62 ±3 % and
 * 1.0 to 1.9. */
static void write_ours(struct table *table, const char *mark, const char *text)
{
    const char *dash = table->markdown && text[0] != '\0' ? strchr(text + 1, '-') : NULL;
    if (dash == NULL)
        table_text(table, "%s%s", mark, text);
    else if (dash[-1] == '+')
        table_text(table, "%.*s ±%.*s %%", (int)(dash - text) - 1, text,
                   (int)strcspn(dash + 1, "%"), dash + 1);
    else
        table_text(table, "%s%.*s to %s", mark, (int)(dash - text), text, dash + 1);
}

static void print_figure(struct table *table, int decimals, const struct qp_record *record,
                         double value, const char *mark, bool is_time)
{
    char text[FIGURE_SIZE];
    if (record != NULL && isnan(record->seconds)) {
        const char *verdict = qp_verdict_name(record->verdict);
        write_cell(table,
                   table->markdown ? verdict : terminal_verdict(table->out, record->verdict, 0),
                   (int)strlen(verdict));
        return;
    }
    figure_print(text, decimals_for(table, decimals, value), record, value, is_time);
    if (record == NULL || isnan(value))
        write_text(table, "-");
    else
        write_ours(table, mark, text);
}

static void write_figure(struct table *table, int decimals, const struct qp_record *record,
                         double value, const char *mark, bool is_time)
{
    table->of = record;
    print_figure(table, decimals, record, value, mark, is_time);
    table->of = NULL;
}

void table_number_of(struct table *table, int decimals, const struct qp_record *record,
                     double value)
{
    table->of = record;
    table_number(table, decimals, value);
    table->of = NULL;
}

void table_rate(struct table *table, int decimals, const struct qp_record *record, double value)
{
    write_figure(table, decimals, record, value, "", false);
}

void table_time(struct table *table, int decimals, const struct qp_record *record, double value,
                const char *mark)
{
    write_figure(table, decimals, record, value, mark, true);
}

/* The last decimals give way to the spread in a terminal's narrow column. */
void table_ratio(struct table *table, int decimals, const struct qp_record *record,
                 const struct qp_record *other, double ratio)
{
    const int room = abs(table->width[table->at]);
    char text[FIGURE_SIZE];
    decimals = decimals_for(table, decimals, ratio);
    figure_print_ratio(text, decimals, record, other, ratio);
    while (!table->markdown && decimals > 0 && (int)strlen(text) >= room)
        figure_print_ratio(text, --decimals, record, other, ratio);
    table->of = record;
    write_ours(table, "", text);
    table->of = NULL;
}

void table_end(struct table *table)
{
    fputs(table->markdown ? "\n" : "", table->out);
}
