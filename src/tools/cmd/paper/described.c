/* SPDX-License-Identifier: MIT */
#include "tools/cmd/paper/described.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/output/figures.h"
#include "tools/cmd/paper/papers.h"
#include "tools/cmd/paper/table.h"

enum { TEXT = 16384, DIRECTIVES = 96, FIELDS = 10, PARTS = 6, CELL = 256, FIRST_TAG = 100 };

/* A section of a description, and the place that its cells are of. */
struct section {
    const struct paper_bench *bench;
    const struct described_value *values;
    int tag; /* its own grids have it */
    char text[TEXT];
    struct directive {
        const char *word, *rest;
    } directive[DIRECTIVES];
    int directives;
    const char *beyond; /* "lines of a table", of which there are more than `most`; NULL: none */
    int most;
    int width, height, parameter;
    char line[CELL], *field[FIELDS]; /* the first is the shape */
};

/* ---- Sections ---- */

static bool go_beyond(struct section *section, int most, const char *what)
{
    section->most = most;
    section->beyond = what;
    return false;
}

/* Keeps the lines of a section by its number; false if the paper has fewer, or too many. */
static bool read_section(struct section *section, int number, const char **name)
{
    char file_name[32], *rest = section->text, *line;
    bool has_grid = false;
    snprintf(file_name, sizeof file_name, "paper%d.table", section->bench->options->paper);
    const struct qp_own_file *file = qp_own_file_find(paper_files, file_name);
    if (file->name == NULL)
        return false;
    if (file->size >= TEXT)
        return go_beyond(section, TEXT - 1, "characters");
    memcpy(section->text, file->text, file->size);
    section->text[file->size] = '\0';
    section->directives = 0;
    section->tag = FIRST_TAG;
    *name = "";
    int at = 0;
    while (at <= number && (line = strsep(&rest, "\n")) != NULL) {
        struct directive directive = {.word = strsep(&line, " ")};
        directive.rest = line != NULL ? line : "";
        const bool grid = strcmp(directive.word, "grid") == 0;
        if (strcmp(directive.word, "table") == 0) {
            has_grid = false;
            if (at++ < number)
                *name = directive.rest;
        } else if (at == number && directive.word[0] != '#') {
            if (section->directives == DIRECTIVES)
                return go_beyond(section, DIRECTIVES, "lines of a table");
            section->directive[section->directives++] = directive;
        }
        section->tag += grid && !has_grid;
        has_grid = has_grid || grid;
    }
    return at >= number;
}

static void read_named(struct section *section, const char *name)
{
    const char *found = "";
    for (int k = 0; strcmp(found, name) != 0 && read_section(section, k, &found); k++)
        continue;
}

/* The rest of the next line with this word, from number *at on; NULL at the end. */
static const char *next(const struct section *section, const char *word, int *at)
{
    while (*at < section->directives) {
        const struct directive *directive = &section->directive[(*at)++];
        if (strcmp(directive->word, word) == 0)
            return directive->rest;
    }
    return NULL;
}

static const char *first(const struct section *section, const char *word)
{
    int at = 0;
    return next(section, word, &at);
}

/* ---- Words ---- */

/* Reads the file of a figure; returns the number of its line. */
static int find(const struct section *section, char *row, struct paper_table *theirs)
{
    const char *file = strchr(row, ':') != NULL ? strsep(&row, ":") : first(section, "theirs");
    char *const word = strsep(&row, "/");
    return file != NULL && paper_read(file, theirs) == QP_OK ? paper_line(theirs, word, row) : -1;
}

static double their_number(const struct section *section, char *row, const char *head)
{
    struct paper_table theirs = {.columns = 0};
    const int line = find(section, row, &theirs);
    return paper_number(&theirs, line, head);
}

/* A figure of the table's own file at the width. */
static double figure_of(const struct section *section, char *name)
{
    char width[16];
    snprintf(width, sizeof width, "%d", section->width);
    return their_number(section, name, width);
}

