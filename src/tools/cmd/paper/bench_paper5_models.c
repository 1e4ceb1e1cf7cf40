/* SPDX-License-Identifier: MIT */
/* Paper 5, figures 14, 15 and 16 (left): a grid that two unlike parts share, by the model
 * (tools/tune/model.h) and measured. The two devices of figure 16 are the same parts, of which the
 * lower one takes each step several times, until it is as much slower as the thesis's was; parts
 * that are so far apart by themselves are not measured again. */
#include <math.h>

#include "lab/engines/parts/parts.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/paper/bench_paper5.h"
#include "tools/cmd/paper/table.h"

enum { SIZE = 4096, SOFTWARE_SIZE = 1024, BUDGET_SIZE = 512, SLOW_STEPS = 8 };

/* The second measurement is taken once more where it misses the wanted factor by more than this
 * part. */
static const double near_enough = 0.2;

/* In the order of preference: the first that runs here. */
static const char *const rows[] = {"poisson5/hybrid_cuda", "poisson5/hybrid_rgba"};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int size_of(const struct paper_bench *bench)
{
    const bool software =
        bench->command->context == NULL || qp_context_device(bench->command->context)->software;
    const int smaller = software ? SOFTWARE_SIZE : SIZE;
    return paper_side(bench, bench->options->budget > 0.0 ? BUDGET_SIZE : smaller);
}

/* Seconds of a step with so many rows on the lower part, as the sweep measured them. */
static double measured(const struct qp_tuned *tuning, int lower)
{
    for (int k = tuning->count - 1; k >= 0 && tuning->run[k].what == QP_TUNE_SWEEP; k--) {
        if (tuning->run[k].rows == lower)
            return tuning->run[k].measured;
    }
    return NAN;
}

/* How many times as long as the upper part's the lower part's step takes, each alone. */
static double apart(const struct qp_tuned *tuning)
{
    return measured(tuning, tuning->model.height) / measured(tuning, 0);
}

/* How often the lower part takes each step to be that many times slower than the upper one, by a
 * measurement. */
static int slowness(const struct qp_tuned *tuning, double wanted)
{
    const int slow = tuning->run[0].record.parts.slow;
    return (int)fmin(fmax(wanted / apart(tuning) * (slow > 1 ? slow : 1) + 0.5, 1.0), 1000.0);
}

static enum qp_status tune(const struct paper_bench *bench, const char *name, int slow,
                           struct qp_tuned *out)
{
    const struct qp_tuned_desc desc = {.variant = qp_variant_find(name),
                                       .kind = "spike",
                                       .width = size_of(bench),
                                       .height = size_of(bench),
                                       .steps = slow > 1 ? SLOW_STEPS : 0,
                                       .repeats = bench->repeats,
                                       .slow = slow,
                                       .no_device = bench->command->why,
                                       .interrupt = &cmd_interrupted};
    if (desc.variant == NULL)
        return qp_fail(QP_UNSUPPORTED, "there is no variant %s", name);
    progress_say("paper 5, model of %s", name);
    return qp_tune(bench->command->context, &desc, out);
}

static enum qp_status keep_records(struct paper_bench *bench, const struct paper5_models *models)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < models->count; i++) {
        const struct qp_tuned *tuning = &models->tuning[i];
        for (int k = 0; k < tuning->count && status == QP_OK; k++)
            status = command_add(bench->command, &tuning->run[k].record);
    }
    return status;
}

/* Figure 16, left: the same variant, the lower part slowed down. */
static enum qp_status model_apart(const struct paper_bench *bench, const char *row, double wanted,
                                  struct paper5_models *models)
{
    static struct qp_tuned again; /* many records */
    enum qp_status status = QP_OK;
    int slow = slowness(&models->tuning[0], wanted);
    for (int i = 0; i < 2 && slow > 1 && status == QP_OK; i++) {
        status = tune(bench, row, slow, &again);
        if (status != QP_OK)
            return status;
        models->tuning[1] = again;
        models->count = 2;
        if (fabs(apart(&models->tuning[1]) / wanted - 1.0) <= near_enough)
            break;
        slow = slowness(&models->tuning[1], wanted);
    }
    return status;
}

