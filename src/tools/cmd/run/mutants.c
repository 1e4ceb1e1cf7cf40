/* SPDX-License-Identifier: MIT */
/* Mutants of a kernel file, and for those that its reference does not notice other inputs that
 * show them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/walk/changed.h"
#include "toolkit/base/random.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/run/trial.h"

struct spoiled {
    struct run_trial *trial;
    struct qp_context *context;
    struct qp_problem problem;
    bool failed;          /* no memory for a survivor */
    const char *compiled; /* the text that a program in C or CUDA has now */
};

/* ---- The file's own inputs ---- */

/* True for a kernel in C or CUDA, of which each mutant is compiled. */
static bool compiles(const struct run_trial *trial)
{
    return qp_kernel_file_function(trial->file)->language >= QP_IN_CUDA;
}

/* Compiles a mutant in C or CUDA, unless it is there; one that does not compile is refused. */
static enum qp_status change_program(struct spoiled *spoiled, const struct qp_variant *variant,
                                     bool *refused)
{
    struct run_trial *trial = spoiled->trial;
    const char *text = variant->recipe->draw[0].fragment_text;
    *refused = false;
    if (text == spoiled->compiled)
        return QP_OK;
    progress_say("mutant %d", trial->mutants.all.made + 1);
    const enum qp_status status = run_machine_change(&trial->machines.at[0], trial->file, text);
    spoiled->compiled = status == QP_OK ? text : NULL;
    *refused = status == QP_BAD_INPUT;
    return *refused ? QP_OK : status;
}

/* Walks a variant. The process of a kernel in another language may end in stage 4, when it has
 * tried its steps, and has not refused it. */
static enum qp_status walk(struct spoiled *spoiled, const struct qp_variant *variant, int steps,
                           struct qp_result *out)
{
    const struct qp_walk_desc desc = {.iterations = steps, .interrupt = &cmd_interrupted};
    const struct run_machine *machine = &spoiled->trial->machines.at[0];
    bool refused;
    enum qp_status status = compiles(spoiled->trial)
                                ? change_program(spoiled, variant, &refused)
                                : run_machine_refuses(machine, spoiled->context, variant, &refused);
    if (compiles(spoiled->trial))
        variant = spoiled->trial->variant;
    if (status == QP_OK && refused)
        *out = (struct qp_result){.verdict = QP_FAIL, .failed = QP_STAGE_PROGRAM};
    else if (status == QP_OK)
        status = qp_walk(spoiled->context, variant, &spoiled->problem, &desc, out);
    if (status == QP_OK && machine->backend != BACKEND_GL && !refused &&
        out->failed == QP_STAGE_PROGRAM)
        out->failed = QP_STAGE_PASS;
    if (spoiled->trial->ended != QP_OK)
        return spoiled->trial->ended;
    return cmd_interrupted ? qp_watch_fail() : status;
}

/* Walks a mutant until its reference notices it. */
static enum qp_status walk_mutant(void *user, const struct qp_variant *variant,
                                  struct qp_result *out)
{
    struct spoiled *spoiled = user;
    const struct run_trial *trial = spoiled->trial;
    enum qp_status status = QP_OK;
    *out = (struct qp_result){.verdict = QP_PASS};
    spoiled->compiled = NULL;
    for (int k = 0; trial->steps[k] > 0 && status == QP_OK && out->verdict == QP_PASS; k++) {
        if (k == 0 || trial->steps[k + 1] == 0)
            status = walk(spoiled, variant, trial->steps[k], out);
    }
    return status;
}

static void keep_survivor(void *user, const struct qp_spoiled *mutant)
{
    struct spoiled *spoiled = user;
    struct records_mutants *mutants = &spoiled->trial->mutants;
    char place[QP_KERNEL_LETTERS + 4096];
    if (mutant->noticed)
        return;
    const size_t size = ((size_t)mutants->count + 1) * sizeof *mutants->survivor;
    struct records_survivor *grown = realloc(mutants->survivor, size);
    spoiled->failed |= grown == NULL;
    if (grown == NULL)
        return;
    snprintf(place, sizeof place, "%s:%d", mutant->shader, mutant->line);
    mutants->survivor = grown;
    struct records_survivor *one = &grown[mutants->count++];
    *one = (struct records_survivor){.kind = qp_mutant_name((int)mutant->kind),
                                     .draw = mutant->draw,
                                     .place = qp_copy_text(place, "a mutant"),
                                     .was = qp_copy_text(mutant->was, "a mutant"),
                                     .is = qp_copy_text(mutant->is, "a mutant"),
                                     .text = qp_copy_text(mutant->text, "a mutant")};
    spoiled->failed |=
        one->place == NULL || one->was == NULL || one->is == NULL || one->text == NULL;
}

/* ---- Other inputs ---- */

/* Inputs of a try, with their words for the command line. */
struct attempt {
    uint64_t state;
    int number, steps;
    struct qp_size size;
    char made[QP_KERNEL_INPUTS * QP_KERNEL_TURNS][64]; /* expressions */
    char with[RECORDS_WITH];
};

