/* SPDX-License-Identifier: MIT */
/* The list of the papers' places, and the variants that repeat them. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST QP_SOURCE_DIR "/docs/papers/places.csv"

TEST(every_place_has_its_variants)
{
    static const char *const places[] = {
        "| 1 | results table |", "| 3 | figure 18 |", "19 and table 1 |", "20 and table 2 |",
        "| 3 | figures 21",      "| 3 | table 3 |",   "| 3 | table 4 |",  "| 3 | table 5 |",
        "| 3 | table 6 |",       "| 3 | table 7 |",   "| 3 | table 8 |",
    };
    expect("cd " QP_SOURCE_DIR " && tools/tables.sh places " LIST, 0, "");
    must_print(places, COUNT(places));
}

/* Gaps made on purpose, by an edit of the list. */
TEST(gaps_are_named)
{
    static const struct {
        const char *edit, *words;
    } cases[] = {
        {"s,jacobi9/vertex ,jacobi9/vertigo ,", "there is no variant jacobi9/vertigo"},
        {"s,\\,jacobi9/multipass.*$,\\,,", "it has no variant"},
        {"s,\\,jacobi9/multipass.*$,\\,later,", "there is no variant later"},
        {"s,\\,poisson5/cuda_prefetch$,\\,later,", "5, 3.4: there is no variant later"},
        {"/one texture a band/d; s,jacobi9/bands ,,",
         "variant jacobi9/bands names paper 1 and is not listed there"},
        {"s/,jacobi9.generic.*//", "has 3 fields, not 4"},
        {"s,none: .*,none:,", "there is no variant none:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "f=$(mktemp --suffix .csv) && sed '%s' " LIST " >$f && " QP_SOURCE_DIR
                 "/tools/tables.sh places $f; code=$?; rm -f $f; (exit $code)",
                 cases[i].edit);
        expect(command, 1, cases[i].words);
    }
}

/* A variant says what it is: a paper's, or ours. A program in the place of `quadpass list` says it
 * wrongly. */
TEST(variants_say_what_they_are)
{
    static const char *const places[] = {"ours: anything", "the judge of all variants",
                                         "what came after: compute"};
    for (size_t i = 0; i <= sizeof places / sizeof places[0]; i++) {
        bool good = i < sizeof places / sizeof places[0];
        char command[1024];
        snprintf(command, sizeof command,
                 "d=$(mktemp -d); { echo '#!/bin/sh'; echo 'cat <<END'; quadpass list --json - | "
                 "jq '. + [{variant: \"new/row\", place: \"%s\"}]'; echo END; } >$d/quadpass; "
                 "chmod +x $d/quadpass; PATH=$d:$PATH " QP_SOURCE_DIR
                 "/tools/tables.sh places " LIST "; code=$?; rm -r $d; (exit $code)",
                 good ? places[i] : "somewhere");
        expect(command, good ? 0 : 1, good ? "| paper |" : "variant new/row names no paper");
    }
}