enum qp_status paper5_model(struct paper_bench *bench, double wanted, struct paper5_models *models)
{
    enum qp_status status = QP_UNSUPPORTED;
    const char *row = NULL;
    for (int i = 0; i < ROWS && status == QP_UNSUPPORTED && !cmd_interrupted; i++) {
        row = rows[i];
        status = tune(bench, row, 1, &models->tuning[0]);
        models->count = status == QP_OK;
    }
    if (status == QP_OK)
        status = model_apart(bench, row, wanted, models);
    progress_end();
    const enum qp_status kept = keep_records(bench, models);
    if (kept != QP_OK)
        return kept;
    if (status != QP_UNSUPPORTED && status != QP_BAD_USE && !paper_failed_alone(bench, status))
        return status;
    snprintf(models->reason, sizeof models->reason, "%s", qp_error());
    return QP_OK;
}

/* Times over the upper part's alone, as in figures 15 and 16. */
static void print_model(const struct paper_bench *bench, const struct qp_tuned *tuning)
{
    const struct qp_model *model = &tuning->model;
    const double upper = measured(tuning, 0),
                 least_alone = fmin(upper, measured(tuning, model->height));
    const struct qp_tuned_split *best = &tuning->run[tuning->best],
                                *optimum = &tuning->run[tuning->optimum];
    struct table table = table_of(bench, "9 rows|12 measured|12 predicted|9 ratio|1 ");
    for (int k = 0; k < tuning->count; k++) {
        const struct qp_tuned_split *run = &tuning->run[k];
        if (run->what != QP_TUNE_SWEEP)
            continue;
        table_text(&table, "%.1f %%|%.3f|%.3f|%.3f|%s", 100.0 * run->rows / model->height,
                   run->measured / upper, run->predicted / upper, run->predicted / run->measured,
                   run == best ? "  best by the model" : "");
    }
    table_end(&table);
    fprintf(
        bench->out,
        "the lower part's step takes %.2f of the upper's; the model's split gains %.1f %% over the "
        "faster\npart alone, the fastest one %.1f %%; best by the model / fastest: %.3f\n",
        apart(tuning), 100.0 * (least_alone / best->measured - 1.0),
        100.0 * (least_alone / optimum->measured - 1.0), best->measured / optimum->measured);
}

/* Figure 16, left, under the factor that was reached. */
static void print_apart(const struct paper_bench *bench, const struct paper5_models *models,
                        double theirs)
{
    FILE *out = bench->out;
    fprintf(out,
            "\nPaper 5, figure 16, left: unlike devices, which gained nothing there, %g times "
            "apart",
            theirs);
    if (models->count > 1) {
        fprintf(out, ";\nhere, %.1f times apart, the lower part taking each step %d times:\n\n",
                apart(&models->tuning[1]), models->tuning[1].run[0].record.parts.slow);
        print_model(bench, &models->tuning[1]);
    } else {
        fputs(".\n\n", out);
    }
    if (models->count == 1 && models->reason[0] == '\0')
        fprintf(
            out,
            "the parts above are %.1f times apart as they are, so their table is this one too\n",
            apart(&models->tuning[0]));
}

void paper5_print_models(const struct paper_bench *bench, const struct paper5_models *models)
{
    fprintf(bench->out,
            "\nPaper 5, figures 14 and 15: a hybrid of CPU and GPU, times over the GPU's alone, by "
            "rows "
            "of the CPU.\nTheirs gained %g %% with %g %% of the rows on the CPU of one system, and "
            "nothing on the other.\n\n",
            paper5_figure(bench, "hybrid_gain_percent_conroe_fx570"),
            paper5_figure(bench, "hybrid_cpu_percent_of_rows_conroe_fx570"));
    if (models->count > 0) {
        fprintf(bench->out, "%s, n = %d\n", models->tuning[0].run[0].record.variant->name,
                models->tuning[0].model.height);
        print_model(bench, &models->tuning[0]);
    }
    print_apart(bench, models, paper5_figure(bench, "speed_ratio_c1060_to_fx570"));
    if (models->reason[0] != '\0')
        fprintf(bench->out, "not all models could be made: %s\n", models->reason);
}