/* A whole number; the least one where there is no other. */
static int draw(struct attempt *attempt, int least, int most)
{
    const int bits = (int)(qp_random_bits(&attempt->state) >> 33);
    return most <= least ? least : least + bits % (most - least + 1);
}

static void say(struct attempt *attempt, const char *word, const char *value)
{
    const size_t used = strlen(attempt->with);
    snprintf(attempt->with + used, sizeof attempt->with - used, "%s--%s %s", used > 0 ? " " : "",
             word, value);
}

/* Other values for an array that no file gives: random ones, large ones, whole ones, quarters. */
static void change_array(struct attempt *attempt, struct qp_kernel_file_array *array, char *made)
{
    static const char *const forms[] = {"(%d*sin(%d*x+%d*y))", "(floor(%d+sin(%d*x+%d*y)*4))",
                                        "(floor(%d+sin(%d*x+%d*y)*4)/4)"};
    static const int least[] = {2, 0, 4}, most[] = {40, 4, 4};
    const int form = draw(attempt, 0, 3), k = form - 1;
    char input[QP_KERNEL_LETTERS + 80];
    snprintf(made, sizeof attempt->made[0], "random");
    if (k >= 0)
        snprintf(made, sizeof attempt->made[0], forms[k], draw(attempt, least[k], most[k]),
                 draw(attempt, 1, 99), draw(attempt, 1, 99));
    array->from = made;
    array->made = k >= 0 ? QP_MADE_EXPRESSION : QP_MADE_RANDOM;
    snprintf(input, sizeof input, k >= 0 ? "'%s=%s'" : "%s=%s", array->name, made);
    say(attempt, "input", input);
}

/* Draws inputs: in every other one of the first tries those of the head, of another seed and
 * size. */
static void draw_inputs(struct run_trial *trial, struct attempt *attempt)
{
    enum { OWN = 20, LONGEST = 48, SEEDS = 1000000 };
    const int most = qp_kernel_file_shortest(trial->file)->values;
    struct qp_kernel_file *file = trial->file;
    char text[64];
    int made = 0;
    const int one = draw(attempt, 0, trial->inputs.count - 1); /* which changes at least */
    attempt->with[0] = '\0';
    attempt->size = (struct qp_size){draw(attempt, 1, LONGEST), draw(attempt, 1, LONGEST)};
    if (trial->size->width > 0)
        attempt->size = *trial->size;
    snprintf(text, sizeof text, "%dx%d", attempt->size.width, attempt->size.height);
    if (trial->size->width == 0)
        say(attempt, "size", text);
    attempt->steps = qp_least(1 + attempt->number % 3, most);
    snprintf(text, sizeof text, "%d", attempt->steps);
    if (attempt->steps != trial->steps[0])
        say(attempt, "iterations", text);
    file->head.has_seed = true;
    file->head.seed = (unsigned long long)draw(attempt, 1, SEEDS);
    snprintf(text, sizeof text, "%llu", file->head.seed);
    say(attempt, "seed", text);
    const bool changes = attempt->number >= OWN || attempt->number % 2 == 1;
    for (; file != NULL && changes; file = file->next) {
        for (int k = 0; k < file->inputs; k++) {
            struct qp_kernel_file_array *array = &file->array[k];
            const int at = run_inputs_find(&trial->inputs, array->name);
            const bool read = array->from != NULL && array->made == QP_MADE_NOT;
            if (trial->inputs.at[at].array == array && !read &&
                (at == one || draw(attempt, 0, 2) == 0))
                change_array(attempt, array, attempt->made[made++]);
        }
    }
}

/* Walks a survivor on the inputs of a try, and notes them if they show it. */
static enum qp_status try_survivor(struct spoiled *spoiled, const struct attempt *attempt,
                                   struct records_survivor *survivor)
{
    struct qp_variant variant = *spoiled->trial->variant;
    struct qp_recipe recipe = *variant.recipe;
    struct qp_result result;
    variant.recipe = &recipe;
    recipe.draw[survivor->draw].fragment_text = survivor->text;
    const enum qp_status status = walk(spoiled, &variant, attempt->steps, &result);
    if (status == QP_OK && result.verdict == QP_FAIL)
        memcpy(survivor->with, attempt->with, sizeof survivor->with);
    return status;
}

