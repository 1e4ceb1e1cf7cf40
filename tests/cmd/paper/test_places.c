/* SPDX-License-Identifier: MIT */
/* The list of the papers' places, and the rows that repeat them. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST QP_SOURCE_DIR "/docs/papers/places.csv"

static void every_place_has_its_rows(void **state)
{
    static const char *const places[] = {
        "| 1 | results table |", "| 3 | figure 18 |", "19 and table 1 |", "20 and table 2 |",
        "| 3 | figures 21",      "| 3 | table 3 |",   "| 3 | table 4 |",  "| 3 | table 5 |",
        "| 3 | table 6 |",       "| 3 | table 7 |",   "| 3 | table 8 |",
    };
    (void)state;
    expect("cd " QP_SOURCE_DIR " && tools/places.sh " LIST, 0, "");
    must_print(places, COUNT(places));
}

/* Gaps made on purpose, by an edit of the list. */
static void gaps_are_named(void **state)
{
    static const struct {
        const char *edit, *words;
    } cases[] = {
        {"s,jacobi9/vertex ,jacobi9/vertigo ,", "there is no row jacobi9/vertigo"},
        {"s,\\,jacobi9/multipass.*$,\\,,", "it has no row"},
        {"s,\\,jacobi9/multipass.*$,\\,later,", "there is no row later"},
        {"s,\\,poisson5/cuda_prefetch$,\\,later,", "5, 3.4: there is no row later"},
        {"/one texture a band/d; s,jacobi9/bands ,,",
         "row jacobi9/bands names paper 1 and is not listed there"},
        {"s/,jacobi9.generic.*//", "has 3 fields, not 4"},
        {"s,none: .*,none:,", "there is no row none:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "f=$(mktemp) && sed '%s' " LIST " >$f && " QP_SOURCE_DIR
                 "/tools/places.sh $f; code=$?; rm -f $f; (exit $code)",
                 cases[i].edit);
        expect(command, 1, cases[i].words);
    }
}

/* A row says what it is: a paper's, or ours. A program in the place of `quadpass list` says it
 * wrongly. */
static void rows_say_what_they_are(void **state)
{
    static const char *const places[] = {"ours: anything", "the judge of all rows",
                                         "what came after: compute"};
    (void)state;
    for (size_t i = 0; i <= sizeof places / sizeof places[0]; i++) {
        bool good = i < sizeof places / sizeof places[0];
        char command[1024];
        snprintf(command, sizeof command,
                 "d=$(mktemp -d); { echo '#!/bin/sh'; echo 'cat <<END'; quadpass list --json - | "
                 "jq '. + [{variant: \"new/row\", place: \"%s\"}]'; echo END; } >$d/quadpass; "
                 "chmod +x $d/quadpass; PATH=$d:$PATH " QP_SOURCE_DIR "/tools/places.sh " LIST
                 "; code=$?; rm -r $d; (exit $code)",
                 good ? places[i] : "somewhere");
        expect(command, good ? 0 : 1, good ? "| paper |" : "row new/row names no paper");
    }
}

int main(void)
{
    unsetenv("QUADPASS_SHADER_DIR");
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_place_has_its_rows),
                                       cmocka_unit_test(gaps_are_named),
                                       cmocka_unit_test(rows_say_what_they_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
