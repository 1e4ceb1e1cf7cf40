/* SPDX-License-Identifier: MIT */
#include "tools/cmd/cmd.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "lab/baseline/ranks.h"
#include "lab/ops/table.h"
#include "lab/plan/problem.h"
#include "lab/walk/description.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/shaders.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/sentence.h"
#include "tools/cmd/ranks.h"

volatile sig_atomic_t cmd_interrupted;

/* Seconds within which a second signal is the first one's: timeout(1) sends it to the process and
 * to its group. */
static const double same_signal = 0.5;

/* Signal handler. A call into another library cannot be ended: the user is asked to wait for it. */
static void note_interrupt(int number)
{
    static double first; /* each signal is blocked while the other is handled */
    static const char begin[] = "quadpass: interrupted, waiting for ",
                      end[] = "; a second time ends at once\n";
    const char *library = qp_watch_library;
    const int error = errno;
    const double now = qp_clock();
    const bool again = cmd_interrupted;
    if (again && now - first > same_signal) { /* ends the process as the handler returns */
        signal(number, SIG_DFL);
        raise(number);
    }
    first = again ? first : now;
    cmd_interrupted = 1;
    if (library != NULL && !again &&
        (write(STDERR_FILENO, begin, sizeof begin - 1) < 0 ||
         write(STDERR_FILENO, library, strlen(library)) < 0 ||
         write(STDERR_FILENO, end, sizeof end - 1) < 0))
        cmd_interrupted = 1; /* the message could not be written: nothing more to do */
    errno = error;
}

/* Catches interrupts. Several processes end at once: each would leave its work at another step. */
void cmd_catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt};
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    if (baseline_ranks() == 1) {
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
    }
    progress_watch(&cmd_interrupted);
}

/* A shader under QUADPASS_SHADER_DIR is the user's own file, and no device is to blame for it. */
static int code_of(enum qp_status status)
{
    if (status == QP_DEVICE && qp_shader_is_live_sentence(qp_error()))
        return EXIT_USAGE;
    return status == QP_NO_DEVICE || status == QP_NO_MEMORY || status == QP_DEVICE ? EXIT_NO_DEVICE
                                                                                   : EXIT_USAGE;
}

int cmd_failed(enum qp_status status)
{
    progress_end();
    ranks_end_all(status, code_of(status));
    if (cmd_interrupted && qp_watch_is_sentence(qp_error())) {
        sentence_print(stderr, "quadpass", "interrupted");
        return EXIT_FAILED;
    }
    sentence_print(stderr, "quadpass", qp_error());
    return code_of(status);
}

struct qp_record cmd_skipped(const struct qp_variant *variant, const struct options *options)
{
    const struct qp_extent extent = {
        .width = options->width, .height = options->height, .systems = qp_variant_systems(variant)};
    struct qp_record record = qp_record_begin(variant, &extent, qp_variant_cost(variant));
    record.verdict = QP_SKIP;
    snprintf(record.reason, sizeof record.reason, "%s", qp_error());
    return record;
}

void cmd_fail(struct qp_record *record, const char *reason)
{
    record->verdict = QP_FAIL;
    record->seconds = record->seconds_min = NAN;
    record->glups = record->gbytes_per_s = record->gflops = NAN;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
}

int cmd_name_width(const struct qp_variant *const variants[], int count)
{
    int width = 30;
    for (int i = 0; i < count; i++)
        width = qp_most(width, (int)strlen(variants[i]->name));
    return width;
}

int cmd_same_operation(const struct qp_variant *const variants[], int count)
{
    int same = 1;
    while (same < count && strcmp(variants[same]->op, variants[0]->op) == 0)
        same++;
    return same;
}