static double value_of(const struct section *section, char *name)
{
    const struct described_value here[] = {DESCRIBED("n", section->width),
                                           DESCRIBED("h", section->height),
                                           DESCRIBED("c", (double)section->width * section->height),
                                           DESCRIBED("p", section->parameter),
                                           {0}};
    const struct described_value *const lists[] = {here, section->values};
    for (int i = 0; i < 2; i++) {
        for (const struct described_value *v = lists[i]; v != NULL && v->name != NULL; v++) {
            if (strcmp(v->name, name) == 0 && (v->width == 0 || v->width == section->width))
                return v->value;
        }
    }
    return figure_of(section, name);
}

/* Replaces each name after a dollar. */
static char *fill(const struct section *section, const char *text, char out[CELL])
{
    size_t used = 0;
    for (out[0] = '\0'; *text != '\0' && used + 1 < CELL;) {
        const size_t plain = strcspn(text, "$");
        char name[32] = "";
        int length = 0;
        used += (size_t)snprintf(out + used, CELL - used, "%.*s", (int)plain, text);
        text += plain;
        if (*text != '$' || used + 1 >= CELL)
            continue;
        sscanf(++text, "%31[a-z0-9_]%n", name, &length);
        const char *field = isdigit(name[0]) ? section->field[name[0] - '0'] : NULL;
        if (field != NULL)
            used += (size_t)snprintf(out + used, CELL - used, "%s", field);
        else
            used += (size_t)snprintf(out + used, CELL - used, "%.15g", value_of(section, name));
        text += length;
    }
    return out;
}

double described_product(const char *text)
{
    char *at;
    double value = strtod(text, &at);
    while (*at == '*' || *at == '/') {
        const bool times = *at == '*';
        const double by = strtod(at + 1, &at);
        value = times ? value * by : value / by;
    }
    return value;
}

/* ---- Plans ---- */

static bool is_planned(const struct paper_bench *bench, const struct paper_line *grid)
{
    const struct paper_line *line = bench->line, *end = line + bench->lines;
    while (line < end &&
           (line->tag != grid->tag || line->width != grid->width || line->block != grid->block ||
            line->parameter != grid->parameter || strcmp(line->problem, grid->problem) != 0))
        line++;
    return line < end;
}

/* Adds a size of a grid, for parameters up to the largest. */
static void add_size(struct paper_bench *bench, struct paper_line grid, int most, const char *size)
{
    const bool shrinks = size[0] == '<';
    if (sscanf(size + shrinks, "%dx%d", &grid.width, &grid.height) == 1)
        grid.height = grid.width;
    if (shrinks && bench->given.record != NULL && bench->options->width == 0)
        grid.width = grid.height = paper_given_width(bench, grid.problem, grid.first, grid.width);
    else if (shrinks)
        grid.width = grid.height = paper_side(bench, grid.width);
    for (; grid.parameter <= most; grid.parameter++) {
        if (!is_planned(bench, &grid))
            paper_add_grid(bench, &grid);
    }
}

static void add_grid(struct paper_bench *bench, const struct section *section, const char *rest,
                     int first_row)
{
    struct paper_line grid = {.parameter = -1, .tag = section->tag, .first = first_row};
    int most = -1;
    char text[CELL], *words = fill(section, rest, text), *word;
    snprintf(grid.problem, sizeof grid.problem, "%s", strsep(&words, " "));
    while ((word = strsep(&words, " ")) != NULL) {
        if (sscanf(word, "p=%d-%d", &grid.parameter, &most) < 1 &&
            sscanf(word, "steps=%d", &grid.steps) != 1 &&
            sscanf(word, "repeats=%d", &grid.repeats) != 1 &&
            sscanf(word, "block=%d", &grid.block) != 1)
            add_size(bench, grid, most, word);
    }
}

/* Adds variants that are not there from `first_row` on. */
static void add_rows(struct paper_bench *bench, const char *rest, int first_row)
{
    char text[4 * CELL], *part[DIRECTIVES];
    if (strlen(rest) >= sizeof text)
        paper_refuse(bench, sizeof text - 1, "characters of a line");
    snprintf(text, sizeof text, "%s", rest);
    const int count = paper_cut(text, "|", part, DIRECTIVES);
    for (int i = 0; i < count; i++) {
        int row = first_row;
        while (row < bench->variants && strcmp(bench->variant[row]->name, part[i]) != 0)
            row++;
        if (row == bench->variants)
            paper_add_variant(bench, part[i]);
    }
}

