/* SPDX-License-Identifier: MIT */
/* `quadpass model`: how a grid is best shared between two unlike parts, by a model that is made
 * from short runs, beside the measured sweep; the split that it finds is kept for later runs. */
#include "tools/cmd/cmd.h"

#include <math.h>
#include <stdlib.h>

#include "lab/engines/parts/parts.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/output/svg.h"
#include "tools/tune/runs.h"

enum { DEFAULT_SIZE = 1024 };

/* ---- The table ---- */

static bool is_one_kind(const struct qp_variant *variant)
{
    return qp_parts_run_alike(variant->recipe->own);
}

/* Name of the variant that a part runs, or where both parts run the same variant, of its device. */
static const char *name_of(const struct qp_variant *variant, int part)
{
    const struct qp_parts_variant *parts = variant->recipe->own;
    if (is_one_kind(variant))
        return part == 0 ? "the first device" : "the second device";
    return parts->runs[part].name;
}

static void print_run(FILE *out, const char *what, const struct qp_tuned_split *run, int height,
                      const char *mark)
{
    fprintf(out, "%-30s%8d%7.1f %%%12.4g%12.4g%9.3f%s\n", what, run->rows,
            100.0 * run->rows / height, 1e3 * run->measured, 1e3 * run->predicted,
            run->predicted / run->measured, mark);
}

static const char *mark_of(const struct qp_tuned *tuning, int k)
{
    if (k == tuning->best && k == tuning->optimum)
        return "  best by both";
    return k == tuning->best ? "  best by the model" : k == tuning->optimum ? "  fastest" : "";
}

static void print_curve(FILE *out, const char *name, const struct qp_curve *curve)
{
    fprintf(out, "%s: %s, off by %.1f %% where it was not told the time\n", name,
            qp_curve_name(curve->form), 100.0 * curve->residual);
}

/* Says if the grid is worth splitting. */
static void print_advice(FILE *out, const struct qp_variant *variant, const struct qp_tuned *tuning)
{
    const struct qp_tuned_split *best = &tuning->run[tuning->best],
                                *optimum = &tuning->run[tuning->optimum];
    const double *alone = tuning->learned.alone;
    const int faster = alone[1] <= alone[0];
    fprintf(out, "alone the parts are %.1f times apart, %s being the faster\n",
            alone[!faster] / alone[faster], name_of(variant, faster));
    if (best->rows == 0 || best->rows == tuning->model.height)
        fprintf(out, "advice: no split, the whole grid to %s; ", name_of(variant, faster));
    else
        fprintf(out, "advice: %d rows to %s, %.1f %% faster than %s alone; ", best->rows,
                name_of(variant, 0), 100.0 * (alone[faster] / best->predicted - 1.0),
                name_of(variant, faster));
    fprintf(out, "measured, it takes %.3f of the fastest split's time\n",
            best->measured / optimum->measured);
}

/* Prints the predicted times on more devices than the two alike on which the parts ran; nothing if
 * there were no such two. */
static void print_more_devices(FILE *out, const struct qp_tuned *tuning)
{
    for (int devices = qp_tuned_next_devices(tuning, 2); devices > 0;
         devices = qp_tuned_next_devices(tuning, devices)) {
        const double seconds = qp_model_seconds_on(&tuning->model, devices);
        fprintf(out,
                "%d devices: %.4g ms a step, %.2f times as fast as one; predicted by one device's "
                "curve and the exchange, not measured\n",
                devices, 1e3 * seconds, tuning->learned.alone[1] / seconds);
    }
}

static void print_tuning(FILE *out, const struct qp_variant *variant, const struct qp_tuned *tuning)
{
    static const char *const both[] = {"", "", "both, told", "both"};
    const struct qp_model *model = &tuning->model;
    const struct qp_record *first = &tuning->run[0].record;
    fprintf(out, "\n%s on %d x %d, %d steps, ms a step\n\n%-30s%8s%9s%12s%12s%9s\n", variant->name,
            first->width, model->height, first->iterations, "computed by", "rows", "of all",
            "measured", "predicted", "ratio");
    for (int k = 0; k < tuning->count; k++) {
        const struct qp_tuned_split *run = &tuning->run[k];
        const bool one = run->what == QP_TUNE_LOWER || run->what == QP_TUNE_UPPER;
        if (k > 0 && run->what != tuning->run[k - 1].what && !one)
            fputc('\n', out);
        print_run(out, one ? name_of(variant, run->what) : both[run->what], run, model->height,
                  run->what == QP_TUNE_SWEEP ? mark_of(tuning, k) : "");
    }
    fputc('\n', out);
    print_curve(out, name_of(variant, 0), &model->part[0]);
    print_curve(out, name_of(variant, 1), &model->part[1]);
    fprintf(out,
            "exchange: %.4g ms a step; the longer part waits for %.2f of the shorter one's time\n",
            1e3 * model->exchange, model->hindrance);
    print_advice(out, variant, tuning);
    print_more_devices(out, tuning);
}

