/* SPDX-License-Identifier: MIT */
/* Sections of a paper: its tables as `bench --paper` prints them in Markdown, once for each file of
 * records, and its places with all their variants. A paragraph is text; a line of cells between
 * bars is a row, whose first one is a table's head. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/paper/bench_paper.h"
#include "tools/cmd/report/plot.h"
#include "tools/cmd/report/report.h"

enum { COLUMNS = 24, CELL = 160 };

/* A text of tables while it becomes HTML. */
struct page {
    const struct report *report;
    int paper, source, tables, row, plots;
    bool in_words;
    char caption[CELL], head[COLUMNS][CELL];
    bool right[COLUMNS]; /* a column of numbers */
    char drawn[CELL];    /* columns of the next table's plot; "": there is none */
    struct plot plot;
};

/* The device's letter, as in the list at the top. */
static char letter(const struct page *page)
{
    return (char)('A' + page->report->source[page->source].device);
}

/* ---- Words ---- */

static void end_words(struct page *page)
{
    fputs(page->in_words ? "</p>\n" : "", page->report->out);
    page->in_words = false;
}

/* A line of words; the first one's beginning names the tables below. */
static void put_words(struct page *page, const char *line)
{
    FILE *out = page->report->out;
    const size_t named = strcspn(line, ":;,");
    const bool names = strncmp(line, "Paper ", 6) == 0 || strncmp(line, "Table ", 6) == 0;
    if (names) {
        end_words(page);
        const size_t skip = strncmp(line, "Paper ", 6) == 0 ? 9 : 0;
        const size_t end = skip > named ? strcspn(line, ":") : skip + strcspn(line + skip, ":;");
        snprintf(page->caption, CELL, "%.*s", (int)end, line);
    }
    fputs(page->in_words ? "\n" : "<p>", out);
    report_text(out, line, "");
    page->in_words = true;
}

/* ---- Rows ---- */

/* Cuts a row at its bars; returns how many cells there are. */
static int cut(char *line, char *cell[COLUMNS])
{
    int count = 0;
    char *next;
    strsep(&line, "|");
    while (count < COLUMNS && (next = strsep(&line, "|")) != NULL && line != NULL) {
        next += strspn(next, " ");
        for (size_t length = strlen(next); length > 0 && next[length - 1] == ' ';)
            next[--length] = '\0';
        cell[count++] = next;
    }
    return count;
}

static void begin_table(struct page *page, char *cell[COLUMNS], int count)
{
    page->row = 0;
    page->tables++;
    for (int k = 0; k < count; k++) {
        snprintf(page->head[k], CELL, "%s", cell[k]);
        page->right[k] = false;
    }
}

static void put_head(struct page *page, char *cell[COLUMNS], int count)
{
    FILE *out = page->report->out;
    const struct report_source *source = &page->report->source[page->source];
    char address[48];
    fputs("<div class=\"wide\" role=\"region\" aria-label=\"", out);
    report_text(out, page->caption, "");
    snprintf(address, sizeof address, "p%d-%c-t%d", page->paper, letter(page), page->tables);
    fprintf(out, ", %s\" tabindex=\"0\"><table id=\"%s\"><caption><a href=\"#%s\">", address,
            address, address);
    report_text(out, page->caption, "</a> on ");
    report_text(out, report_device(page->report, source->device), "");
    fprintf(out, ", %.10s</caption>\n<tr>", source->given.date);
    for (int k = 0; k < count; k++) {
        page->right[k] = strchr(cell[k], ':') != NULL;
        fprintf(out, "<th scope=\"col\"%s>", page->right[k] ? " class=\"right\"" : "");
        report_text(out, page->head[k], "</th>");
    }
    fputs("</tr>\n", out);
}

/* Opens a figure's link, "[1.62](#r2-7)", and cuts it off; true if it is one. */
static bool open_link(struct page *page, char *cell)
{
    char *at = cell[0] == '[' ? strstr(cell, "](#r") : NULL;
    int source, record, used = 0;
    if (at == NULL || sscanf(at, "](#r%d-%d)%n", &source, &record, &used) != 2 || used == 0)
        return false;
    *at = '\0';
    report_begin_link(page->report, &page->report->source[source], record);
    return true;
}

static void put_cell(struct page *page, char *cell[COLUMNS], int k)
{
    FILE *out = page->report->out;
    char address[64];
    const bool figure = page->right[k] && (isdigit(*cell[k]) || *cell[k] == '[');
    snprintf(address, sizeof address, "p%d-%c-t%d-%d-%d", page->paper, letter(page), page->tables,
             page->row, k + 1);
    fputs(page->right[k] ? "<td class=\"right\"" : "<td", out);
    fprintf(out, figure ? " id=\"%s\">" : ">", address);
    const bool link = open_link(page, cell[k]);
    report_text(out, cell[k] + link, link ? "</a></td>" : "</td>");
    if (figure)
        report_figure(page->report, address, page->caption, cell[0], page->head[k], cell[k] + link,
                      link ? page->source : -1);
}