static void plan_section(struct paper_bench *bench, const struct section *section)
{
    int first_row = bench->variants;
    bool taken = false;
    for (int i = 0; i < section->directives; i++) {
        const char *word = section->directive[i].word, *rest = section->directive[i].rest;
        if (strcmp(word, "grid") == 0) {
            add_grid(bench, section, rest, first_row);
            taken = true;
        } else if (strcmp(word, "line") == 0 || strcmp(word, "rows") == 0) {
            first_row = taken ? bench->variants : first_row;
            taken = false;
            add_rows(bench, rest, first_row);
        }
    }
    if (!taken) /* no grid takes the last of them */
        bench->variants = first_row;
}

void described_plan(struct paper_bench *bench, const char *name,
                    const struct described_value *values)
{
    struct section section = {.bench = bench, .values = values};
    const char *found;
    for (int k = 0; read_section(&section, k, &found); k++) {
        if (name == NULL || strcmp(found, name) == 0)
            plan_section(bench, &section);
    }
    if (section.beyond != NULL)
        paper_refuse(bench, section.most, section.beyond);
}

/* ---- Cells ---- */

static bool has_row(const struct paper_bench *bench, const struct paper_line *line,
                    const char *name)
{
    int row = line->first;
    while (row < line->end && strcmp(bench->variant[row]->name, name) != 0)
        row++;
    return row < line->end;
}

/* A variant's record at this place: of the table's own grids, or else of any. */
static const struct qp_record *record_of(const struct section *section, const char *variant)
{
    const struct paper_bench *bench = section->bench;
    for (int any = 0; any < 2; any++) {
        for (int k = 0; k < bench->planned; k++) {
            const struct paper_line *line = &bench->line[k];
            if ((any || line->tag == section->tag) && line->width == section->width &&
                line->parameter == section->parameter && has_row(bench, line, variant))
                return paper_record(bench, k, variant);
        }
    }
    return NULL;
}

static double measure_of(const struct qp_record *record, const char *name)
{
    const double step = record != NULL ? record->seconds / record->iterations : NAN;
    if (record == NULL || strcmp(name, "step") == 0)
        return step;
    return strcmp(name, "glups") == 0      ? record->glups
           : strcmp(name, "gflops") == 0   ? record->gflops
           : strcmp(name, "vertices") == 0 ? record->vertices / step
                                           : record->gbytes_per_s;
}

/* Digits as a description says: two more for what is small where a plus follows. */
static int digits_of(const char *text, double value)
{
    return atoi(text) + (strchr(text, '+') != NULL && value < 0.1 ? 2 : 0);
}

static void put_theirs(struct table *table, struct section *section, char *part[])
{
    struct paper_table theirs = {.columns = 0};
    const int line = find(section, part[0], &theirs);
    table_theirs(table, &theirs, line, part[1]);
}

static void put_number(struct table *table, struct section *section, char *part[])
{
    table_number(table, atoi(part[0]), their_number(section, part[1], part[2]));
}

static void put_value(struct table *table, struct section *section, char *part[])
{
    const double value = part[1][0] != '\0' ? described_product(part[1]) : NAN;
    (void)section;
    table_number(table, digits_of(part[0], value), value);
}

static void put_share(struct table *table, struct section *section, char *part[])
{
    const double of = their_number(section, part[2], part[3]);
    table_number(table, atoi(part[0]), their_number(section, part[1], part[3]) / of);
}

static void put_rate(struct table *table, struct section *section, char *part[])
{
    const struct qp_record *ours = record_of(section, part[3]);
    table_rate(table, atoi(part[0]), ours, described_product(part[1]) * measure_of(ours, part[2]));
}

/* Two records, and a measure of one over that of the other. */
struct pair {
    const struct qp_record *ours, *over;
    double ratio;
};

