/* SPDX-License-Identifier: MIT */
/* The live page by Mesa's llvmpipe, by half floats, and without any WebGL, where it gives no
 * verdict; and faults of any page that must be noticed (tests/browser/live.mjs). */
#include "support/browser.h"
#include "support/shell.h"

static int open_pages(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    browser_run(support_takes_long() ? "live.mjs long llvmpipe none" : "live.mjs llvmpipe none");
    return 0;
}

#define LLVMPIPE(name) BROWSER_TEST(llvmpipe, name)
#define HALF(name)     BROWSER_TEST(half, name)
#define NONE(name)     BROWSER_TEST(none, name)
#define FAULT(name)    BROWSER_TEST(fault, name)

LLVMPIPE(starts_fail)
LLVMPIPE(answers_pass)
LLVMPIPE(dropped_neighbours_fail)
LLVMPIPE(it_equals_the_command)
LLVMPIPE(it_is_quiet)

HALF(it_says_so)
HALF(starts_fail)
HALF(answers_pass)
HALF(wrong_answers_fail)
HALF(it_is_quiet)

NONE(there_is_no_verdict)
NONE(it_is_legible)
NONE(keys_reach_everything)
NONE(it_is_quiet)

FAULT(a_request)
FAULT(a_pale_colour)
FAULT(a_wide_picture)
FAULT(a_button_without_keys)

TEST(each_has_its_line)
{
    browser_must_have(browser_tests);
}

GROUP(open_pages, remove_folder)