/* ---- The picture: times of both parts and of the whole against the rows of the lower part, as in
 * paper 5's figure 14, with what was measured ---- */

enum { POINTS = 65 };

/* Milliseconds of a part, 0 the lower and 1 the upper, or of both, where the lower has this share
 * of the rows. */
static double predicted(const struct qp_model *model, int part, double share)
{
    const double rows = model->height * share;
    return 1e3 * (part == 0   ? qp_curve_seconds(&model->part[0], rows)
                  : part == 1 ? qp_curve_seconds(&model->part[1], model->height - rows)
                              : qp_model_seconds(model, rows));
}

/* The largest time in the picture. */
static double most_of(const struct qp_tuned *tuning)
{
    double most = 0.0;
    for (int k = 0; k < tuning->count; k++)
        most = fmax(most, 1e3 * tuning->run[k].measured);
    for (int i = 0; i < 3 * POINTS; i++)
        most = fmax(most, predicted(&tuning->model, i / POINTS, i % POINTS / (POINTS - 1.0)));
    return most;
}

/* A part's curve and its samples, which lie where the other part would have the rest; with its line
 * of the legend. */
static void draw_curve(struct svg *svg, const struct svg_ruler *axes, const struct qp_tuned *tuning,
                       int part, struct svg_paint paint, const char *name)
{
    static const enum qp_tuned_form forms[] = {QP_TUNE_LOWER, QP_TUNE_UPPER, QP_TUNE_SWEEP};
    enum { DOT = 5 };
    double points[2 * POINTS];
    for (int k = 0; k < POINTS; k++) {
        points[2 * k] = svg_across(k / (POINTS - 1.0));
        points[2 * k + 1] = svg_along(axes, predicted(&tuning->model, part, k / (POINTS - 1.0)));
    }
    svg_curve(svg, points, POINTS, paint);
    for (int k = 0; k < tuning->count; k++) {
        const struct qp_tuned_split *run = &tuning->run[k];
        const double share = (double)run->rows / tuning->model.height;
        if (run->what == forms[part])
            svg_rectangle(svg, svg_across(part == 1 ? 1.0 - share : share) - DOT / 2.0,
                          svg_along(axes, 1e3 * run->measured) - DOT / 2.0, DOT, DOT,
                          (struct svg_paint){.fill = part == 2 ? paint.stroke : "#fff",
                                             .stroke = paint.stroke});
    }
    svg_line(svg, SVG_LEFT, svg->height, SVG_LEFT + 30, svg->height, paint);
    svg_text(svg, SVG_LEFT + 36, svg->height + 4, SVG_TEXT, SVG_START, "%s", name);
    svg->height += SVG_LINE;
}

/* The picture, "-" to standard output; `lower` and `upper` name what the parts run. Errors: those
 * of svg_end. */
static enum qp_status draw_picture(const char *path, const struct qp_tuned *tuning,
                                   const char *title, const char *lower, const char *upper)
{
    struct svg svg;
    const struct qp_tuned_split *best = &tuning->run[tuning->optimum];
    const enum qp_status status = svg_begin(&svg);
    if (status == QP_OK) {
        svg_title(&svg, "%s", title);
        svg_describe(&svg,
                     "Milliseconds of a step against the rows of the lower part, %d in all: of %s "
                     "alone, of %s alone, and of both. The fastest that was measured has %d rows "
                     "in the lower part and takes %.3g ms.",
                     tuning->model.height, lower, upper, best->rows, 1e3 * best->measured);
        const struct svg_ruler axes =
            svg_draw_axes(&svg, most_of(tuning), "rows of the lower part; up: ms a step");
        draw_curve(&svg, &axes, tuning, 0, (struct svg_paint){.stroke = "#1d6fa5", .dash = "6 3"},
                   lower);
        draw_curve(&svg, &axes, tuning, 1, (struct svg_paint){.stroke = "#b5560b", .dash = "2 3"},
                   upper);
        draw_curve(&svg, &axes, tuning, 2, (struct svg_paint){.stroke = "#212529", .width = 2},
                   "both: the model, and dots as measured");
    }
    return svg_end(&svg, status, path);
}

