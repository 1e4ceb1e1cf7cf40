/* SPDX-License-Identifier: MIT */
#include "cmd/options_run.h"

#include <string.h>

#include "cmd/options_line.h"
#include "cmd/output/grid.h"

/* ---- Values ---- */

static const char *const reductions[REDUCTIONS] = {
    [REDUCE_SUM] = "sum",        [REDUCE_MEAN] = "mean",   [REDUCE_MIN] = "min",
    [REDUCE_MAX] = "max",        [REDUCE_NORM1] = "norm1", [REDUCE_NORM2] = "norm2",
    [REDUCE_LARGEST] = "largest"};

const char *options_reduction(enum reduction reduction)
{
    return reductions[reduction];
}

static const char *const backends[BACKENDS + 1] = {"gl", "cpu", "compute", "cuda", "all"};

const char *options_backend(enum backend backend)
{
    return backends[backend];
}

/* Names with commas between them. */
static void take_backends(const char *list, struct options *o)
{
    char name[16];
    for (const char *at = list; at != NULL;
         at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        const int k = options_one_of(name, backends, BACKENDS + 1, "--backend", o);
        o->backends |= k < BACKENDS ? 1u << k : (1u << BACKENDS) - 1u;
    }
}

void options_take_run(const char *name, const char *value, struct options *o)
{
    static const char *const words[] = {"input", "set", "schedule", "outside"};
    for (int k = 0; k < 4; k++) {
        if (strcmp(name, words[k]) == 0 && qp_kernel_file_say(&o->head, name, value) != QP_OK)
            options_refuse(o, "--%s", qp_error());
    }
    if (strcmp(name, "check") == 0) {
        o->judged = true;
        o->head.check = value[0] != '\0' ? value : NULL;
    }
    if (strcmp(name, "backend") == 0)
        take_backends(value, o);
    if (strcmp(name, "blend") == 0)
        o->head.blend =
            (enum qp_pass_blend[]){QP_BLEND_ADD, QP_BLEND_MIN, QP_BLEND_MAX}[options_one_of(
                value, (const char *const[]){"add", "min", "max"}, 3, "--blend", o)];
    if (strcmp(name, "reduce") == 0)
        o->reduction = (enum reduction)(
            1 + options_one_of(value, reductions + 1, REDUCTIONS - 1, "--reduce", o));
}

/* ---- The whole line ---- */

bool options_is_kernel_file(const char *word)
{
    const char *end = strrchr(word, '.');
    return end != NULL && end != word && strcmp(end, ".frag") == 0;
}

/* Refuses for rows what only kernel files have. */
static void check_rows(struct options *o)
{
    const int set = option_command(o->form->name)->set;
    const struct qp_kernel_file_head *head = &o->head;
    const struct {
        const char *name;
        bool given;
    } all[] = {{"backend", o->backends != 0},
               {"fast", o->fast},
               {"no-reference", o->no_reference},
               {"disguise", o->disguise},
               {"mutants", o->mutants},
               {"check", o->judged},
               {"points", head->points > 0},
               {"blend", head->blend != QP_BLEND_REPLACE},
               {"set", head->numbers > 0},
               {"schedule", head->schedules > 0},
               {"input", head->arrays > 0 && head->array[0].from != NULL},
               {"outside", head->arrays > 0 || head->has_outside},
               {"tolerance", o->tolerance > 0.0 && (set & (IN_CHECK | IN_BENCH)) != 0}};
    for (int i = 0; i < o->word_count; i++) {
        if (options_is_kernel_file(o->words[i]))
            return;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].given)
            options_refuse(o, "--%s is of a kernel file, such as heat.frag, and not of rows",
                           all[i].name);
    }
}

bool options_animates(const struct options *o)
{
    return o->each > 0 && o->frames == NULL && o->reduction == REDUCE_NOTHING &&
           o->output != NULL && grid_is_picture(o->output);
}

void options_check_run(struct options *o)
{
    if (strcmp(o->form->name, "generate") == 0)
        return;
    if (o->backends != 0 && (o->backends & 1u << BACKEND_GL) == 0 &&
        (o->fast || o->disguise || o->mutants))
        options_refuse(o, "--fast, --disguise and --mutants are of the backend gl");
    if (strcmp(o->form->name, "run") != 0) {
        check_rows(o);
        return;
    }
    if ((o->backends & (o->backends - 1)) != 0)
        options_refuse(o, "run computes by one --backend; bench and check take several");
    for (int k = 0; k < o->head.arrays && o->watch; k++) {
        if (o->head.array[k].from != NULL && strcmp(o->head.array[k].from, "-") == 0)
            options_refuse(o, "--watch reads its inputs again, and standard input cannot be");
    }
    if (o->each > 0 && o->frames == NULL && o->reduction == REDUCE_NOTHING && !options_animates(o))
        options_refuse(o, "--every goes with --frames, --reduce or -o FILE.png");
    if (o->frames != NULL && o->each == 0)
        options_refuse(o, "--frames goes with --every K, the steps from one frame to the next");
    if (o->tolerance > 0.0 && !o->judged)
        options_refuse(o, "--tolerance goes with --check");
}

void options_add_files(const struct options *o, const struct qp_kernel_file_head *head,
                       struct outputs *outputs)
{
    for (int k = 0; k < head->arrays; k++) {
        if (head->array[k].made == QP_MADE_NOT)
            outputs_add_input(outputs, head->array[k].from);
    }
    for (int i = 0; i < o->word_count; i++)
        outputs_add_input(outputs, o->words[i]);
    outputs_add_input(outputs, head->check);
}
