/* SPDX-License-Identifier: MIT */
/* Conflicts between options, checked before anything is computed or written. */
#include <stddef.h>
#include <string.h>

#include "toolkit/io/output.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/check_variants.h"
#include "tools/cmd/options.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/outputs.h"

bool options_silent;

static bool is_of(const struct options *o, int commands)
{
    return (o->command->set & commands) != 0;
}

bool options_compare(const struct options *o)
{
    return o->all_pingpongs || o->all_targets || o->all_groups || o->all_blocks;
}

/* A file may be both: a checkpoint is read before the first one is written. */
static bool is_same_checkpoint(const struct options *o)
{
    return o->checkpoint != NULL && o->resume != NULL &&
           qp_output_is_same(o->checkpoint, o->resume);
}

bool options_is_kernel_file(const char *word)
{
    const char *end = strrchr(word, '.');
    return end != NULL && end != word &&
           (strcmp(end, ".frag") == 0 || qp_kernel_file_language(word) != QP_IN_FRAGMENTS);
}

/* Refuses for variants what only kernel files have. */
static void check_variants(struct options *o)
{
    const struct qp_kernel_file_head *head = &o->head;
    const struct {
        const char *name;
        bool given;
    } all[] = {{"backend", o->backends != 0},
               {"fast", o->fast},
               {"fixed", o->fixed},
               {"no-reference", o->no_reference},
               {"disguise", o->disguise},
               {"mutants", o->mutants},
               {"check", o->judged},
               {"time-limit", o->time_limit > 0.0},
               {"memory-limit", o->memory_limit > 0.0},
               {"points", head->points > 0},
               {"blend", head->blend != QP_BLEND_REPLACE},
               {"set", head->numbers > 0},
               {"schedule", head->schedules > 0},
               {"input", head->arrays > 0 && head->array[0].from != NULL},
               {"outside", head->arrays > 0 || head->has_outside},
               {"tolerance", o->tolerance > 0.0 && is_of(o, IN_CHECK | IN_BENCH)}};
    for (int i = 0; i < o->word_count; i++) {
        if (options_is_kernel_file(o->words[i]))
            return;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].given)
            options_refuse(o, "--%s is of a kernel file, such as heat.frag, and not of variants",
                           all[i].name);
    }
}

bool options_animates(const struct options *o)
{
    return o->each > 0 && o->frames == NULL && o->reduction == REDUCE_NOTHING &&
           o->output != NULL && grid_is_picture(o->output);
}

static bool reads_standard_input(const struct options *o)
{
    for (int k = 0; k < o->head.arrays; k++) {
        if (o->head.array[k].from != NULL && strcmp(o->head.array[k].from, "-") == 0)
            return true;
    }
    return false;
}