/* ---- Records ---- */

/* Names of enum qp_tuned_form. */
static const char *const whats[] = {"lower", "upper", "together", "sweep"};

/* The model: both curves and their residuals, the exchange, the hindrance. */
static bool add_model(cJSON *row, const struct qp_model *model)
{
    return records_add(row, "lower_curve", records_string(qp_curve_name(model->part[0].form))) &&
           records_add(row, "upper_curve", records_string(qp_curve_name(model->part[1].form))) &&
           records_add(row, "lower_residual", records_number(model->part[0].residual)) &&
           records_add(row, "upper_residual", records_number(model->part[1].residual)) &&
           records_add(row, "exchange_seconds", records_number(model->exchange)) &&
           records_add(row, "hindrance", records_number(model->hindrance));
}

/* The end of a row: its times, its marks, the model and the devices. */
static bool add_times(cJSON *row, const struct qp_model *model, double measured, double predicted,
                      const bool marks[2], int devices)
{
    return records_add(row, "seconds_a_step", records_number(measured)) &&
           records_add(row, "predicted", records_number(predicted)) &&
           records_add(row, "ratio", records_number(predicted / measured)) &&
           records_add(row, "best", records_number(marks[0])) &&
           records_add(row, "fastest", records_number(marks[1])) && add_model(row, model) &&
           records_add(row, "devices", records_number(devices));
}

/* A row with this number of lines of the grid. */
static cJSON *make_record(const struct qp_tuned *tuning, const struct qp_record *record,
                          const char *runs, int lines)
{
    cJSON *row = cJSON_CreateObject();
    const bool good =
        records_add(row, "variant", records_string(record->variant->name)) &&
        records_add(row, "width", records_number(record->width)) &&
        records_add(row, "height", records_number(tuning->model.height)) &&
        records_add(row, "iterations", records_number(record->iterations)) &&
        records_add(row, "depth", records_number(record->parts.depth)) &&
        records_add(row, "slow", records_number(record->parts.slow > 1 ? record->parts.slow : 1)) &&
        records_add(row, "runs", records_string(runs)) &&
        records_add(row, "rows", records_number(lines));
    return records_keep(good, row);
}

static cJSON *make_run(const struct qp_tuned *tuning, int k)
{
    const struct qp_tuned_split *run = &tuning->run[k];
    const bool marks[2] = {k == tuning->best, k == tuning->optimum};
    cJSON *row = make_record(tuning, &run->record, whats[run->what], run->rows);
    return records_keep(add_times(row, &tuning->model, run->measured, run->predicted, marks,
                                  run->record.parts.devices),
                        row);
}

/* A prediction for more devices than there are. */
static cJSON *make_prediction(const struct qp_tuned *tuning, int devices)
{
    static const bool marks[2];
    const struct qp_model *model = &tuning->model;
    cJSON *row = make_record(tuning, &tuning->run[tuning->best].record, "not measured",
                             model->height / devices);
    return records_keep(
        add_times(row, model, NAN, qp_model_seconds_on(model, devices), marks, devices), row);
}

/* Writes --json and --csv if asked for: a record a run. Errors: as records_write_rows. */
static enum qp_status write_records(const struct options *options, struct qp_context *context,
                                    const struct qp_tuned *tunings, int count)
{
    if (options->json == NULL && options->csv == NULL)
        return QP_OK;
    cJSON *rows = cJSON_CreateArray();
    bool good = rows != NULL;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < tunings[i].count && good; k++)
            good = records_append(rows, make_run(&tunings[i], k));
        for (int n = qp_tuned_next_devices(&tunings[i], 2); n > 0 && good;
             n = qp_tuned_next_devices(&tunings[i], n))
            good = records_append(rows, make_prediction(&tunings[i], n));
    }
    return cmd_write_rows(options, context, records_keep(good, rows));
}

/* ---- The command ---- */

struct task {
    const struct options *options;
    struct command *command;
    const struct qp_variant *variants[MOST_VARIANTS];
    int count, done;
    struct qp_tuned *tuning; /* tuning of each variant that is done */
};

