/* SPDX-License-Identifier: MIT */
/* The live page in Chromium by its own renderer, which is software: what a reader does there, and
 * faults of the page that must be noticed (tests/browser/live.mjs). */
#include "support/browser.h"
#include "support/shell.h"

static int open_page(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    browser_run(support_takes_long() ? "live.mjs long swiftshader" : "live.mjs swiftshader");
    return 0;
}

#define LIVE(name)  BROWSER_TEST(swiftshader, name)
#define FAULT(name) BROWSER_TEST(fault, name)

LIVE(it_is_one_small_file)
LIVE(it_is_legible)
LIVE(keys_reach_everything)
LIVE(typing_gets_a_verdict)
LIVE(starts_fail)
LIVE(answers_pass)
LIVE(wrong_answers_fail)
LIVE(dropped_neighbours_fail)
LIVE(guards_are_no_numbers)
LIVE(mutants_are_noticed)
LIVE(it_equals_the_command)
LIVE(the_slider_sets_the_rate)
LIVE(films_play_the_newest_text)
LIVE(what_never_ends_ends_in_a_sentence)
LIVE(errors_come_with_advice)
LIVE(a_lost_context_is_followed_by_another)
LIVE(it_is_quiet)

FAULT(a_wide_tolerance)
FAULT(a_verdict_that_always_passes)
FAULT(guards_of_zeros)
FAULT(a_reference_without_a_neighbour)
FAULT(a_step_too_many)

TEST(each_has_its_line)
{
    browser_must_have(browser_tests);
}

GROUP(open_page, remove_folder)
