/* SPDX-License-Identifier: MIT */
/* `quadpass walk FILE.frag`: the contents of each room for a kernel of the user's. Nothing judges
 * it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/whole.h"
#include "cmd/output/sentence.h"
#include "cmd/run/trial.h"
#include "plan/plan.h"
#include "toolkit/kernel.h"

enum { MOST_SHOWN = 16 /* values of a row, and rows */ };

struct file_tour {
    FILE *out;
    const struct run_trial *trial;
    bool with_text;
};

/* Values of one array of a matrix that has several, one above the other, the first row at the
 * bottom. */
static void print(FILE *out, const char *what, enum qp_array_type type, const struct qp_matrix *all,
                  int first, int height)
{
    const int width = all->width, decimals = qp_array_is_whole(type) ? 0 : 3;
    fprintf(out, "    %s, row 0 at the bottom%s:\n", what,
            width > MOST_SHOWN || height > MOST_SHOWN ? ", a part of it" : "");
    for (int y = (height < MOST_SHOWN ? height : MOST_SHOWN) - 1; y >= 0; y--) {
        for (int x = 0; x < width && x < MOST_SHOWN; x++) {
            const double value =
                qp_matrix_value(all, (size_t)(first + y) * (size_t)width + (size_t)x);
            if (isnan(value))
                fprintf(out, " %7s", "#");
            else
                fprintf(out, " %7.*f", decimals, value);
        }
        fputc('\n', out);
    }
}

/* All states of the source, or of the target, as the host reads them. */
static void print_states(const struct file_tour *tour, struct qp_plan *plan, bool target)
{
    const struct qp_problem *problem = plan->problem;
    const struct qp_kernel_desc *desc = &tour->trial->file->desc;
    struct qp_matrix x = {0};
    void *texels = malloc(qp_layout_bytes(&plan->layout));
    if (texels == NULL)
        return;
    memcpy(texels, plan->texels, qp_layout_bytes(&plan->layout));
    if (plan->engine->read(plan, target, texels) == QP_OK &&
        qp_plan_unpack(plan, texels, &x) == QP_OK) {
        for (int k = 0; k < tour->trial->file->states; k++)
            print(tour->out, desc->input[k].name, desc->output_type, &x, k * problem->height,
                  problem->height);
    }
    qp_matrix_destroy(&x);
    free(texels);
}

/* The text that is drawn, in the short form after the toolkit's declarations. */
static void print_text(FILE *out, const struct qp_kernel_file *file,
                       const struct qp_kernel *compiled)
{
    unsigned outsides = 0;
    char *drawn = NULL, *head = NULL, sent[QP_KERNEL_SENT];
    for (int k = 0; k < file->inputs; k++)
        outsides |= (unsigned)(file->array[k].outside | QP_KERNEL_PART) << 3 * k;
    if (file->is_short && (head = qp_kernel_head(compiled, outsides, NULL)) != NULL)
        sentence_put_lines(out, head, 0);
    if (file->is_short)
        qp_drawn_text(&compiled->desc, compiled->precise, file->text, &drawn);
    sentence_put_lines(out, drawn != NULL ? drawn : file->text, 1);
    if (file->places) {
        qp_kernel_write_sent(compiled, sent);
        sentence_put_lines(out, sent, 1);
    }
    free(drawn);
    free(head);
}

static void on_room(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    const struct file_tour *tour = user;
    const struct run_inputs *inputs = &tour->trial->inputs;
    (void)seconds;
    if (room == QP_ROOM_PACK || room == QP_ROOM_SWAP)
        return;
    fprintf(tour->out, "\nroom %d, %s\n", (int)room, qp_room_name(room));
    for (int k = 0; k < inputs->count && room == QP_ROOM_PROBLEM; k++) {
        const struct qp_matrix all = run_input_matrix(&inputs->at[k], 1);
        print(tour->out, inputs->at[k].name, inputs->at[k].type, &all, 0, all.height);
    }
    if (room == QP_ROOM_UPLOAD)
        fprintf(tour->out, "    arrays = textures%s\n",
                tour->trial->file->is_short ? ", with NaN around the cells" : "");
    const struct qp_kernel_file *file = tour->trial->file;
    for (int k = 0; k < tour->trial->turns && room == QP_ROOM_PROGRAM; k++) {
        fprintf(tour->out, "    kernel = shader: %s\n", file->path);
        if (tour->with_text)
            print_text(tour->out, file, tour->trial->compiled[k]);
        file = file->next;
    }
    if (room == QP_ROOM_PASS) {
        fputs("    computing = drawing; the target after the first step:\n", tour->out);
        print_states(tour, plan, true);
    }
    if (room == QP_ROOM_READBACK) {
        fputs("    the source after the last step:\n", tour->out);
        print_states(tour, plan, false);
    }
    if (room == QP_ROOM_UNPACK && tour->trial->file->is_short)
        fputs("    nothing was written beside the cells\n", tour->out);
}

int cmd_walk_file(int argc, char **argv)
{
    static const struct options_form form = {"walk", "VARIANT|FILE.frag", CMD_WALK_PURPOSE};
    struct options options;
    struct qp_context *context = NULL;
    struct run_trial trial;
    struct qp_problem problem = {0};
    struct qp_result result = {.verdict = QP_NO_VERDICT};
    options_read(argc, argv, &form, &options);
    const struct qp_context_desc device = {.device = options.device};
    struct file_tour tour = {options.table, &trial, options.text};
    enum qp_status status = run_trial_open(&options, false, false, &trial);
    if (status != QP_OK)
        return cmd_failed(status);
    const bool sized = trial.sized;
    status = qp_context_create(&device, &context);
    if (status == QP_OK)
        status = run_trial_compile(&trial, context);
    if (status == QP_OK)
        status = run_trial_make(&trial, 0, sized ? trial.file->head.width : 8,
                                sized ? trial.file->head.height : 8, 1, &problem);
    const struct qp_walk_desc desc = {.iterations =
                                          options.iterations_given ? options.iterations
                                          : trial.file->head.steps > 0
                                              ? trial.file->head.steps
                                              : qp_least(2, run_trial_shortest(trial.file)->values),
                                      .unchecked = true,
                                      .on_room = on_room,
                                      .user = &tour};
    if (status == QP_OK)
        status = qp_walk(context, trial.row, &problem, &desc, &result);
    if (status == QP_OK && result.verdict == QP_PASS)
        fprintf(options.table,
                "\n%s: %d step%s, all values are numbers; nothing judged them, for rooms 9 and 10 "
                "are left to 'quadpass check', and 2 and 6 have nothing to show\n",
                trial.row->name, result.iterations, result.iterations > 1 ? "s" : "");
    else if (status == QP_OK)
        fprintf(options.table, "\n%s: %s: %s\n", trial.row->name, qp_verdict_name(result.verdict),
                result.reason);
    qp_problem_destroy(&problem);
    run_trial_close(&trial);
    qp_context_destroy(&context);
    return status != QP_OK             ? cmd_failed(status)
           : result.verdict == QP_FAIL ? EXIT_FAILED
                                       : EXIT_GOOD;
}
