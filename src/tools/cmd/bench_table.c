/* SPDX-License-Identifier: MIT */
#include "tools/cmd/sweep.h"

#include <math.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/output/figures.h"
#include "tools/cmd/output/terminal.h"

/* Wide enough for "two_attachments rect b=16384". */
enum { STYLE_WIDTH = 28 };

static void print_style(FILE *table, const struct qp_record *r)
{
    char group[STYLE_WIDTH + 1] = "", text[2 * STYLE_WIDTH] = "";
    if (r->group_x > 0)
        snprintf(group, sizeof group, "%dx%d", r->group_x, r->group_y);
    if (r->style.block > 0)
        snprintf(group, sizeof group, "b=%d", r->style.block);
    if (r->style.block > 0 && r->occupancy > 0.0)
        snprintf(group, sizeof group, "b=%d occupancy %.2f", r->style.block, r->occupancy);
    if (r->variant->backend == QP_GL)
        snprintf(text, sizeof text, "%s %s %s", qp_pingpong_name(r->style.pingpong),
                 qp_target_name(r->style.target), group);
    else
        snprintf(text, sizeof text, "%s", group);
    fprintf(table, " %-*s", STYLE_WIDTH, text);
}

/* Name of a variant; on a terminal without its operation, which the head has, so that a line
 * fits. */
static const char *shown_name(const FILE *table, const struct qp_variant *variant)
{
    return terminal_columns(table) > 0 ? strchr(variant->name, '/') + 1 : variant->name;
}

static int name_width(const FILE *table, const struct bench_variants *variants)
{
    int longest = 0;
    for (int i = 0; i < variants->count; i++)
        longest = qp_most(longest, (int)strlen(shown_name(table, variants->variant[i])));
    return longest;
}

/* Vertices are what blocks cost. */
static bool counts_vertices(const struct bench_variants *part)
{
    int i = 0;
    const struct qp_block_rule *rule = NULL;
    while (i < part->count && (rule == NULL || !rule->drawn))
        rule = part->variant[i++]->recipe->blocks;
    return rule != NULL && rule->drawn;
}

/* Steps of a run, or from the least to the most: GPUs take more than processors. Launches of
 * asynchronous variants are apart. */
static void print_steps(const struct qp_record *record, int count, char text[96])
{
    int least[2] = {0}, most[2] = {0}, used = 0; /* steps, and launches */
    char number[2][32];
    for (int i = 0; i < count; i++) {
        const int kind = qp_recipe_alpha_rule(record[i].variant->recipe) != NULL;
        least[kind] =
            most[kind] > 0 ? qp_least(least[kind], record[i].iterations) : record[i].iterations;
        most[kind] = qp_most(most[kind], record[i].iterations);
    }
    for (int kind = 0; kind < 2; kind++)
        snprintf(number[kind], sizeof number[kind], least[kind] < most[kind] ? "%d to %d" : "%d",
                 least[kind], most[kind]);
    if (most[0] > 0)
        used = snprintf(text, 48, "%s steps a run", number[0]);
    if (most[1] > 0)
        snprintf(text + used, 96 - (size_t)used, "%sasynchronous variants in %s launches",
                 used > 0 ? ", " : "", number[1]);
}

/* A trial's is in no table, and has nothing of its own to say here. */
static const struct qp_op *op_of(const struct qp_record *record)
{
    static const struct qp_op own = {.name = "kernel", .runs = &qp_usual_runs};
    const struct qp_op *op = qp_op_find(record->variant->op);
    return op != NULL ? op : &own;
}

int cmd_part(const struct qp_op *op, int systems)
{
    return systems == 4 && !op->runs->whole_systems ? 2 : 1;
}

