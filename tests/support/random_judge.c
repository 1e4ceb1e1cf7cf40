/* SPDX-License-Identifier: MIT */
#include "support/random_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Answers that are due ---- */

enum due { RUNS, MAY_REFUSE, MUST_REFUSE };

/* Kinds that not every way computes. What runs gives the interpreter's numbers. */
static const struct {
    unsigned kind;
    enum due drawn, tiled, generated;
} dues[] = {
    {RANDOM_SIZES, RUNS, RUNS, MUST_REFUSE},
    {RANDOM_MOVED, RUNS, MAY_REFUSE, MAY_REFUSE},
    {RANDOM_UNORDERED, MAY_REFUSE, MAY_REFUSE, MAY_REFUSE},
    {RANDOM_ALIASED, MAY_REFUSE, MAY_REFUSE, MAY_REFUSE},
    {RANDOM_HANDED, RUNS, RUNS, MAY_REFUSE},
    {RANDOM_MACROS, RUNS, RUNS, MAY_REFUSE},
    {RANDOM_NAMES, RUNS, RUNS, MAY_REFUSE},
    {RANDOM_LOOPS, MAY_REFUSE, MAY_REFUSE, MAY_REFUSE},
    {RANDOM_WRITES, MUST_REFUSE, MUST_REFUSE, MUST_REFUSE},
    {RANDOM_UNSIGNED, RUNS, RUNS, MUST_REFUSE},
};

static bool is_whole(const struct random_frame *frame)
{
    return frame->type == QP_ARRAY_INT || frame->type == QP_ARRAY_UINT;
}

/* An outside that an integer does not hold is refused or, if it is one of a range, rounded. */
static enum due of_outsides(const struct random_frame *frame)
{
    const double least = frame->type == QP_ARRAY_INT ? -0x1p31 : 0.0,
                 most = frame->type == QP_ARRAY_INT ? 0x1p31 - 1.0 : 0x1p32 - 1.0;
    enum due due = RUNS;
    for (int k = 0; k < frame->arrays && is_whole(frame); k++) {
        const double value =
            frame->array[k].outside == QP_OUTSIDE_VALUE ? frame->array[k].value : 0.0;
        if (!(rint(value) >= least && rint(value) <= most))
            return MUST_REFUSE;
        if (value != rint(value))
            due = MAY_REFUSE;
    }
    return due;
}

static enum due due_of(const struct random_case *of, const struct random_answer *answer)
{
    enum due due = of_outsides(of->frame);
    if (due == RUNS && of->frame->wide && answer->generated)
        due = MAY_REFUSE;
    for (size_t i = 0; i < sizeof dues / sizeof dues[0]; i++) {
        const enum due here = answer->generated ? dues[i].generated
                              : answer->tiles   ? dues[i].tiled
                                                : dues[i].drawn;
        if ((of->kinds & dues[i].kind) != 0 && here > due)
            due = here;
    }
    return due;
}

/* ---- Sentences ---- */

const char *random_kind_names(unsigned kinds)
{
    static char names[256];
    int used = 0;
    names[0] = '\0';
    for (int bit = 0; bit < RANDOM_KINDS; bit++)
        if ((kinds >> bit & 1) != 0)
            used += snprintf(names + used, sizeof names - (size_t)used, "%s%s", used > 0 ? " " : "",
                             random_kind_name(bit));
    return used > 0 ? names : "plain";
}

/* Tells of a difference; of a way and kinds that had none so far with the kernel's text. */
static void tell(const struct random_case *of, const struct random_answer *answer, const char *what)
{
    enum { MOST_TOLD = 256 };
    static struct {
        unsigned kinds;
        char by[32];
    } told[MOST_TOLD];
    static int count;
    bool is_new = count < MOST_TOLD;
    for (int i = 0; i < count; i++)
        is_new = is_new && !(told[i].kinds == of->kinds && strcmp(told[i].by, answer->by) == 0);
    fprintf(stderr, "DIFFERS: seed %llu, kernel %d (%s), by %s: %s\n", (unsigned long long)of->seed,
            of->number, random_kind_names(of->kinds), answer->by, what);
    if (!is_new)
        return;
    told[count].kinds = of->kinds;
    snprintf(told[count++].by, sizeof told[0].by, "%s", answer->by);
    fputs(of->text, stderr);
}

/* ---- Cells ---- */

/* True for a value that is the interpreter's, the sign of a zero too, or as near as the interpreter
 * knows. */
static bool is_same(double got, double want, double error)
{
    if (got == want)
        return error > 0.0 || signbit(got) == signbit(want);
    return fabs(got - want) <= error;
}

/* Another value where no number, or a division by zero, came in between, which is left to compilers
 * (docs/bits.md). The first one is reported. */
static void note_unsettled(const struct random_case *of, const struct random_answer *answer,
                           double got, double want, struct random_count *count)
{
    if (count->unsettled++ == 0)
        fprintf(stderr, "unsettled: seed %llu, kernel %d (%s), by %s: %g, and %g by C\n",
                (unsigned long long)of->seed, of->number, random_kind_names(of->kinds), answer->by,
                got, want);
}

static bool compare(const struct random_case *of, const struct random_answer *answer, int state,
                    struct random_count *count)
{
    for (int i = 0; i < of->width * of->height; i++) {
        const double want = of->wanted[state][i], error = of->error[state][i],
                     got = answer->cells[state][i];
        char what[256];
        count->cells++;
        count->exact += error == 0.0;
        count->doubtful += !(error < 0.01);
        if ((of->kinds & RANDOM_INFINITE) != 0 && !(error < (double)INFINITY) &&
            !is_same(got, want, 0.0) && !(isnan(got) && isnan(want)))
            note_unsettled(of, answer, got, want, count);
        if (!(error < (double)INFINITY) || isnan(want) || is_same(got, want, error))
            continue;
        snprintf(what, sizeof what,
                 "state %d of cell (%d, %d) of %d x %d after %d steps is %.17g and not %.17g, off "
                 "%g at most",
                 state, i % of->width, i / of->width, of->width, of->height, of->steps, got, want,
                 error);
        tell(of, answer, what);
        return false;
    }
    return true;
}

/* True for a refusal of a divisor that is a literal 0, which generators of remainders draw. */
static bool is_of_zero(const struct random_case *of, const char *sentence)
{
    return (of->kinds & RANDOM_REMAINDERS) != 0 && strstr(sentence, "a division by zero") != NULL;
}

/* False for what befell the program, which is no reason to refuse a kernel. */
static bool is_reason(const char *sentence)
{
    static const char *const faults[] = {"does not compile", "crashed", "by itself", "takes more"};
    bool good = true;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        good = good && strstr(sentence, faults[i]) == NULL;
    return good;
}

void random_judge(const struct random_case *of, const struct random_answer *answer, int states,
                  struct random_count *count)
{
    const enum due due = due_of(of, answer);
    char what[1200];
    bool good = true;
    count->answers++;
    count->refused += answer->refused;
    if (answer->crash != 0) {
        snprintf(what, sizeof what, "it was ended by signal %d", answer->crash);
        good = false;
    } else if (answer->refused) {
        snprintf(what, sizeof what, "it was refused: %.1000s", answer->sentence);
        good = is_of_zero(of, answer->sentence) || (due != RUNS && is_reason(answer->sentence));
    } else if (due == MUST_REFUSE) {
        snprintf(what, sizeof what, "it was not refused");
        good = false;
    }
    if (!good)
        tell(of, answer, what);
    for (int k = 0; k < states && good && !answer->refused; k++)
        good = compare(of, answer, k, count);
    count->differ += !good;
}
