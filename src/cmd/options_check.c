/* SPDX-License-Identifier: MIT */
/* Conflicts between options, checked before anything is computed or written. */
#include <string.h>

#include "cmd/check_rows.h"
#include "cmd/options_line.h"
#include "cmd/options_list.h"
#include "cmd/options_run.h"
#include "cmd/output/outputs.h"
#include "io/output.h"

bool options_silent;

/* Several ways to run a row, one after the other. */
static bool compares(const struct options *o)
{
    return o->all_pingpongs || o->all_targets || o->all_groups || o->all_blocks;
}

/* A paper's table names its rows and its problem itself, and has one column for each row. */
static void check_paper(struct options *o)
{
    if (o->budget > 0.0 && o->paper == 0 && strcmp(o->form->name, "tune") != 0)
        options_refuse(o, "--budget goes with --paper");
    if (o->paper == 0 && o->from_count > 0)
        options_refuse(o, "--from goes with --paper");
    if (o->paper == 0 && o->markdown && strcmp(o->form->name, "bench") == 0)
        options_refuse(o, "--markdown goes with --paper");
    if (o->from_count > 0 && (o->json != NULL || o->csv != NULL))
        options_refuse(o, "--from reads records and makes none: leave out --json and --csv");
    if (o->budget > 0.0 && o->iterations > 0 && o->paper != 2)
        options_refuse(o, "--budget chooses the steps: leave --iterations out, or --budget");
    if (o->paper != 0 && (o->word_count > 0 || o->variant != NULL || o->problem != NULL ||
                          o->all_problems || o->parameter_count > 0 || o->all_parameters))
        options_refuse(o,
                       "--paper takes no variants, --problem or --parameter: the paper names them");
    if (o->paper != 0 && (compares(o) || o->group_x > 0 || o->block > 0))
        options_refuse(o, "--paper runs each row in one way: leave out --group, --block and 'all'");
}

/* Checks values that only `bench` takes, of options that other commands have too. */
static void check_bench(struct options *o)
{
    if (strcmp(o->form->name, "bench") == 0)
        return;
    if (compares(o))
        options_refuse(o, "only bench compares styles");
    if (o->all_parameters || o->parameter_count > 1)
        options_refuse(o, "only bench takes several parameters");
    if (o->all_problems)
        options_refuse(o, "only bench takes all problems in turn");
}

/* A file may be both: a checkpoint is read before the first one is written. */
static bool is_same_checkpoint(const struct options *o)
{
    return o->checkpoint != NULL && o->resume != NULL &&
           qp_output_is_same(o->checkpoint, o->resume);
}

static void check_checkpoint(struct options *o)
{
    if (o->every > 0.0 && o->checkpoint == NULL)
        options_refuse(o, "--every goes with --checkpoint");
    if (o->checkpoint != NULL && qp_output_is_standard(o->checkpoint))
        options_refuse(o, "--checkpoint takes a file, and not standard output");
}

enum qp_status options_check_files(const struct options *o, const struct qp_kernel_file_head *head,
                                   const char *path)
{
    struct outputs outputs = {0};
    outputs_add(&outputs, "-o", o->output);
    outputs_add(&outputs, "--picture", o->picture);
    outputs_add(&outputs, "--json", o->json);
    outputs_add(&outputs, "--csv", o->csv);
    outputs_add(&outputs, "--junit", o->junit);
    outputs_add(&outputs, "--tap", o->tap);
    outputs_add(&outputs, "--checkpoint", o->checkpoint);
    if (o->frames != NULL && qp_output_is_standard(o->frames)) /* else a folder */
        outputs_add(&outputs, "--frames", o->frames);
    if (o->table == stdout)
        outputs_add(&outputs, "standard output", "-");
    if ((option_command(o->form->name)->set & (IN_SOLVE | IN_INVERT)) != 0) {
        for (int i = 0; i < o->word_count; i++)
            outputs_add_input(&outputs, o->words[i]);
        outputs_add_input(&outputs, o->start);
        outputs_add_input(&outputs, o->rhs);
        if (!is_same_checkpoint(o))
            outputs_add_input(&outputs, o->resume);
    }
    outputs_add_input(&outputs, o->simulate);
    outputs_add_input(&outputs, path);
    if (strcmp(o->form->name, "run") == 0 || head != &o->head)
        options_add_files(o, head, &outputs);
    return outputs_check(&outputs);
}

void options_check(struct options *o)
{
    if (o->refused)
        return;
    if (options_silent) {
        o->json = o->csv = o->output = o->picture = o->checkpoint = NULL;
        o->junit = o->tap = NULL;
        o->every = 0.0;
    }
    if (o->weight >= 2.0)
        options_refuse(o, "--weight must lie between 0 and 2");
    if (o->repeats > QP_MOST_REPEATS)
        options_refuse(o, "--repeats is %d at most, not %d", QP_MOST_REPEATS, o->repeats);
    if (o->jobs > MOST_JOBS)
        options_refuse(o, "--jobs is %d at most, not %d", MOST_JOBS, o->jobs);
    if (o->text && o->folder != NULL)
        options_refuse(o,
                       "--text prints the shaders and -o writes them into a folder: leave out one");
    check_bench(o);
    check_paper(o);
    check_checkpoint(o);
    options_check_run(o);
    /* a run may take long, and its end is too late to find that nothing can be written */
    if (options_check_files(o, &o->head, NULL) != QP_OK)
        options_refuse(o, "%s", qp_error());
}