/* Adds a row's numbers to the curves of the plot, "X Y...|x|y". */
static void add_points(struct page *page, char *cell[COLUMNS], int count)
{
    const char *at = page->drawn;
    int column, used, k = -1;
    double x = NAN;
    for (; sscanf(at, "%d%n", &column, &used) == 1 && k < PLOT_CURVES; at += used, k++) {
        const char *text = column <= count ? cell[column - 1] : "";
        char *end;
        text += strcspn(text, "0123456789");
        const double value = strtod(text, &end);
        if (k < 0)
            x = value;
        if (k < 0 || end == text || page->plot.curve[k].count == PLOT_POINTS)
            continue;
        struct plot_curve *curve = &page->plot.curve[k];
        snprintf(curve->name, sizeof curve->name, "%s", page->head[column - 1]);
        curve->x[curve->count] = x;
        curve->y[curve->count++] = value;
        page->plot.curves = k + 1;
    }
}

static void end_plot(struct page *page)
{
    char id[48];
    struct svg svg;
    snprintf(id, sizeof id, "p%d-%c-plot%d", page->paper, letter(page), ++page->plots);
    snprintf(page->plot.title, sizeof page->plot.title, "%s", page->caption);
    const enum qp_status status = svg_begin(&svg);
    if (status == QP_OK)
        plot_curves(&svg, &page->plot);
    fputs("<figure>\n", page->report->out);
    svg_put(&svg, status, page->report->out, id);
    fputs("</figure>\n", page->report->out);
    page->drawn[0] = '\0';
}

static void put_row(struct page *page, char *line)
{
    char *cell[COLUMNS];
    const int count = cut(line, cell);
    end_words(page);
    if (page->row < 0)
        begin_table(page, cell, count);
    else if (page->row++ == 0)
        put_head(page, cell, count);
    else {
        if (page->drawn[0] != '\0')
            add_points(page, cell, count);
        fputs("<tr>", page->report->out);
        for (int k = 0; k < count; k++)
            put_cell(page, cell, k);
        fputs("</tr>\n", page->report->out);
    }
}

static void end_table(struct page *page)
{
    if (page->row > 0)
        fputs("</table></div>\n", page->report->out);
    page->row = -1;
    if (page->drawn[0] != '\0' && page->plot.curves > 0)
        end_plot(page);
}

/* "@plot X Y...|x|y": columns of the next table, and names of the axes. */
static void begin_plot(struct page *page, char *line)
{
    snprintf(page->drawn, CELL, "%s", strsep(&line, "|"));
    page->plot = (struct plot){.log_x = true, .log_y = true};
    snprintf(page->plot.x_name, sizeof page->plot.x_name, "%s", line != NULL ? line : "");
    page->plot.x_name[strcspn(page->plot.x_name, "|")] = '\0';
    strsep(&line, "|");
    snprintf(page->plot.y_name, sizeof page->plot.y_name, "%s", line != NULL ? line : "");
}

static void put_text(struct page *page, char *text)
{
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        if (line[0] == '|') {
            put_row(page, line);
            continue;
        }
        end_table(page);
        if (strncmp(line, "@plot ", 6) == 0)
            begin_plot(page, line + 6);
        else if (line[strspn(line, " ")] == '\0')
            end_words(page);
        else
            put_words(page, line);
    }
    end_words(page);
}

/* ---- Tables of a device ---- */

