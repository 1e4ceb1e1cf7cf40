/* SPDX-License-Identifier: MIT */
#include "support/browser.h"

#include <stdio.h>
#include <string.h>

#include "support/shell.h"

enum { NO_BROWSER = 77, NO_NODE = 127 };

static int ended; /* exit code of the script */

void browser_run(const char *script_and_words)
{
    char line[1024];
    snprintf(line, sizeof line,
             "cd %s && CHROMIUM=${CHROMIUM:-$(command -v chromium || echo /usr/bin/chromium)} "
             "node " QP_SOURCE_DIR "/tests/browser/%s",
             folder, script_and_words);
    ended = shell(line);
}

static void need_browser(void)
{
    static const char how[] = "`make setup-browser` installs Chromium and what drives it";
    if (ended != NO_BROWSER && ended != NO_NODE)
        return;
    if (support_is_required("browser"))
        fail_msg("REQUIRE=browser, but: %s%s", output, how);
    print_message("skipped: %s%s\n", output, how);
    skip();
}

void browser_must(const char *suite, const char *name)
{
    char line[256];
    need_browser();
    snprintf(line, sizeof line, "\nok %s: %s ", suite, name);
    if (strstr(output, line) != NULL)
        return;
    snprintf(line, sizeof line, "\nnot ok %s: %s ", suite, name);
    const char *why = strstr(output, line) != NULL ? strstr(output, line) + 1 : output;
    fail_msg("%.*s", why == output ? 2000 : (int)strcspn(why, "\n"), why);
}

void browser_must_have(int tests)
{
    need_browser();
    assert_int_equal(ended, 0);
    assert_int_equal(count("\nok ") + count("\nnot ok "), tests);
}
