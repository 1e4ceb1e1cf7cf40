/* SPDX-License-Identifier: MIT */
#include "tools/cmd/check_variants.h"

#include <stdlib.h>

#include <quadpass/spoil.h>

#include "commit.h"
#include "lab/ops/table.h"
#include "lab/walk/checker.h"
#include "lab/walk/description.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/ranks.h"
#include "tools/cmd/run/trial.h"

/* Values of a kind's parameter that are checked: the first, the last and two between. */
enum { CHECKED_PARAMETERS = 4 };

/* The kind with this number among those that are checked; NULL after the last. */
static const struct qp_kind *checked_kind(const struct qp_op *op, int number)
{
    const struct qp_kind *kind = op->kinds;
    while (kind->name != NULL && (kind->unchecked || number-- > 0))
        kind++;
    return kind->name != NULL ? kind : NULL;
}

/* The problems to check variants of one operation on: those of the kind asked for or of all kinds,
 * and of each kind those with the parameter asked for or with several. */
struct family {
    const struct options *options;
    const struct qp_op *op;
    const struct qp_kind *kind; /* the one asked for; NULL: all that are checked */
    int parameters;             /* parameters of each kind */
};

static enum qp_status make_problem(void *user, int number, int width, int height, int systems,
                                   struct qp_problem *out)
{
    const struct family *family = user;
    const int k = number % family->parameters;
    const struct qp_kind *kind =
        family->kind != NULL ? family->kind : checked_kind(family->op, number / family->parameters);
    struct options one = *family->options;
    if (family->parameters > 1 && kind->range.what != NULL)
        one.parameter = kind->range.sweep[k * (qp_kind_sweep(kind) - 1) / (CHECKED_PARAMETERS - 1)];
    return cmd_problem(&one, family->op->name, kind->name, width, height, systems, out);
}

/* A check under way: variant by variant, since each is printed as soon as all of it is done. */
struct check {
    const struct options *options;
    struct command *command;
    const struct qp_variant *const *variants;
    int count, refused; /* variants; refused: of operations without a problem of the size */
    struct check_variants shared;  /* their results */
    bool told;                     /* said that there is no direct solver */
    struct qp_kept_problems *kept; /* problems of one operation */
    const struct qp_op *op;        /* operation of those problems */
    struct run_trial *own;         /* a kernel file in place of variants; NULL: none */
    struct qp_tally *tallies;      /* tallies of the command's records */
};

static struct qp_check_desc describe(const struct check *check, struct family *family)
{
    const struct options *options = check->options;
    struct qp_check_desc desc = {.make = make_problem,
                                 .problems = 1,
                                 .width = options->width,
                                 .height = options->height,
                                 .iterations = options->iterations,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .parts = options->parts,
                                 .no_device = check->command->why,
                                 .interrupt = &cmd_interrupted,
                                 .user = family};
    if (options->problem != NULL)
        family->kind = qp_op_kind_at(family->op, qp_op_kind(family->op, options->problem));
    if (options->width == 0 && family->kind != NULL && family->kind->width > 0) {
        desc.width = family->kind->width;
        desc.height = family->op->runs->bench_sizes->height;
    }
    while (family->kind == NULL && checked_kind(family->op, desc.problems) != NULL)
        desc.problems++;
    if (qp_op_has_parameters(family->op) && options->parameter < 0)
        family->parameters = CHECKED_PARAMETERS;
    desc.problems *= family->parameters;
    return desc;
}

/* A kernel that has passed, in disguise at the usual sizes, or at its own: one that gives other
 * numbers has failed. */
