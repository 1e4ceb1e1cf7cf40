/* SPDX-License-Identifier: MIT */
/* The live page without a browser, by Node.js (tests/live/page.mjs): its texts are the project's,
 * its references compute what those in C compute, and its judge does what it says. */
#include "support/shell.h"

#include <stdio.h>
#include <string.h>

/* Runs a test there; `fault` is empty, or two words: what of the page is replaced, and by what.
 * Skips without Node.js. */
static int page(const char *name, const char *fault)
{
    char line[512];
    if (shell("command -v node") != 0) {
        if (support_is_required("browser"))
            fail_msg("REQUIRE=browser, but no node, which the Debian package nodejs has");
        print_message("skipped: no node, which the Debian package nodejs has\n");
        skip();
    }
    snprintf(line, sizeof line, "cd %s && node " QP_SOURCE_DIR "/tests/live/page.mjs %s %s", folder,
             name, fault);
    return shell(line);
}

/* The test passes, and fails where the page has the fault. */
static void holds(const char *name, const char *fault)
{
    if (page(name, "") != 0)
        fail_msg("%s", output);
    assert_int_not_equal(page(name, fault), 0);
    assert_non_null(strstr(output, "AssertionError"));
}

TEST(texts_are_ours)
{
    holds("texts_are_ours", "'exp2(step_number)' 'exp2(step_number )'");
}

TEST(references_agree)
{
    holds("references_agree", "' + at(i, j + 1)' ' + at(i, j - 1)'");
}

TEST(inputs_are_ours)
{
    holds("inputs_are_ours", "'a % b' 'a + b'");
}

TEST(life_shows_every_rule)
{
    holds("life_shows_every_rule", "'x * x + y + 3 * x * y' 'x * x + 3 * y + x * y'");
}

TEST(comparison_is_strict)
{
    holds("comparison_is_strict", "'float: 2 ** -20' 'float: 1'");
}

TEST(texts_are_changed_as_promised)
{
    holds("texts_are_changed_as_promised", "'(for|while)\\s' '(for)\\s'");
}

GROUP(make_folder, remove_folder)