static void print_head(FILE *table, const struct qp_record *record,
                       const struct bench_variants *variants)
{
    const struct qp_op *op = op_of(record);
    const int part = cmd_part(op, record->systems);
    char parameter[128] = "", steps[96];
    print_steps(record, variants->count, steps);
    const struct qp_kind *kind = qp_op_kind_at(op, qp_op_kind(op, record->problem));
    if (kind->range.what != NULL)
        snprintf(parameter, sizeof parameter, ", %s, parameter %d (%s)", record->problem,
                 record->parameter, kind->range.what);
    if (op->runs->counts_systems)
        fprintf(table, "%d systems of %d unknowns, %s\n", record->systems, record->width, steps);
    else if (record->systems > qp_variant_systems(record->variant))
        fprintf(table, "%d grids of %d x %d cells, %s\n", record->systems, record->width,
                record->height, steps);
    else
        fprintf(table, "%d x %d cells%s, %s\n", part * record->width, part * record->height,
                parameter, steps);
    fprintf(table, "%-*s %-*s%-5s %7s %7s %9s %4s %8s %7s %7s %7s %7s%s\n",
            name_width(table, variants), terminal_columns(table) > 0 ? op->name : "variant",
            variants->compares ? STYLE_WIDTH + 1 : 0, variants->compares ? "style" : "", "",
            "error", "allowed", "run ms", "+-%", "send ms", "back ms",
            op->runs->counts_systems ? "Msys/s" : "GLUP/s", "GB/s", "GFLOP/s",
            counts_vertices(variants) ? " Mvertices/s" : "");
}

/* Run time, its spread, transfers and rates. */
static void print_figures(FILE *table, const struct qp_record *r)
{
    char run[FIGURE_SIZE], rate[3][FIGURE_SIZE], spread[16] = "-";
    const double systems = 1e-6 * r->systems * r->iterations / r->seconds; /* a batch's */
    const bool is_batch = op_of(r)->runs->counts_systems;
    const double rates[] = {is_batch ? systems : r->glups, r->gbytes_per_s, r->gflops},
                 wide = 100.0 * figure_spread(r);
    if (!isnan(wide))
        snprintf(spread, sizeof spread, "%.*f", wide < 9.95 ? 1 : 0, wide);
    figure_print(run, 3, r, 1e3 * r->seconds, true);
    for (int i = 0; i < 3; i++)
        figure_print(rate[i], i == 0 ? 4 : 2, r, rates[i], false);
    if (isnan(rates[2]))
        strcpy(rate[2], "-");
    fprintf(table, " %9s %4s %8.3f %7.3f %7s %7s %7s", run, spread, 1e3 * r->upload_seconds,
            1e3 * r->readback_seconds, rate[0], rate[1], rate[2]);
}

void bench_print_record(FILE *table, const struct qp_record *r,
                        const struct bench_variants *variants)
{
    fprintf(table, "%-*s", name_width(table, variants), shown_name(table, r->variant));
    if (variants->compares)
        print_style(table, r);
    fprintf(table, " %s", terminal_verdict(table, r->verdict, 5));
    if (isnan(r->seconds)) {
        fprintf(table, " %s\n", r->reason);
        return;
    }
    if (r->verdict == QP_BOUND || r->verdict == QP_UNCHECKED)
        fprintf(table, " %7s %7s", "-", "-");
    else
        fprintf(table, " %7.1e %7.1e", r->error, r->tolerance);
    print_figures(table, r);
    if (counts_vertices(variants) && r->vertices > 0.0)
        fprintf(table, " %11.4g", 1e-6 * r->vertices * r->iterations / r->seconds);
    fputc('\n', table);
}

void bench_print_table(FILE *table, const struct qp_record *records,
                       const struct bench_variants *variants)
{
    print_head(table, records, variants);
    for (int i = 0; i < variants->count; i++)
        bench_print_record(table, &records[i], variants);
}

void bench_print_tuned(FILE *table, struct qp_record *r, const char *tuned)
{
    if (tuned[0] == '\0' || r->verdict == QP_FAIL || r->verdict == QP_SKIP)
        return;
    fprintf(table, "  %s: tuned %s\n", r->variant->name, tuned);
    snprintf(r->reason, sizeof r->reason, "tuned %s", tuned);
}
