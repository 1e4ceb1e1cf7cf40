/* SPDX-License-Identifier: MIT */
/* The frame of a command: its options before it, what it measures, its records, counts and exit
 * code after it. */
#include "tools/cmd/cmd.h"

#include <stdlib.h>

#include "lab/plan/op.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/run/trial.h"

enum qp_status command_end(struct command *command, int code)
{
    command->code = code;
    return QP_OK;
}

enum qp_status command_open_for(struct command *command, const struct qp_variant *variant)
{
    const struct qp_context_desc desc = {.device = command->options->device};
    if (variant == NULL)
        return qp_context_create(&desc, &command->context);
    const enum qp_status status = command_open(command, &variant, 1);
    return status == QP_OK && qp_variant_draws(variant) && command->context == NULL
               ? qp_fail(QP_NO_DEVICE, "%s", command->why)
               : status;
}

/* ---- Measuring ---- */

void command_show_walk(void *what, int done, int all)
{
    progress_say("%s: walk %d of %d", (const char *)what, qp_least(done + 1, all), all);
}

enum qp_status command_unless_interrupted(enum qp_status status)
{
    return cmd_interrupted && qp_watch_is_sentence(qp_error()) ? QP_OK : status;
}

/* Makes room for more records. */
static enum qp_status make_room(struct command *command, int count)
{
    struct qp_record *all =
        realloc(command->records, (size_t)(command->count + count) * sizeof *all);
    if (all == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the records");
    command->records = all;
    return QP_OK;
}

enum qp_status command_bench(struct command *command, const struct qp_variant *const variants[],
                             struct qp_problem *const problems[], int count,
                             const struct qp_bench_desc *desc)
{
    struct qp_bench_desc own = *desc;
    own.no_device = command->why;
    own.interrupt = &cmd_interrupted;
    enum qp_status status = make_room(command, count);
    if (status != QP_OK)
        return status;
    struct qp_record *records = command->records + command->count;
    status = qp_bench(command->context, variants, problems, count, &own, records);
    if (status == QP_OK && (!cmd_interrupted || cmd_any_ran(records, count)))
        command->count += count;
    return command_unless_interrupted(status);
}

enum qp_status command_add(struct command *command, const struct qp_record *record)
{
    const enum qp_status status = make_room(command, 1);
    if (status == QP_OK)
        command->records[command->count++] = *record;
    return status;
}

/* ---- The end ---- */

enum qp_status command_write(struct command *command)
{
    if (cmd_interrupted && command->count == 0)
        return QP_OK;
    return cmd_write_records(command->options, command->context, command->records, command->count);
}

/* True where all that a kernel file was asked for is skipped: a judge that judged nothing is not
 * green. */
static bool judges_nothing(const struct command *command)
{
    int count = 0;
    for (int k = 0; k < QP_VERDICTS; k++)
        count += command->verdicts[k];
    return count > 0 && count == command->verdicts[QP_SKIP] && run_trial_is_asked(command->options);
}

enum qp_status command_finish(struct command *command, enum qp_status status, int done, int all,
                              const char *what)
{
    FILE *table = command->options->table;
    if (status != QP_OK)
        return status;
    if (cmd_interrupted && all > 0)
        fprintf(table, "interrupted after %d of %d %s\n", done, all, what);
    else if (cmd_interrupted)
        fprintf(table, "interrupted after %d %s\n", done, what);
    command->code = cmd_count(table, command->verdicts);
    if (judges_nothing(command))
        command->code = EXIT_NO_DEVICE;
    if (cmd_interrupted)
        command->code = EXIT_FAILED;
    return QP_OK;
}