/* A paper's tables from a source in Markdown, for free(); *out is NULL where it has no record. */
static enum qp_status gather(const struct report *report, int paper, int source, char **out)
{
    char links[16];
    size_t size = 0;
    FILE *gathered = open_memstream(out, &size);
    if (gathered == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the tables of paper %d", paper);
    snprintf(links, sizeof links, "r%d-", source);
    const enum qp_status status =
        paper_print_given(report->options, paper, &report->source[source].given, links, gathered);
    const bool whole = fclose(gathered) == 0;
    if (status == QP_OK && whole)
        return QP_OK;
    free(*out);
    *out = NULL;
    return status == QP_BAD_INPUT ? QP_OK : status;
}

static int count_links(const char *text)
{
    int count = 0;
    while (text != NULL && (text = strstr(text, "](#r")) != NULL) {
        count++;
        text++;
    }
    return count;
}

/* Figures of a table are of one run: the tables of the device's source that has most of them. */
static enum qp_status put_device(const struct report *report, int paper, int device)
{
    enum qp_status status = QP_OK;
    char *best = NULL;
    struct page page = {.report = report, .paper = paper, .row = -1};
    for (int k = 0; k < report->sources && status == QP_OK; k++) {
        char *text = NULL;
        if (report->source[k].device == device)
            status = gather(report, paper, k, &text);
        const bool better = count_links(text) > count_links(best);
        page.source = better ? k : page.source;
        free(better ? best : text);
        best = better ? text : best;
    }
    fprintf(report->out, "<h3 id=\"p%d-on-%c\">Paper %d on ", paper, 'A' + device, paper);
    report_text(report->out, report_device(report, device), "</h3>\n");
    if (best == NULL)
        fputs("<p>No file has its tables.</p>\n", report->out);
    if (status == QP_OK && best != NULL) {
        fprintf(report->out, "<p>From <a href=\"#s%d\">", page.source);
        report_text(report->out, report->source[page.source].name, "</a>.</p>\n");
        put_text(&page, best);
    }
    free(best);
    return status;
}

/* ---- Places ---- */

/* Largest timed record of a variant on a device; NULL: there is none. */
static const struct qp_record *largest(const struct report *report, int device,
                                       const struct report_what *what, int *source)
{
    const struct qp_record *found = NULL;
    for (int k = 0; k < report->sources; k++) {
        const struct records_given *given = &report->source[k].given;
        for (int i = 0; i < given->count && report->source[k].device == device; i++) {
            const struct qp_record *record = &given->record[i];
            if (report_is(record, what) && !isnan(record->seconds) &&
                (found == NULL ||
                 (double)record->width * record->height > (double)found->width * found->height)) {
                found = record;
                *source = k;
            }
        }
    }
    return found;
}

/* A variant with its figure on each device that has one; false where none has. */
static bool put_variant(const struct report *report, const char *name, const char *place,
                        const char *address)
{
    const struct report_what what = report_read_what(name);
    bool any = false;
    for (int device = 0; device < report->devices && what.variant != NULL; device++) {
        char figure[32];
        int source;
        const struct qp_record *record = largest(report, device, &what, &source);
        if (record == NULL)
            continue;
        snprintf(figure, sizeof figure, "%#.3g", record->glups);
        fprintf(report->out, "%s%s %c\u00a0", any ? "," : "<br>", any ? "" : name, 'A' + device);
        report_begin_link(report, &report->source[source],
                          (int)(record - report->source[source].given.record));
        fprintf(report->out, "%s</a>", figure);
        report_figure(report, address, place, name, "GLUP/s", figure, source);
        any = true;
    }
    return any;
}

/* A place: a row with the figures of its variants, or with why it has none. */
static void put_place(const struct report *report, char *const field[REPORT_FIELDS], int number)
{
    FILE *out = report->out;
    const bool none = strncmp(field[3], "none", 4) == 0;
    char address[48], *text = strdup(field[3]), *rest = text, *name;
    bool any = false;
    snprintf(address, sizeof address, "p%s-%d", field[0], number);
    fprintf(out, "<tr id=\"%s\"><th scope=\"row\">", address);
    report_text(out, field[1], "</th><td>");
    report_text(out, field[2], "");
    while (!none && text != NULL && (name = strsep(&rest, " ")) != NULL)
        any = put_variant(report, name, field[1], address) || any;
    if (!any)
        fputs(none ? "<br>" : "<br>no record; measured by quadpass bench ", out);
    if (!any)
        report_text(out, none ? field[3] + 4 + strspn(field[3] + 4, ": ") : field[3], "");
    fputs("</td></tr>\n", out);
    free(text);
}

static void put_places(const struct report *report, int paper)
{
    char *list = report_list("papers/places.csv"), *rest = list, *field[REPORT_FIELDS];
    fprintf(report->out,
            "<h3 id=\"p%d-places\">Places of paper %d</h3>\n<p>Each experiment with its variants, "
            "and their GLUP/s (1e9 updates of a value a second) on the largest grid that each "
            "device has a record of; A and so on are the devices at the top.</p>\n"
            "<div class=\"wide\" role=\"region\" aria-label=\"Places of paper %d\" tabindex=\"0\">"
            "<table><caption>Places of paper %d</caption>\n"
            "<tr><th scope=\"col\">place</th><th scope=\"col\">experiment</th></tr>\n",
            paper, paper, paper, paper);
    for (int number = 0; list != NULL && report_line(&rest, 4, field);) {
        if (atoi(field[0]) == paper)
            put_place(report, field, ++number);
    }
    fputs("</table></div>\n", report->out);
    free(list);
}

enum qp_status report_paper(const struct report *report, int paper)
{
    enum qp_status status = QP_OK;
    fprintf(report->out, "<h2 id=\"p%d\">Paper %d</h2>\n<p>Tables on", paper, paper);
    for (int device = 0; device < report->devices; device++) {
        fprintf(report->out, "%s <a href=\"#p%d-on-%c\">", device > 0 ? "," : "", paper,
                'A' + device);
        report_text(report->out, report_device(report, device), "</a>");
    }
    fprintf(report->out, "; <a href=\"#p%d-places\">places</a>.</p>\n", paper);
    for (int device = 0; device < report->devices && status == QP_OK; device++)
        status = put_device(report, paper, device);
    put_places(report, paper);
    return status;
}
