/* SPDX-License-Identifier: MIT */
/* Measures for the report by `bench`, whose tables go nowhere: the papers' tables first, then what
 * claims and places have that no table measured, an operation and a kind of problem at a time. */
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/status.h"
#include "tools/cmd/report/report.h"

enum { MOST_WANTED = 600 };

/* Side of the largest grid of each paper's quick run, 0: as large as its own, and its minutes:
 * some two for all of them, so that a minute is left for the rest. */
static const struct {
    int side;
    double minutes;
} quick[PAPERS] = {{256, 0.2}, {250, 0.25}, {0, 0.25}, {1024, 0.3}, {256, 0.3}};

/* Work under way. */
struct run {
    struct report *report;
    struct command all; /* all records so far */
    struct report_what wanted[MOST_WANTED];
    int count;
};

/* Runs `bench` with these options, and keeps its records. */
static enum qp_status bench(struct run *run, struct options *options)
{
    struct command one = {.options = options};
    options->from_count = 0; /* records of --with are shown, and not in place of runs */
    enum qp_status status = cmd_bench(options, &one);
    for (int i = 0; i < one.count && status == QP_OK; i++)
        status = command_add(&run->all, &one.records[i]);
    if (one.code != EXIT_GOOD && run->all.code == EXIT_GOOD)
        run->all.code = one.code;
    qp_context_destroy(&one.context);
    free(one.records);
    return status;
}

static enum qp_status measure_paper(struct run *run, int paper, FILE *nowhere)
{
    struct options options = *run->report->options;
    options.paper = paper;
    options.lines_only = true;
    options.table = nowhere;
    if (options.quick) {
        options.width = options.height = quick[paper - 1].side;
        options.budget = quick[paper - 1].minutes;
    }
    return bench(run, &options);
}

/* ---- Variants that no table has ---- */

static bool is_measured(const struct run *run, const char *name)
{
    const struct report_what what = report_read_what(name);
    for (int i = 0; i < run->all.count; i++) {
        if (report_is(&run->all.records[i], &what))
            return true;
    }
    return false;
}

static void want(struct run *run, const char *name)
{
    const struct report_what what = report_read_what(name);
    bool known = what.variant == NULL || run->count == MOST_WANTED;
    for (int i = 0; i < run->count && !known; i++) {
        const struct report_what *other = &run->wanted[i];
        known = other->variant == what.variant && other->parameter == what.parameter &&
                strcmp(other->kind, what.kind) == 0;
    }
    if (!known)
        run->wanted[run->count++] = what;
}

static bool is_asked_for(const struct report *report, const char *paper)
{
    const char *papers = report->options->papers;
    return papers == NULL || strchr(papers, paper[0]) != NULL;
}

static void want_all(struct run *run)
{
    char *field[REPORT_FIELDS], *name;
    char *claims = report_list("papers/claims.csv"), *places = report_list("papers/places.csv");
    const struct records_given given = {.record = run->all.records, .count = run->all.count};
    for (char *rest = claims; claims != NULL && report_line(&rest, REPORT_CLAIM, field);) {
        if (!is_asked_for(run->report, field[0]) || report_is_judged(&given, field))
            continue;
        want(run, field[4] + (field[4][0] == '='));
        want(run, field[5]);
    }
    for (char *rest = places; places != NULL && report_line(&rest, 4, field);) {
        while (is_asked_for(run->report, field[0]) && (name = strsep(&field[3], " ")) != NULL) {
            if (!is_measured(run, name))
                want(run, name);
        }
    }
    free(claims);
    free(places);
}

static bool are_together(const struct report_what *a, const struct report_what *b)
{
    return strcmp(a->variant->op, b->variant->op) == 0 && a->parameter == b->parameter &&
           strcmp(a->kind, b->kind) == 0;
}

/* Measures the wanted ones that go together with this one, which is the first of them; quickly at
 * the least size of benchmarks. */
static enum qp_status measure_together(struct run *run, int first, FILE *nowhere)
{
    const struct report_what *what = &run->wanted[first];
    struct options options = *run->report->options;
    const struct qp_size *least = qp_op_find(what->variant->op)->runs->bench_sizes;
    options.table = nowhere;
    options.problem = what->kind[0] != '\0' ? what->kind : NULL;
    if (what->parameter >= 0) {
        options.parameters[0] = what->parameter;
        options.parameter_count = 1;
    }
    if (options.quick) {
        options.width = least->width;
        options.height = least->height;
        options.repeats = 3;
    }
    enum qp_status status = QP_OK;
    for (int i = first; i < run->count && status == QP_OK && !cmd_interrupted;) {
        for (options.word_count = 0; i < run->count && options.word_count < MOST_WORDS; i++) {
            if (are_together(what, &run->wanted[i]))
                options.words[options.word_count++] = run->wanted[i].variant->name;
        }
        if (options.word_count > 0)
            status = bench(run, &options);
    }
    return status;
}

static enum qp_status measure_rest(struct run *run, FILE *nowhere)
{
    enum qp_status status = QP_OK;
    want_all(run);
    for (int i = 0; i < run->count && status == QP_OK && !cmd_interrupted; i++) {
        int before = 0;
        while (before < i && !are_together(&run->wanted[before], &run->wanted[i]))
            before++;
        if (before == i)
            status = measure_together(run, i, nowhere);
    }
    if (cmd_interrupted)
        snprintf(run->report->missing + strlen(run->report->missing), 128, "%s",
                 "variants of other claims and places");
    return status;
}

/* ---- All of it ---- */

static enum qp_status measure_all(struct run *run, FILE *nowhere)
{
    enum qp_status status = QP_OK;
    char *missing = run->report->missing;
    for (int paper = 1; paper <= PAPERS && status == QP_OK; paper++) {
        const char digit[] = {(char)('0' + paper), '\0'};
        if (is_asked_for(run->report, digit) && !cmd_interrupted)
            status = measure_paper(run, paper, nowhere);
        if (is_asked_for(run->report, digit) && cmd_interrupted)
            snprintf(missing + strlen(missing), 64, "tables of paper %d, ", paper);
    }
    return status == QP_OK ? measure_rest(run, nowhere) : status;
}

/* Writes the records with a head of the device that OpenGL has. */
static enum qp_status write_records(struct run *run, const char *path)
{
    struct options options = *run->report->options;
    options.json = path;
    if (command_open_for(&run->all, NULL) != QP_OK)
        run->all.context = NULL; /* the head names no device */
    return cmd_write_records(&options, run->all.context, run->all.records, run->all.count);
}

enum qp_status report_measure(struct report *report, const char *path)
{
    struct options options = *report->options;
    struct run run = {.report = report, .all = {.options = &options}};
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL)
        return qp_fail(QP_BAD_INPUT, "/dev/null cannot be opened, where tables go");
    cmd_catch_interrupt();
    enum qp_status status = measure_all(&run, nowhere);
    report->ends_early = cmd_interrupted;
    report->code = run.all.code;
    report->measured = run.all.count > 0;
    if (status == QP_OK && report->measured)
        status = write_records(&run, path);
    fclose(nowhere);
    qp_context_destroy(&run.all.context);
    free(run.all.records);
    return status;
}