static enum qp_status check_disguises(struct check *check, struct qp_tally *tally)
{
    const struct run_trial *own = check->own;
    struct qp_disguise_result most = {.made = 0};
    enum qp_status status = QP_OK;
    for (const struct qp_size *size = own->size->width > 0 ? own->size : qp_usual_sizes;
         size->width > 0 && status == QP_OK && most.difference[0] == '\0' && !cmd_interrupted;
         size++) {
        struct qp_disguise_result result = {.made = 0};
        struct qp_problem problem;
        status = run_trial_make(check->own, 0, size->width, size->height, 1, &problem);
        if (status == QP_OK)
            status = qp_disguise(check->command->context, own->variant, &problem, 1, &result);
        qp_problem_destroy(&problem);
        if (status == QP_OK &&
            (most.made == 0 || result.difference[0] != '\0' || result.leaning > most.leaning))
            most = result;
    }
    progress_end();
    if (status != QP_OK)
        return status;
    tally->failed += most.difference[0] != '\0';
    if (most.difference[0] != '\0')
        cmd_fail(&tally->worst, most.difference);
    else
        fprintf(check->options->table, "%d disguises give the same numbers\n", most.made);
    if (most.leaning > 0)
        fprintf(check->options->table, "%d lean on the optimiser and differ without precise: %s\n",
                most.leaning, most.remark);
    return QP_OK;
}

/* Prints how many mutants of each kind the reference notices, and those that it does not. */
static void print_mutants(FILE *table, const struct records_mutants *mutants)
{
    enum { SHOWN = 12 };
    const char *comma = ": ";
    fprintf(table, "the reference notices %d of %d mutants", mutants->all.noticed,
            mutants->all.made);
    for (int k = 0; k < QP_MUTANTS; k++) {
        const struct qp_spoil_tally *kind = &mutants->all.kind[k];
        if (kind->made == 0)
            continue;
        fprintf(table, "%s%s %d of %d", comma, qp_mutant_name(k), kind->noticed, kind->made);
        comma = ", ";
    }
    fputc('\n', table);
    for (int k = 0; k < mutants->count && k < SHOWN; k++) {
        const struct records_survivor *one = &mutants->survivor[k];
        fprintf(table, "%s: nothing notices '%s' in place of '%s'", one->place, one->is, one->was);
        if (one->with[0] != '\0')
            fprintf(table, "; it shows with %s", one->with);
        else if (mutants->tries > 0)
            fprintf(table, "; none of %d other inputs shows it", mutants->tries);
        fputc('\n', table);
    }
    if (mutants->count > SHOWN)
        fprintf(table, "and %d more, which --json lists\n", mutants->count - SHOWN);
    if (mutants->failed > 0)
        fprintf(table, "the kernel itself fails on %d of the other inputs, the first of them %s\n",
                mutants->failed, mutants->failed_with);
}

/* Mutants that count as missed: reads, and words where some input shows that the change has an
 * effect, or none was tried. */
static int count_missed(const struct records_mutants *mutants)
{
    const struct qp_spoil_tally *reads = &mutants->all.kind[QP_MUTANT_READ];
    int missed = reads->made - reads->noticed;
    for (int k = 0; k < mutants->count; k++) {
        const struct records_survivor *one = &mutants->survivor[k];
        missed += one->kind != qp_mutant_name(QP_MUTANT_READ) &&
                  (one->with[0] != '\0' || mutants->tries == 0);
    }
    return missed;
}

/* Mutants. A tenth may be missed: their changes may have no effect. */
static enum qp_status check_mutants(struct check *check, struct qp_tally *tally)
{
    const struct qp_spoil_result *all = &check->own->mutants.all;
    char reason[256];
    const enum qp_status status =
        run_trial_spoil(check->own, check->command->context, !check->options->no_tries);
    progress_end();
    if (status == QP_OK)
        print_mutants(check->options->table, &check->own->mutants);
    const int missed = count_missed(&check->own->mutants);
    if (status != QP_OK || tally->worst.verdict != QP_PASS || 10 * missed <= all->made)
        return status;
    snprintf(reason, sizeof reason,
             "%d of %d mutants survive, more than a tenth; other inputs may show them", missed,
             all->made);
    cmd_fail(&tally->worst, reason);
    tally->worst.verdict = QP_CANNOT_TELL;
    return status;
}

