/* SPDX-License-Identifier: MIT */
/* The answer beside the reference, of a case that failed and is small enough to be looked at. */
#include <math.h>
#include <string.h>

#include "lab/trial/trial.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/run/trial.h"

enum { TEXT = 24, COLUMNS = 100, MARGIN = 4 };

void run_trial_keep_both(struct run_trial *trial, const struct qp_problem *problem,
                         const struct qp_comparison *worst, const struct qp_result *result)
{
    const int channels = trial->inputs.at[0].channels, width = problem->width,
              height = problem->height, cells = width * height;
    struct run_both *both = &trial->both;
    if (both->told)
        return;
    *both = (struct run_both){.width = 0};
    if (width > RUN_BOTH_COLUMNS || height > RUN_BOTH_ROWS || cells < 2)
        return;
    *both = (struct run_both){.width = width, .height = height};
    snprintf(both->name, sizeof both->name, "%s", trial->latest.state);
    if (channels > 1)
        snprintf(both->name, sizeof both->name, "channel %c of %s", "rgba"[trial->latest.channel],
                 trial -> latest.state);
    const int first = worst->y / height * height;
    for (int i = 0; i < cells; i++) {
        const size_t at =
            ((size_t)(first + i / width) * (size_t)width + (size_t)(i % width)) * (size_t)channels +
            (size_t)trial->latest.channel;
        both->is[i] = qp_matrix_value(&result->solution, at);
        both->wanted[i] = problem->reference[at];
        both->wrong[i] =
            !(fabs(both->is[i] - both->wanted[i]) <= result->tolerance * problem->reference_scale);
    }
}

/* A value, and stars around one that is wrong. */
static void format(double value, bool wrong, int digits, char text[TEXT])
{
    char number[TEXT - 2];
    if (isnan(value))
        strcpy(number, qp_is_unwritten(value) ? "unset" : "nan");
    else
        snprintf(number, sizeof number, "%.*g", digits, value);
    snprintf(text, TEXT, wrong ? "*%s*" : "%s", number);
}

/* Columns of the answer, with room for stars, and of the reference, in so many digits; false where
 * a wrong value would look like the right one. */
static bool measure(const struct run_both *both, int digits, int width[2])
{
    char is[TEXT], wanted[TEXT];
    bool tells = true;
    width[0] = width[1] = 0;
    for (int i = 0; i < both->width * both->height; i++) {
        format(both->is[i], false, digits, is);
        format(both->wanted[i], false, digits, wanted);
        tells = tells && !(both->wrong[i] && strcmp(is, wanted) == 0);
        width[0] = qp_most(width[0], (int)strlen(is) + 2);
        width[1] = qp_most(width[1], (int)strlen(wanted));
    }
    return tells;
}

/* Row y of the answer, or of the reference, whose columns may have room for stars; true if there is
 * room after the last value. */
static bool print_row(FILE *table, const struct run_both *both, bool wanted, int y, int digits,
                      int width, bool has_room)
{
    char text[TEXT];
    bool room = false;
    for (int i = y * both->width; i < (y + 1) * both->width; i++) {
        const bool wrong = !wanted && both->wrong[i];
        format(wanted ? both->wanted[i] : both->is[i], wrong, digits, text);
        fputs(room ? " " : "", table);
        room = has_room && !wrong;
        fprintf(table, " %*s", width - room, text);
    }
    return room;
}

static void print_beside(FILE *table, const struct run_both *both, int digits, const int width[2])
{
    fprintf(table, "%*s %-*s | should be\n", MARGIN, "", both->width * (width[0] + 1) - 1, "is");
    for (int y = both->height - 1; y >= 0; y--) {
        fprintf(table, "%*s", MARGIN, "");
        const bool room = print_row(table, both, false, y, digits, width[0], true);
        fputs(room ? "  |" : " |", table);
        print_row(table, both, true, y, digits, width[1], false);
        fputc('\n', table);
    }
}

static void print_below(FILE *table, const struct run_both *both, int digits, int width)
{
    for (int wanted = 0; wanted < 2; wanted++) {
        fprintf(table, "%*s %s\n", MARGIN, "", wanted ? "should be" : "is");
        for (int y = both->height - 1; y >= 0; y--) {
            fprintf(table, "%*s", MARGIN, "");
            print_row(table, both, wanted, y, digits, width, true);
            fputc('\n', table);
        }
    }
}

void run_trial_print_both(FILE *table, const struct run_both *both)
{
    static const int digits[] = {6, 5, 4, 6, 5, 4, 3, 7, 8, 9};
    const int beside = 3, tries = sizeof digits / sizeof digits[0]; /* beside: the first ones */
    for (int k = 0; k < tries && both->width > 0; k++) {
        int width[2];
        if (!measure(both, digits[k], width))
            continue;
        if (k >= beside)
            width[0] = qp_most(width[0], width[1] + 1);
        const int across =
            k < beside ? both->width * (width[0] + width[1] + 2) + 2 : both->width * (width[0] + 1);
        if (MARGIN + across > COLUMNS)
            continue;
        fprintf(table, "%*s%s, row 0 at the bottom, *wrong cells* in stars:\n", MARGIN, "",
                both->name);
        if (k < beside)
            print_beside(table, both, digits[k], width);
        else
            print_below(table, both, digits[k], width[0]);
        return;
    }
}