/* A cache that cannot be written costs later runs what was learned, and this one nothing. */
static void keep(const struct task *task, const struct qp_variant *variant,
                 const struct qp_tuned *tuning)
{
    FILE *out = task->options->table;
    if (task->options->parts.slow > 1)
        fputs("nothing is kept of a device that was made slower\n", out);
    else if (qp_learned_write(task->command->context, variant->name, &tuning->learned) == QP_OK)
        fputs("kept for later runs of this variant on this device\n", out);
    else
        sentence_say("warning: what was learned is not kept: %s", qp_error());
}

static void skip(struct task *task, const struct qp_variant *variant, enum qp_status status)
{
    const bool fails = status == QP_DEVICE || cmd_is_required(task->options, variant);
    task->command->verdicts[fails ? QP_FAIL : QP_SKIP]++;
    fprintf(task->options->table, "\n%s  %s  %s\n", variant->name, fails ? "fail" : "skip",
            qp_error());
}

static enum qp_status model_variant(struct task *task, const struct qp_variant *variant)
{
    const struct options *options = task->options;
    const bool sized = options->width > 0;
    char what[96];
    const struct qp_tuned_desc desc = {.variant = variant,
                                       .kind = options->problem,
                                       .width = sized ? options->width : DEFAULT_SIZE,
                                       .height = sized ? options->height : DEFAULT_SIZE,
                                       .steps = options->iterations,
                                       .repeats = options->repeats,
                                       .depth = options->parts.depth,
                                       .slow = options->parts.slow,
                                       .seed = options->seed,
                                       .no_device = task->command->why,
                                       .interrupt = &cmd_interrupted,
                                       .on_walk = command_show_walk,
                                       .user = what};
    snprintf(what, sizeof what, "model of %s", variant->name);
    struct qp_tuned *tuning = &task->tuning[task->done];
    const enum qp_status status = qp_tune(task->command->context, &desc, tuning);
    progress_end();
    if ((status == QP_UNSUPPORTED || status == QP_DEVICE) && !cmd_interrupted) {
        skip(task, variant, status);
        return QP_OK;
    }
    if (status != QP_OK)
        return command_unless_interrupted(status);
    print_tuning(options->table, variant, tuning);
    keep(task, variant, tuning);
    task->done++;
    task->command->verdicts[QP_PASS]++;
    return QP_OK;
}

/* Selected variants that can be split. */
static int select_rows(const struct options *options, const struct qp_variant *variants[])
{
    const int all = cmd_select(options, variants);
    int count = 0;
    for (int i = 0; i < all; i++) {
        if (qp_parts_are_split(variants[i]->recipe))
            variants[count++] = variants[i];
    }
    if (all >= 0 && count == 0)
        sentence_say(
            "no variant asked for shares its grid between two kinds of parts; 'quadpass list "
            "*/hybrid*' shows those that do");
    if (count > 1 && options->picture != NULL) {
        sentence_say("--picture shows one variant's model, and %d variants are asked for; name one",
                     count);
        return 0;
    }
    return all < 0 ? 0 : count;
}

static enum qp_status write_outputs(const struct task *task)
{
    const struct options *options = task->options;
    enum qp_status status = QP_OK;
    if (options->picture != NULL && task->done == 0)
        return qp_fail(QP_UNSUPPORTED, "%s: there is no model to draw, for its variant was skipped",
                       options->picture);
    if (options->picture != NULL) {
        char title[128];
        const struct qp_record *first = &task->tuning->run[0].record;
        snprintf(title, sizeof title, "%s on %d x %d", first->variant->name, first->width,
                 task->tuning->model.height);
        status = draw_picture(options->picture, task->tuning, title, name_of(first->variant, 0),
                              name_of(first->variant, 1));
    }
    return status == QP_OK
               ? write_records(options, task->command->context, task->tuning, task->done)
               : status;
}

enum qp_status cmd_model(struct options *options, struct command *command)
{
    struct task task = {.options = options, .command = command};
    task.count = select_rows(options, task.variants);
    if (task.count == 0)
        return command_end(command, EXIT_USAGE);
    if (svg_check_name(options->picture) != QP_OK)
        return QP_BAD_USE;
    task.tuning = calloc((size_t)task.count, sizeof *task.tuning);
    if (task.tuning == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the models");
    cmd_catch_interrupt();
    enum qp_status status = command_open(command, task.variants, task.count);
    for (int i = 0; i < task.count && status == QP_OK && !cmd_interrupted; i++)
        status = model_variant(&task, task.variants[i]);
    if (status == QP_OK && (task.done > 0 || !cmd_interrupted))
        status = write_outputs(&task);
    free(task.tuning);
    return command_finish(command, status, task.done, task.count, "variants");
}