static struct pair compare(const struct section *section, char *part[])
{
    struct pair pair = {.ours = record_of(section, part[2]), .over = record_of(section, part[3])};
    pair.ratio = measure_of(pair.ours, part[1]) / measure_of(pair.over, part[1]);
    return pair;
}

static void put_ratio(struct table *table, struct section *section, char *part[])
{
    const struct pair pair = compare(section, part);
    table_ratio(table, atoi(part[0]), pair.ours, pair.over, pair.ratio);
}

static void put_judged(struct table *table, struct section *section, char *part[])
{
    const struct qp_record *ours = record_of(section, part[2]);
    if (ours != NULL && !isnan(ours->seconds))
        put_ratio(table, section, part);
    else
        table_rate(table, 0, ours, NAN);
}

static void put_faster(struct table *table, struct section *section, char *part[])
{
    const struct pair pair = compare(section, part);
    table_ratio(table, atoi(part[0]), pair.ours, pair.over, 100.0 * (pair.ratio - 1.0));
}

static void put_saved(struct table *table, struct section *section, char *part[])
{
    const struct pair pair = compare(section, part);
    const bool noisy = figure_is_noisy(pair.ours) || figure_is_noisy(pair.over);
    table_number_of(table, atoi(part[0]), pair.ours, noisy ? NAN : 1.0 - pair.ratio);
}

static void put_time(struct table *table, struct section *section, char *part[])
{
    const struct qp_record *ours = record_of(section, part[1]);
    const double step = measure_of(ours, "step");
    table_time(table, digits_of(part[0], step), ours, step, "");
}

static void put_seconds(struct table *table, struct section *section, char *part[])
{
    const struct qp_record *ours = record_of(section, part[2]);
    const int steps = atoi(part[1]), taken = ours != NULL ? ours->iterations : steps;
    table_time(table, atoi(part[0]), ours, ours != NULL ? ours->seconds * steps / taken : NAN,
               taken != steps ? "~" : "");
}

static void put_steps(struct table *table, struct section *section, char *part[])
{
    const struct qp_record *ours = record_of(section, part[0]);
    table_number(table, 0, ours != NULL ? ours->iterations : NAN);
}

static void put_cell(struct table *table, struct section *section, const char *cell)
{
    static const struct {
        const char *word;
        void (*put)(struct table *table, struct section *section, char *part[]);
    } kinds[] = {{"=theirs", put_theirs}, {"=number", put_number}, {"=value", put_value},
                 {"=share", put_share},   {"=rate", put_rate},     {"=ratio", put_ratio},
                 {"=judged", put_judged}, {"=faster", put_faster}, {"=seconds", put_seconds},
                 {"=saved", put_saved},   {"=time", put_time},     {"=steps", put_steps}};
    char text[CELL], *part[PARTS];
    fill(section, cell, text);
    if (text[0] != '=') {
        table_text(table, "%s", text);
        return;
    }
    paper_cut(text, " ", part, PARTS);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(part[0], kinds[i].word) == 0)
            kinds[i].put(table, section, part + 1);
    }
}

/* ---- Tables ---- */

/* Widths of columns that are repeated: those that are given, or of the table's own grids. */
static int widths_of(const struct section *section, int widths[MOST_PAPER_LINES])
{
    const struct paper_bench *bench = section->bench;
    const char *given = first(section, "across");
    int count = 0;
    for (int read; given != NULL && count < MOST_PAPER_LINES &&
                   sscanf(given, "%d%n", &widths[count], &read) == 1;
         count++)
        given += read;
    for (int k = 0; k < bench->planned && given == NULL; k++) {
        int i = 0;
        while (i < count && widths[i] != bench->line[k].width)
            i++;
        widths[i] = bench->line[k].width;
        count += bench->line[k].tag == section->tag && i == count;
    }
    return count;
}

static void put_cells(struct table *table, struct section *section, const char *word)
{
    const char *rest;
    for (int at = 0; (rest = next(section, word, &at)) != NULL;) {
        char text[4 * CELL], *cells = text, *cell;
        snprintf(text, sizeof text, "%s", rest);
        if (strcmp(strsep(&cells, "|"), section->field[0]) != 0)
            continue;
        while ((cell = strsep(&cells, "|")) != NULL)
            put_cell(table, section, cell);
    }
}

