/* SPDX-License-Identifier: MIT */
/* quadpass demo: the papers' stories in their order, every line of them checked. */
#include "tools/cmd/demo/demo.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/baseline/baseline.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/outputs.h"

static enum qp_status open_context(struct demo *demo)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    int count = demo_variants("jacobi9", variants);
    const struct command *command = demo->command;
    enum qp_status status = command_open(demo->command, variants, count);
    if (status == QP_OK)
        fprintf(demo->out, "Quadpass %s on %.80s\n%s", qp_version(),
                command->context ? qp_context_device(command->context)->renderer : command->why,
                demo->options->all
                    ? "\n"
                    : "Three stories, about a minute on two cores. Each variant is checked; then "
                      "its speed in million\n"
                      "updates of cells a second, as a multiple of the first variant, and as a "
                      "bar.\n");
    return status;
}

static enum qp_status tell(struct demo *demo)
{
    static enum qp_status (*const parts[])(struct demo *) = {demo_jacobi, demo_gauss_jordan,
                                                             demo_poisson};
    enum qp_status status = open_context(demo);
    if (!demo->options->all)
        return status == QP_OK ? demo_stories(demo) : status;
    for (int i = 0; i < 3 && status == QP_OK && !cmd_interrupted; i++)
        status = parts[i](demo);
    return status;
}

/* Commands to go on with, which work as printed where the demo was started. */
static void name_next(const struct demo *demo)
{
    const char *me = program_invocation_name, *shader = "demos/shaders/life.frag";
    fprintf(demo->out, "\nNext:\n");
    if (access(shader, R_OK) == 0)
        fprintf(demo->out,
                "  %s run %s --outside wrap --steps 99 -o life.png\n"
                "      ten seconds: a shader of your own; change it; more: docs/gallery.md\n",
                me, shader);
    fprintf(demo->out,
            "  %s walk jacobi9/rgba -n 8    one step, stage by stage\n"
            "  %s demo --all                every variant of these operations, in tables\n"
            "  %s --help\n\n",
            me, me, me);
}

/* ---- Inputs and outputs ---- */

/* All that the command reads and writes, looked at before it runs. */
static enum qp_status look_at_files(struct demo *demo)
{
    const struct options *o = demo->options;
    const char *folder = o->word_count > 1 ? o->words[1] : ".";
    char data[4096];
    struct outputs outputs = {.output = {{"--json", o->json},
                                         {"--csv", o->csv},
                                         {"a picture", demo->heart.path},
                                         {"a picture", demo->solution.path},
                                         {"a picture", demo->spike.path}}};
    snprintf(demo->heart.path, sizeof demo->heart.path, "%s/bidomain.png", folder);
    snprintf(demo->spike.path, sizeof demo->spike.path, "%s/spike.png", folder);
    snprintf(demo->solution.path, sizeof demo->solution.path, "%s/gr_30_30.png", folder);
    if (o->word_count > 0) {
        snprintf(data, sizeof data, "%s/gr_30_30.mtx", o->words[0]);
        outputs_add_input(&outputs, data);
    }
    enum qp_status status = outputs_check(&outputs);
    if (status != QP_OK)
        return status;
    return o->word_count > 0 ? qp_market_read(data, &demo->matrix)
                             : baseline_gr_30_30(&demo->matrix);
}

/* ---- The command ---- */

/* Records of what was timed before an interrupt are written, too. */
static enum qp_status run(struct demo *demo)
{
    struct command *command = demo->command;
    const bool all = demo->options->all;
    int done = 0;
    enum qp_status status = look_at_files(demo);
    if (status == QP_OK)
        status = tell(demo);
    if (status == QP_OK)
        status = command_write(command);
    for (int i = 0; i < QP_VERDICTS; i++)
        done += command->verdicts[i];
    if (status == QP_OK && !cmd_interrupted && !all)
        name_next(demo);
    return command_finish(command, status, done, all ? 0 : DEMO_STORIES * DEMO_LADDER, "variants");
}

enum qp_status cmd_demo(struct options *options, struct command *command)
{
    struct demo *demo = malloc(sizeof *demo);
    if (demo == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the demo");
    cmd_catch_interrupt();
    *demo = (struct demo){.options = options,
                          .command = command,
                          .out = options->table,
                          .heart.what = "the potential so far",
                          .spike.what = "the potential near the charge so far",
                          .solution.what = "the solution of GR_30_30 for a uniform load"};
    const enum qp_status status = run(demo);
    qp_market_destroy(&demo->matrix);
    for (int i = 0; i < MOST_VARIANTS; i++)
        qp_solution_destroy(&demo->solved[i]);
    free(demo);
    return status;
}