/* All cases of a kernel file: at the usual sizes and fresh ones, or its own. */
static enum qp_status check_file(struct check *check, const struct qp_variant *variant,
                                 struct qp_tally *tally)
{
    const struct options *options = check->options;
    const struct qp_check_desc desc = {.make = run_trial_make,
                                       .width = check->own->size->width,
                                       .height = check->own->size->height,
                                       .iterations = options->iterations,
                                       .no_device = check->command->why,
                                       .interrupt = &cmd_interrupted,
                                       .on_case = run_trial_add_case,
                                       .user = check->own};
    run_trial_watch(check->own);
    qp_kept_problems_destroy(&check->kept); /* the reference judges the latest alone */
    enum qp_status status =
        qp_check_keeping(check->command->context, &variant, 1, &desc,
                         run_machines_sizes(&check->own->machines, variant), &check->kept, tally);
    const bool drawn = (check->own->compiled[0] != NULL || options->backends == 0) &&
                       variant == check->own->variant && !cmd_interrupted;
    if (status == QP_OK && drawn && options->disguise && tally->worst.verdict == QP_PASS)
        status = check_disguises(check, tally);
    if (status == QP_OK && drawn && options->mutants &&
        (tally->worst.verdict == QP_PASS || tally->worst.verdict == QP_CANNOT_TELL))
        status = check_mutants(check, tally);
    return run_trial_end(check->own, status, &tally->worst);
}

/* All cases of one variant. */
static enum qp_status check_cases(struct check *check, const struct qp_variant *variant,
                                  struct qp_tally *tally)
{
    if (check->own != NULL)
        return check_file(check, variant, tally);
    struct family family = {
        .options = check->options, .op = qp_op_find(variant->op), .parameters = 1};
    const struct qp_check_desc desc = describe(check, &family);
    if (check->op != family.op)
        qp_kept_problems_destroy(&check->kept);
    check->op = family.op;
    enum qp_status status =
        qp_check_keeping(check->command->context, &variant, 1, &desc, NULL, &check->kept, tally);
    if (status != QP_BAD_USE || ++check->refused == check->count)
        return status;
    *tally = (struct qp_tally){.worst = cmd_skipped(variant, check->options), .skipped = 1};
    return QP_OK; /* others may take this size */
}

/* Whole solves of a variant that has passed so far. The systems have sizes and step counts of their
 * own: who asks for others does not want them. */
static enum qp_status check_solutions(struct check *check, const struct qp_variant *variant,
                                      struct qp_tally *tally, struct solved *solved)
{
    const struct options *options = check->options;
    if (check->own != NULL || options->width > 0 || options->iterations > 0 ||
        qp_tally_verdict(tally) != QP_PASS)
        return QP_OK;
    const double start = qp_clock();
    enum qp_status status = check_solves(options, check->command->context, variant, solved);
    tally->seconds += qp_clock() - start;
    tally->failed += solved->failed && status == QP_OK;
    if (solved->failed && status == QP_OK)
        cmd_fail(&tally->worst, solved->reason);
    if (status != QP_UNSUPPORTED || cmd_interrupted)
        return status;
    snprintf(solved->reason, sizeof solved->reason, "%s", qp_error());
    return QP_OK;
}

/* Checks a variant, from its first case on. An interrupted variant that had begun has a result,
 * too. */
static enum qp_status check_row(struct check *check, int number)
{
    const struct qp_variant *variant = check->variants[number];
    struct check_outcome *outcome = &check->shared.outcome[number];
    struct qp_tally *tally = &outcome->tally;
    progress_say("check of %s, variant %d of %d", variant->name, check->command->count + 1,
                 check->count);
    enum qp_status status = check_cases(check, variant, tally);
    if (status == QP_OK && !cmd_interrupted)
        status = check_solutions(check, variant, tally, &outcome->solved);
    if (cmd_interrupted && (status == QP_OK || status == QP_UNSUPPORTED)) {
        if (tally->passed + tally->failed == 0)
            return QP_OK;
        check_leave(tally, variant);
        status = QP_OK;
    }
    progress_end();
    atomic_store(&outcome->done, status == QP_OK);
    return status;
}

/* ---- Fresh cases ---- */