/* Writes a line at the place of the section: cells, and those that are repeated. */
static void put_line(struct table *table, struct section *section, const char *rest)
{
    int widths[MOST_PAPER_LINES], at = 0;
    const int width = section->width, count = widths_of(section, widths);
    paper_cut(fill(section, rest, section->line), "|", section->field, FIELDS);
    for (const char *shape; (shape = next(section, "ran", &at)) != NULL;) {
        if (strcmp(shape, section->field[0]) == 0 && !isdigit(section->field[1][0]) &&
            record_of(section, section->field[1]) == NULL)
            return;
    }
    put_cells(table, section, "cells");
    for (int i = 0; i < count; i++) {
        section->width = widths[i];
        put_cells(table, section, "cells*");
    }
    section->width = width;
    table_end_row(table);
}

static void put_lines(struct table *table, struct section *section)
{
    const char *rest, *name = first(section, "lines");
    struct section other = {.bench = section->bench};
    if (name != NULL)
        read_named(&other, name);
    for (int at = 0; (rest = next(name != NULL ? &other : section, "line", &at)) != NULL;)
        put_line(table, section, rest);
}

/* Goes to the place of a grid. */
static void go_to(struct section *section, const struct paper_line *line)
{
    section->width = line->width;
    section->height = line->height;
    section->parameter = line->parameter;
}

static void put_heads(struct table *table, struct section *section)
{
    char text[CELL];
    int widths[MOST_PAPER_LINES], at = 0;
    const int width = section->width, count = widths_of(section, widths);
    const char *rest;
    while ((rest = next(section, "columns", &at)) != NULL)
        table_columns(table, fill(section, rest, text));
    for (int i = 0; i < count; i++) {
        section->width = widths[i];
        for (at = 0; (rest = next(section, "columns*", &at)) != NULL;)
            table_columns(table, fill(section, rest, text));
    }
    section->width = width;
    table->bare = first(section, "bare") != NULL;
    table_heads(table);
}

static void print_section(struct section *section)
{
    const struct paper_bench *bench = section->bench;
    const char *rest, *width = first(section, "at");
    const bool down = first(section, "down") != NULL;
    const int own = paper_tagged(bench, section->tag);
    struct table table = table_begin(bench);
    char text[CELL];
    go_to(section, &(struct paper_line){.width = width != NULL ? atoi(width) : 0, .parameter = -1});
    if (own >= 0 && width == NULL)
        go_to(section, &bench->line[own]);
    for (int at = 0; (rest = next(section, ">", &at)) != NULL;)
        fprintf(bench->out, "%s\n", fill(section, rest, text));
    if (first(section, "columns") == NULL)
        return;
    if (bench->links != NULL && first(section, "plot") != NULL)
        fprintf(bench->out, "@plot %s\n", first(section, "plot"));
    put_heads(&table, section);
    if (!down)
        put_lines(&table, section);
    for (int k = 0; k < bench->lines && down; k++) {
        go_to(section, &bench->line[k]);
        if (bench->line[k].tag == section->tag)
            put_lines(&table, section);
    }
    if (first(section, "end") != NULL)
        table_end(&table);
}

void described_print(const struct paper_bench *bench, const char *name,
                     const struct described_value *values)
{
    struct section section = {.bench = bench, .values = values};
    const char *found;
    for (int k = 0; read_section(&section, k, &found); k++) {
        if (name == NULL || strcmp(found, name) == 0)
            print_section(&section);
    }
}

double described_figure(const struct paper_bench *bench, const char *name, const char *row,
                        const char *head)
{
    struct section section = {.bench = bench};
    char text[CELL];
    read_named(&section, name);
    snprintf(text, sizeof text, "%s", row);
    return their_number(&section, text, head);
}

int described_line(const struct paper_bench *bench, const char *name)
{
    struct section section = {.bench = bench};
    read_named(&section, name);
    return paper_tagged(bench, section.tag);
}