/* A try: inputs that the kernel or its reference does not take show nothing. */
static enum qp_status try_inputs(struct spoiled *spoiled, struct attempt *attempt)
{
    struct run_trial *trial = spoiled->trial;
    struct records_mutants *mutants = &trial->mutants;
    struct qp_result result = {.verdict = QP_NO_VERDICT};
    draw_inputs(trial, attempt);
    enum qp_status status =
        run_trial_make(trial, 0, attempt->size.width, attempt->size.height, 1, &spoiled->problem);
    if (status == QP_OK)
        status = walk(spoiled, trial->variant, attempt->steps, &result);
    if (status == QP_OK && result.verdict == QP_FAIL && mutants->failed++ == 0)
        memcpy(mutants->failed_with, attempt->with, sizeof mutants->failed_with);
    for (int k = 0; k < mutants->count && status == QP_OK && result.verdict == QP_PASS; k++) {
        if (mutants->survivor[k].with[0] == '\0')
            status = try_survivor(spoiled, attempt, &mutants->survivor[k]);
    }
    qp_problem_destroy(&spoiled->problem);
    trial->ended = QP_OK;
    return cmd_interrupted || status == QP_NO_MEMORY || status == QP_DEVICE ? status : QP_OK;
}

static bool all_are_shown(const struct records_mutants *mutants)
{
    bool shown = true;
    for (int k = 0; k < mutants->count; k++)
        shown &= mutants->survivor[k].with[0] != '\0';
    return shown;
}

/* A hundred tries, and fewer of large grids. */
static int count_tries(const struct qp_size *own)
{
    const double cells = (double)own->width * own->height;
    return qp_most((int)(100.0 * fmin(1.0, 0x1p16 / fmax(cells, 1.0))), 4);
}

/* Tries other inputs, and leaves the file's own. */
static enum qp_status find_inputs(struct spoiled *spoiled)
{
    struct run_trial *trial = spoiled->trial;
    struct qp_kernel_file_array own[QP_KERNEL_TURNS][QP_KERNEL_INPUTS];
    struct qp_kernel_file_head *head = &trial->file->head;
    const bool has_seed = head->has_seed;
    const unsigned long long seed = head->seed;
    struct attempt attempt = {.state = has_seed ? seed : 1};
    enum qp_status status = QP_OK;
    int turn = 0;
    for (struct qp_kernel_file *file = trial->file; file != NULL; file = file->next)
        memcpy(own[turn++], file->array, sizeof file->array);
    trial->mutants.tries = count_tries(trial->size);
    for (; attempt.number < trial->mutants.tries && status == QP_OK &&
           !all_are_shown(&trial->mutants);
         attempt.number++) {
        progress_say("inputs that show survivors, try %d of %d", attempt.number + 1,
                     trial->mutants.tries);
        status = try_inputs(spoiled, &attempt);
        turn = 0;
        for (struct qp_kernel_file *file = trial->file; file != NULL; file = file->next)
            memcpy(file->array, own[turn++], sizeof file->array);
    }
    head->has_seed = has_seed;
    head->seed = seed;
    return status;
}

/* A variant by its program has no draw, but of a kernel in another language a text that can be
 * spoiled. */
static enum qp_status spoil_text(struct spoiled *spoiled, const struct qp_spoil_desc *desc)
{
    struct run_trial *trial = spoiled->trial;
    struct qp_variant variant = *trial->variant;
    struct qp_recipe recipe = *variant.recipe;
    variant.recipe = &recipe;
    if (recipe.draw[0].fragment == NULL)
        recipe.draw[0] =
            (struct qp_draw){.fragment = trial->file->path, .fragment_text = trial->file->text};
    const enum qp_status status =
        qp_spoil_by(&variant, walk_mutant, spoiled, desc, &trial->mutants.all);
    if (compiles(trial))
        run_machine_change(&trial->machines.at[0], trial->file, trial->file->text);
    return status;
}

/* Few cells; of a kernel in CUDA more than a block has, or its numbers have no effect. */
static struct qp_size choose_size(const struct qp_kernel_file *file)
{
    enum { USUAL = 16 };
    const struct qp_kernel_function *function = qp_kernel_file_function(file);
    const int across = function->group[0] > 0 ? function->group[0] : USUAL,
              up = function->group[1] > 0 ? function->group[1] : USUAL;
    return function->language == QP_IN_CUDA ? (struct qp_size){2 * across + 1, 2 * up + 1}
                                            : (struct qp_size){13, 11};
}

enum qp_status run_trial_spoil(struct run_trial *trial, struct qp_context *context, bool tries)
{
    const struct qp_size few = choose_size(trial->file),
                         *size = trial->size->width > 0 ? trial->size : &few;
    struct spoiled spoiled = {.trial = trial, .context = context};
    const struct qp_spoil_desc desc = {
        .on_mutant = keep_survivor, .user = &spoiled, .kinds = QP_MUTANTS_ALL};
    records_forget(&trial->mutants);
    enum qp_status status =
        run_trial_make(trial, 0, size->width, size->height, 1, &spoiled.problem);
    if (status == QP_OK)
        status = spoil_text(&spoiled, &desc);
    qp_problem_destroy(&spoiled.problem);
    if (status == QP_OK && spoiled.failed)
        return QP_NO_MEMORY;
    trial->cases.mutants = &trial->mutants;
    /* in C and CUDA each of them would be compiled again for each try */
    return status == QP_OK && !compiles(trial) && tries ? find_inputs(&spoiled) : status;
}
