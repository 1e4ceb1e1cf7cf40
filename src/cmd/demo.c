/* SPDX-License-Identifier: MIT */
/* quadpass demo: the papers' stories in their order, every line of them checked. */
#include "cmd/demo.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"

int demo_rows(const char *op, const struct qp_variant *rows[])
{
    int count = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(qp_variant_at(i)->op, op) == 0)
            rows[count++] = qp_variant_at(i);
    }
    return count;
}

void demo_count(struct demo *demo, const struct qp_variant *row, enum qp_verdict verdict)
{
    bool missed = verdict == QP_SKIP && cmd_is_required(demo->options, row);
    demo->verdicts[missed ? QP_FAIL : verdict]++;
}

static enum qp_status open_context(struct demo *demo)
{
    const struct qp_variant *rows[MOST_ROWS];
    int count = demo_rows("jacobi9", rows);
    enum qp_status status =
        cmd_open(demo->options, rows, count, &demo->context, demo->why, sizeof demo->why);
    if (status == QP_OK)
        printf("Quadpass %s on %s\n\n", qp_version(),
               demo->context ? qp_context_device(demo->context)->renderer : demo->why);
    return status;
}

static enum qp_status tell(struct demo *demo)
{
    enum qp_status status = open_context(demo);
    if (status == QP_OK && !cmd_interrupted)
        status = demo_jacobi(demo);
    if (status == QP_OK && !cmd_interrupted)
        status = demo_gauss_jordan(demo);
    return status;
}

/* The story is printed to standard output, but to standard error where records take that. Returns what to
 * give back, -1 for nothing. */
static int move_story(const struct options *options)
{
    if (options->table == stdout)
        return -1;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (kept >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return kept;
}

static void give_back(int kept)
{
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
}

int cmd_demo(int argc, char **argv)
{
    static const struct options_form form = {
        "demo", "[DATA [PICTURES]]",
        "Runs every row of Jacobi on a heart model and on GR_30_30, every row of Gauss-Jordan on "
        "a random matrix. DATA is the folder of gr_30_30.mtx (data), PICTURES the one for the "
        "PNGs (the current one).",
        false};
    struct options options;
    options_read(argc, argv, &form, &options);
    if (options.word_count < 1)
        options.words[0] = "data";
    if (options.word_count < 2)
        options.words[1] = ".";
    struct demo *demo = calloc(1, sizeof *demo);
    if (demo == NULL)
        return cmd_failed(qp_fail(QP_NO_MEMORY, "no memory for the records"));
    cmd_catch_interrupt();
    demo->options = &options;
    int kept = move_story(&options), code = EXIT_FAILED;
    enum qp_status status = tell(demo);
    if (status == QP_OK && !cmd_interrupted)
        code = cmd_count(stdout, demo->verdicts);
    give_back(kept);
    if (status == QP_OK && !cmd_interrupted)
        status = cmd_write_records(&options, demo->context, demo->records, demo->count);
    if (status != QP_OK)
        code = cmd_failed(status);
    qp_context_destroy(&demo->context);
    free(demo);
    return code;
}