enum qp_status command_open(struct command *command, const struct qp_variant *const variants[],
                            int count)
{
    const struct options *options = command->options;
    char device[16];
    enum qp_status status = ranks_join(options, variants, count);
    const bool own = options->word_count > 0 && options_is_kernel_file(options->words[0]);
    bool needed = options->device != NULL && options_names_device(options);
    for (int i = 0; i < count; i++) /* CUDA takes OpenGL's device, but for a kernel file */
        needed = needed || qp_variant_draws(variants[i]) || variants[i]->backend == QP_MPI ||
                 (variants[i]->backend == QP_CUDA && !own);
    if (!needed || status != QP_OK)
        return status;
    struct qp_context_desc desc = {.device = ranks_device(options, device)};
    status = qp_context_create(&desc, &command->context);
    if (status != QP_OK && (status != QP_NO_DEVICE || options_names_device(options)))
        return status;
    if (status != QP_OK)
        snprintf(command->why, sizeof command->why, "%s", qp_error());
    return ranks_share_context(options, &command->context, command->why, sizeof command->why);
}

bool cmd_is_required(const struct options *options, const struct qp_variant *variant)
{
    return (variant->backend == QP_GL && options->require_gl) ||
           (variant->backend == QP_CUDA && options->require_cuda) ||
           (variant->backend == QP_CPU && qp_variant_library(variant) != NULL &&
            options->require_blas);
}

/* True if a variant ran on CUDA's first device, since OpenGL's is none of CUDA's. */
static bool ran_elsewhere(struct qp_context *context, const struct qp_record *records, int count)
{
    bool ran = false;
    for (int i = 0; i < count; i++)
        ran = ran || (records[i].variant->backend == QP_CUDA && records[i].verdict != QP_SKIP);
    return ran && qp_context_cuda_ordinal(context) < 0;
}

void cmd_device(struct qp_context *context, const struct qp_record *records, int count,
                char text[CMD_DEVICE])
{
    const char *renderer = context != NULL ? qp_context_device(context)->renderer : "";
    struct qp_cuda *cuda = NULL;
    if (ran_elsewhere(context, records, count) && qp_cuda_open(-1, &cuda) != QP_OK)
        cuda = NULL;
    snprintf(text, CMD_DEVICE, "%s%s%s", renderer, renderer[0] && cuda != NULL ? ", " : "",
             cuda != NULL ? cuda->name : "");
    qp_cuda_close(&cuda);
}

struct records_head cmd_head(const struct options *options, const struct qp_context *context)
{
    const struct qp_device *device = context != NULL ? qp_context_device(context) : NULL;
    return (struct records_head){.device = device != NULL ? device->renderer : NULL,
                                 .driver = device != NULL ? device->version : NULL,
                                 .command = options->command_line,
                                 .cases = options->cases};
}

enum qp_status cmd_write_rows(const struct options *options, const struct qp_context *context,
                              cJSON *rows)
{
    const struct records_head head = cmd_head(options, context);
    return records_write_rows(options->json, options->csv, &head, NULL, rows);
}

enum qp_status cmd_write_records(const struct options *options, struct qp_context *context,
                                 const struct qp_record *records, int count)
{
    char name[CMD_DEVICE];
    struct records_head head = cmd_head(options, context);
    cmd_device(context, records, count, name);
    head.device = name[0] != '\0' ? name : NULL;
    return records_write(options->json, options->csv, &head, records, count);
}

const char *cmd_kind(const struct options *options, const struct qp_variant *const variants[],
                     int count)
{
    if (options->problem != NULL)
        return options->problem;
    int first = qp_recipe_first_kind(variants[0]->recipe);
    for (int i = 1; i < count; i++)
        first = qp_least(first, qp_recipe_first_kind(variants[i]->recipe));
    return qp_op_find(variants[0]->op)->kinds[first].name;
}