/* Refuses the first of these; all values are ones that some command takes. */
static void check_together(struct options *o)
{
    const bool bench = is_of(o, IN_BENCH), run = is_of(o, IN_RUN), paper = o->paper != 0,
               own = o->backends == 0 || (o->backends & 1u << BACKEND_GL) != 0;
    const struct {
        bool is;
        const char *sentence;
    } conflicts[] = {
        {o->text && o->folder != NULL,
         "--text prints the shaders and -o writes them into a folder: leave out one"},
        {!bench && options_compare(o), "only bench compares styles"},
        {!bench && (o->all_parameters || o->parameter_count > 1),
         "only bench takes several parameters"},
        {!bench && o->all_problems, "only bench takes all problems in turn"},
        /* A paper's table names its variants and its problem itself, with one column for each
         * variant. */
        {!paper && o->budget > 0.0 && !is_of(o, IN_TUNE), "--budget goes with --paper"},
        {!paper && o->from_count > 0 && bench, "--from goes with --paper"},
        {o->measured_only && (o->quick || o->papers != NULL),
         "--measured-only measures nothing: leave out --quick and --papers"},
        {!paper && o->markdown && bench, "--markdown goes with --paper"},
        {o->from_count > 0 && (o->json != NULL || o->csv != NULL),
         "--from reads records and makes none: leave out --json and --csv"},
        {o->budget > 0.0 && o->iterations > 0 && o->paper != 2,
         "--budget chooses the steps: leave --iterations out, or --budget"},
        {paper && (o->word_count > 0 || o->variant != NULL || o->problem != NULL ||
                   o->all_problems || o->parameter_count > 0 || o->all_parameters),
         "--paper takes no variants, --problem or --parameter: the paper names them"},
        {paper && (options_compare(o) || o->group_x > 0 || o->block > 0 || o->parts.count > 0 ||
                   o->parts.depth > 0 || o->parts.split != 0 || o->parts.alpha != 0),
         "--paper runs each variant in one way: leave out --group, --block, --parts, --depth, "
         "--split, --alpha and 'all'"},
        {(o->prove || o->precision) && o->csv != NULL,
         "--csv of info is one row, of the device: --prove and --precision go with --json"},
        {o->every > 0.0 && o->checkpoint == NULL, "--every goes with --checkpoint"},
        {o->checkpoint != NULL && qp_output_is_standard(o->checkpoint),
         "--checkpoint takes a file, and not standard output"},
        {!own && (o->fast || o->disguise || o->mutants),
         "--fast, --disguise and --mutants are of the backend gl"},
        {o->no_tries && !o->mutants, "--no-tries goes with --mutants"},
        {run && (o->backends & (o->backends - 1)) != 0,
         "run computes by one --backend; bench and check take several"},
        {o->watch && reads_standard_input(o),
         "--watch reads its inputs again, and standard input cannot be"},
        {o->each > 0 && o->frames == NULL && o->reduction == REDUCE_NOTHING && !options_animates(o),
         "--every goes with --frames, --reduce or -o FILE.png"},
        {o->frames != NULL && o->each == 0,
         "--frames goes with --every K, the steps from one frame to the next"},
        {run && o->tolerance > 0.0 && !o->judged, "--tolerance goes with --check"}};
    for (size_t k = 0; k < sizeof conflicts / sizeof conflicts[0]; k++) {
        if (conflicts[k].is)
            options_refuse(o, "%s", conflicts[k].sentence);
    }
}

/* Lists the outputs, and standard output with them where a table goes there. */
static struct outputs list_outputs(const struct options *o, bool with_table)
{
    const char *frames = /* on standard output, or else in a folder */
        o->frames != NULL && qp_output_is_standard(o->frames) ? o->frames : NULL;
    return (struct outputs){.output = {{"-o", o->output},
                                       {"--picture", o->picture},
                                       {"--json", o->json},
                                       {"--csv", o->csv},
                                       {"--junit", o->junit},
                                       {"--tap", o->tap},
                                       {"--checkpoint", o->checkpoint},
                                       {"--frames", frames},
                                       {"standard output", with_table ? "-" : NULL}}};
}

enum qp_status options_check_files(const struct options *o, const struct qp_kernel_file *file)
{
    const struct qp_kernel_file_head *head = file != NULL ? &file->head : &o->head;
    const bool reads = is_of(o, IN_SOLVE | IN_INVERT | IN_RUN) || file != NULL;
    struct outputs outputs = list_outputs(o, o->table == stdout);
    outputs_add_input(&outputs, file != NULL ? file->path : NULL);
    for (int k = 0; file != NULL && qp_kernel_file_included(file, k) != NULL; k++)
        outputs_add_input(&outputs, qp_kernel_file_included(file, k));
    for (int k = 0; k < head->arrays && reads; k++) {
        if (head->array[k].made == QP_MADE_NOT)
            outputs_add_input(&outputs, head->array[k].from);
    }
    for (int i = 0; i < o->word_count && reads; i++)
        outputs_add_input(&outputs, o->words[i]);
    outputs_add_input(&outputs, reads ? head->check : NULL);
    outputs_add_input(&outputs, o->start);
    outputs_add_input(&outputs, o->rhs);
    if (!is_same_checkpoint(o))
        outputs_add_input(&outputs, o->resume);
    outputs_add_input(&outputs, o->simulate);
    return outputs_check(&outputs);
}

void options_check(struct options *o)
{
    if (o->refused)
        return;
    const struct outputs outputs = list_outputs(o, false);
    for (int k = 0; k < MOST_OUTPUTS; k++) {
        if (outputs.output[k].path != NULL && qp_output_is_standard(outputs.output[k].path))
            o->table = stderr;
    }
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
    check_together(o);
    if (!is_of(o, IN_RUN | IN_GENERATE))
        check_variants(o);
    /* a run may take long, and its end is too late to find that nothing can be written */
    if (options_check_files(o, NULL) != QP_OK)
        options_refuse(o, "%s", qp_error());
}