static void print_fresh(const struct check *check)
{
    const struct records_cases *cases = check->options->cases;
    const struct qp_size *size = cases->size;
    FILE *table = check->options->table;
    if (!cases->is_fresh)
        return;
    if (size->width > 0)
        fprintf(table, "fresh sizes %dx%d, %dx%d and %dx%d; ", size[0].width, size[0].height,
                size[1].width, size[1].height, size[2].width, size[2].height);
    if (cases->fresh_steps > 0)
        fprintf(table, "%d fresh steps; ", cases->fresh_steps);
    fprintf(table, "random inputs by seed %llu\n", cases->seed);
}

/* Prints the command that judges the same cases once more. */
static void print_again(const struct check *check)
{
    const struct options *options = check->options;
    if (options->cases->is_fresh && options->seed_drawn)
        fprintf(options->table, "to see it again: %s --seed %llu\n", options->command_line,
                options->cases->seed);
}

/* Counts a variant that is done, and prints its line. */
static enum qp_status add_row(struct check *check, int number)
{
    const struct qp_variant *variant = check->variants[number];
    struct command *command = check->command;
    struct check_outcome *outcome = &check->shared.outcome[number];
    struct qp_tally *tally = &outcome->tally;
    FILE *table = check->options->table;
    enum qp_verdict verdict = qp_tally_verdict(tally);
    if (verdict == QP_SKIP && cmd_is_required(check->options, variant))
        tally->worst.verdict = verdict = QP_FAIL;
    command->verdicts[verdict]++;
    check->tallies[command->count] = check_for_report(tally, verdict);
    const enum qp_status status = command_add(command, &tally->worst);
    if (!outcome->solved.failed && outcome->solved.reason[0] != '\0' && !check->told) {
        check->told = true;
        fprintf(table, "no solution is compared with a direct solver's: %s\n",
                outcome->solved.reason);
    }
    check_print_row(table, cmd_name_width(check->variants, check->count), outcome, verdict,
                    check->options->cases);
    if (verdict == QP_FAIL && check->own != NULL)
        run_trial_print_both(table, &check->own->both);
    if (verdict != QP_PASS && verdict != QP_SKIP && check->own != NULL)
        print_again(check);
    fflush(table);
    return status;
}

/* All variants, in their order, each as soon as it is done; until then this process takes
 * others. */
static enum qp_status check_variants(struct check *check)
{
    struct check_variants *shared = &check->shared;
    enum qp_status status = QP_OK;
    for (int i = 0; i < check->count && status == QP_OK; i++) {
        while (qp_runs_here(check->variants[i]) && !atomic_load(&shared->outcome[i].done) &&
               status == QP_OK && !cmd_interrupted) {
            const int taken = check_variants_take(shared, i);
            if (taken >= 0)
                status = check_row(check, taken);
            else
                check_variants_wait(shared);
        }
        if (cmd_interrupted)
            check_variants_stop(shared, true);
        if (status == QP_OK && atomic_load(&shared->outcome[i].done))
            status = add_row(check, i);
    }
    check_variants_stop(shared, false);
    return status;
}

/* A process that helps takes variants until there are none, and ends. One that cannot go on leaves
 * its variant to the first process, which says why. */
static void help(struct check *check)
{
    const struct qp_variant *own[MOST_VARIANTS];
    int count = 0, taken = 0;
    for (int i = 0; i < check->count; i++) {
        if (check->variants[i]->backend != QP_MPI)
            own[count++] = check->variants[i];
    }
    enum qp_status status = command_open(check->command, own, count);
    while (status == QP_OK && !cmd_interrupted &&
           (taken = check_variants_take(&check->shared, taken)) >= 0)
        status = check_row(check, taken);
    qp_kept_problems_destroy(&check->kept);
    qp_context_destroy(&check->command->context);
    exit(EXIT_GOOD);
}

/* Writes a report of the checks for CI to a file, "-" for standard output; the commit is this
 * program's. The whole text is in memory before the file is opened: without memory there is no file
 * either. Errors, after which there is no new file: those of the report; QP_BAD_INPUT with the
 * system's reason; QP_NO_MEMORY. */
