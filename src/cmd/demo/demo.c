/* SPDX-License-Identifier: MIT */
/* quadpass demo: the papers' stories in their order, every line of them checked. */
#include "cmd/demo/demo.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "baseline/baseline.h"
#include "cmd/output/outputs.h"
#include "cmd/output/picture.h"

static enum qp_status open_context(struct demo *demo)
{
    const struct qp_variant *rows[MOST_ROWS];
    int count = demo_rows("jacobi9", rows);
    enum qp_status status =
        cmd_open(demo->options, rows, count, &demo->context, demo->why, sizeof demo->why);
    if (status == QP_OK)
        fprintf(demo->out, "Quadpass %s on %s\n\n", qp_version(),
                demo->context ? qp_context_device(demo->context)->renderer : demo->why);
    return status;
}

static enum qp_status tell(struct demo *demo)
{
    static enum qp_status (*const parts[])(struct demo *) = {demo_jacobi, demo_gauss_jordan,
                                                             demo_poisson};
    enum qp_status status = open_context(demo);
    for (int i = 0; i < 3 && status == QP_OK && !cmd_interrupted; i++)
        status = parts[i](demo);
    return status;
}

/* ---- Inputs and outputs ---- */

/* All that the command reads and writes, looked at before it runs. */
static enum qp_status look_at_files(struct demo *demo)
{
    const struct options *o = demo->options;
    const char *folder = o->word_count > 1 ? o->words[1] : ".";
    char data[4096];
    struct outputs outputs = {0};
    snprintf(demo->heart.path, sizeof demo->heart.path, "%s/bidomain.png", folder);
    snprintf(demo->solution.path, sizeof demo->solution.path, "%s/gr_30_30.png", folder);
    outputs_add(&outputs, "--json", o->json);
    outputs_add(&outputs, "--csv", o->csv);
    outputs_add(&outputs, "a picture", demo->heart.path);
    outputs_add(&outputs, "a picture", demo->solution.path);
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

static enum qp_status write_picture(const struct demo *demo, const struct demo_picture *picture)
{
    double low, high;
    if (picture->values == NULL)
        return QP_OK;
    enum qp_status status =
        picture_write(picture->path, picture->width, picture->height, picture->values, &low, &high);
    if (status == QP_OK)
        fprintf(demo->out, "%s: %s, violet %.6g to yellow %.6g\n", picture->path, picture->what,
                low, high);
    return status;
}

/* Pictures of all of it, and records of what was timed before an interrupt, too. */
static enum qp_status write_all(const struct demo *demo)
{
    enum qp_status status = cmd_interrupted ? QP_OK : write_picture(demo, &demo->heart);
    if (status == QP_OK && !cmd_interrupted)
        status = write_picture(demo, &demo->solution);
    if (status == QP_OK && (!cmd_interrupted || cmd_any_ran(demo->records, demo->count)))
        status = cmd_write_records(demo->options, demo->context, demo->records, demo->count);
    return status;
}

/* ---- The command ---- */

static int run(struct demo *demo)
{
    int code = EXIT_FAILED;
    enum qp_status status = look_at_files(demo);
    if (status == QP_OK)
        status = tell(demo);
    if (status == QP_OK)
        status = write_all(demo);
    if (status == QP_OK && !cmd_interrupted)
        code = cmd_count(demo->out, demo->verdicts);
    return status == QP_OK ? code : cmd_failed(status);
}

int cmd_demo(int argc, char **argv)
{
    static const struct options_form form = {
        "demo", "[DATA [PICTURES]]",
        "Runs every row of Jacobi on a heart model and on GR_30_30, every row of Gauss-Jordan on "
        "a random matrix, every row of Poisson's equation on a spike. DATA is the folder of "
        "gr_30_30.mtx, by default the one built in; "
        "PICTURES the folder for the PNGs, by default the current one."};
    struct options options;
    options_read(argc, argv, &form, &options);
    struct demo *demo = calloc(1, sizeof *demo);
    if (demo == NULL)
        return cmd_failed(qp_fail(QP_NO_MEMORY, "no memory for the records"));
    cmd_catch_interrupt();
    demo->options = &options;
    demo->out = options.table;
    demo->heart.what = "the extracellular potential on its way to the solution";
    demo->solution.what = "the solution of GR_30_30 for a uniform load";
    int code = run(demo);
    qp_context_destroy(&demo->context);
    qp_market_destroy(&demo->matrix);
    free(demo->heart.values);
    free(demo->solution.values);
    free(demo);
    return code;
}