enum qp_status cmd_problem(const struct options *options, const char *op, const char *kind,
                           int width, int height, int systems, struct qp_problem *out)
{
    struct qp_problem_desc desc = {.op = op,
                                   .kind = kind,
                                   .width = width,
                                   .height = height,
                                   .seed = options->seed,
                                   .condition = options->condition,
                                   .parameter = options->parameter > 0 ? options->parameter : 0,
                                   .weight = options->weight,
                                   .systems = systems};
    const struct qp_op *known = qp_op_find(op);
    if (options->parameter >= 0) {
        enum qp_status status = qp_problem_check_parameter(
            known, kind != NULL ? kind : known->kinds->name, options->parameter);
        if (status != QP_OK)
            return status;
    }
    return qp_problem_create(&desc, out);
}

/* The operation's roof kind (such as `copy`) if the variant runs on no other; else NULL. */
static const char *roof_of(const struct qp_variant *variant, const struct qp_op *op)
{
    const struct qp_kind *first = &op->kinds[qp_recipe_first_kind(variant->recipe)];
    return first->roof ? first->name : NULL;
}

enum qp_status cmd_problems_create(const struct options *options, const char *kind, int width,
                                   int height, bool equal_shares,
                                   const struct qp_variant *const variants[], int count,
                                   struct cmd_problems *out)
{
    *out = (struct cmd_problems){0};
    enum qp_status status = QP_OK;
    const struct qp_op *op = qp_op_find(variants[0]->op);
    for (int i = 0; i < count && status == QP_OK; i++) {
        int systems = qp_variant_systems(variants[i]),
            part = equal_shares ? cmd_part(op, systems) : 1;
        const char *roof = options->problem == NULL ? roof_of(variants[i], op) : NULL;
        out->of[i] = roof != NULL ? &out->roof : systems == 1 ? &out->one : &out->four;
        if (out->of[i]->op == NULL)
            status =
                cmd_problem(options, variants[i]->op, roof != NULL ? roof : kind,
                            (width - 1) / part + 1, (height - 1) / part + 1, systems, out->of[i]);
    }
    if (status != QP_OK)
        cmd_problems_destroy(out);
    return status;
}

void cmd_problems_destroy(struct cmd_problems *problems)
{
    qp_problem_destroy(&problems->one);
    qp_problem_destroy(&problems->four);
    qp_problem_destroy(&problems->roof);
}

bool cmd_any_ran(const struct qp_record *records, int count)
{
    while (count > 0 && isnan(records[count - 1].seconds))
        count--;
    return count > 0;
}

void command_count(struct command *command, const struct qp_record *records, int tables, int count)
{
    for (int row = 0; row < count && tables > 0; row++) {
        int seen[QP_VERDICTS] = {0};
        for (int t = 0; t < tables; t++)
            seen[records[t * count + row].verdict]++;
        const bool skipped = seen[QP_SKIP] == tables,
                   demanded = cmd_is_required(command->options, records[row].variant);
        command->verdicts[seen[QP_FAIL] > 0 || (demanded && skipped) ? QP_FAIL
                          : skipped                                  ? QP_SKIP
                          : seen[QP_CANNOT_TELL] > 0                 ? QP_CANNOT_TELL
                          : seen[QP_BOUND] > 0                       ? QP_BOUND
                          : seen[QP_UNCHECKED] > 0                   ? QP_UNCHECKED
                                                                     : QP_PASS]++;
    }
}

int cmd_count(FILE *table, const int verdicts[QP_VERDICTS])
{
    if (verdicts[QP_BOUND] > 0)
        fprintf(table, "%d bound%s, neither passed nor failed\n", verdicts[QP_BOUND],
                verdicts[QP_BOUND] > 1 ? "s" : "");
    if (verdicts[QP_UNCHECKED] > 0)
        fprintf(table, "%d unchecked: nothing judged %s, neither passed nor failed\n",
                verdicts[QP_UNCHECKED], verdicts[QP_UNCHECKED] > 1 ? "them" : "it");
    const int failed = verdicts[QP_FAIL] + verdicts[QP_CANNOT_TELL];
    fprintf(table, "%d passed, %d failed, %d skipped\n", verdicts[QP_PASS], failed,
            verdicts[QP_SKIP]);
    return failed > 0 ? EXIT_FAILED : EXIT_GOOD;
}