static enum qp_status
write_report(const char *path,
             enum qp_status (*report)(FILE *out, const struct qp_tally *tallies, int count,
                                      const struct qp_report_desc *desc),
             const struct qp_tally *tallies, int count, const struct qp_report_desc *desc)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    enum qp_status status = memory != NULL ? report(memory, tallies, count, desc) : QP_NO_MEMORY;
    if (memory == NULL || (fclose(memory) != 0 && status == QP_OK))
        status = qp_fail(QP_NO_MEMORY, "%s: no memory for the report", path);
    if (status == QP_OK)
        return records_write_text(path, text);
    free(text);
    return status;
}

/* Writes --json, --csv, --junit and --tap if asked for. */
static enum qp_status write_files(const struct check *check)
{
    const struct options *options = check->options;
    struct command *command = check->command;
    char name[CMD_DEVICE], ended[64], seed[24];
    enum qp_status status = command_write(command);
    if ((options->junit == NULL && options->tap == NULL) ||
        (cmd_interrupted && command->count == 0))
        return status;
    cmd_device(command->context, command->records, command->count, name);
    snprintf(ended, sizeof ended, "interrupted after %d of %d variants", command->count,
             check->count);
    snprintf(seed, sizeof seed, "%llu", options->cases != NULL ? options->cases->seed : 0);
    const struct qp_report_desc desc = {.device = name[0] != '\0' ? name : NULL,
                                        .driver = cmd_head(options, command->context).driver,
                                        .commit = QP_COMMIT,
                                        .seed = options->cases != NULL ? seed : NULL,
                                        .planned = check->count,
                                        .ended = cmd_interrupted ? ended : NULL};
    if (options->junit != NULL && status == QP_OK)
        status =
            write_report(options->junit, qp_report_junit, check->tallies, command->count, &desc);
    if (options->tap != NULL && status == QP_OK)
        status = write_report(options->tap, qp_report_tap, check->tallies, command->count, &desc);
    return status;
}

/* Small grids are drawn in less time than llvmpipe takes to wake its threads: without them the
 * check of all variants takes a third of its time on two cores. */
static void do_without_threads(const struct options *options)
{
    enum { FEW_CELLS = 1 << 14 };
    if ((long)options->width * options->height <= FEW_CELLS)
        setenv("LP_NUM_THREADS", "0", 0);
}

enum qp_status cmd_check(struct options *options, struct command *command)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    static struct qp_tally tallies[MOST_VARIANTS]; /* too large for a stack */
    struct check check = {
        .options = options, .command = command, .variants = variants, .tallies = tallies};
    struct run_trial own = {.file = NULL};
    enum qp_status status = QP_OK;
    cmd_catch_interrupt();
    if (run_trial_is_asked(options)) {
        check.own = &own;
        run_trial_draw_seed(options);
        status = run_trial_open(options, true, true, &own);
        if (status == QP_OK)
            run_trial_draw(&own, options);
        check.count = own.machines.count;
        for (int i = 0; i < check.count; i++)
            variants[i] = own.machines.at[i].variant;
    } else if ((check.count = cmd_select(options, variants)) < 0) {
        return command_end(command, EXIT_USAGE);
    }
    do_without_threads(options);
    if (status == QP_OK)
        status = check_variants_begin(variants, check.count,
                                      check.own == NULL ? check_jobs(options, check.count) : 1,
                                      &check.shared);
    if (check.shared.is_helper)
        help(&check);
    if (status == QP_OK)
        status = command_open(command, variants, check.count);
    if (status == QP_OK && check.own != NULL)
        status = run_trial_compile(&own, command->context);
    if (status == QP_OK && check.own != NULL)
        print_fresh(&check);
    if (status == QP_OK)
        status = check_variants(&check);
    check_variants_destroy(&check.shared);
    qp_kept_problems_destroy(&check.kept);
    if (status == QP_OK)
        status = write_files(&check);
    run_trial_close(&own);
    return command_finish(command, status, command->count, check.count, "variants");
}
