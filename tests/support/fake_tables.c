/* SPDX-License-Identifier: MIT */
/* Tables that commands print of made up runs, beside those in tests/cmd/tables. */
#include "support/fake_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT QP_SOURCE_DIR "/tests/cmd/tables/%s.txt"
#define MADE QP_BUILD_DIR "/tests/tables/%s.txt"

static char all[1 << 17];
static bool compared;

void fake_append(int (*command)(int argc, char **argv), const char *line)
{
    const char *text = fake_command(command, line);
    all[compared ? 0 : strlen(all)] = '\0';
    compared = false;
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "$ %s\n%s\n", line, text);
}

void fake_compare_all(const char *name)
{
    compared = true;
    fake_compare(name, all);
}

void fake_compare(const char *name, const char *text)
{
    char line[1024];
    assert_int_equal(system("mkdir -p " QP_BUILD_DIR "/tests/tables"), 0);
    snprintf(line, sizeof line, MADE, name);
    FILE *file = fopen(line, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    if (getenv("RENEW") != NULL) /* tables that are meant to change */
        snprintf(line, sizeof line, "cp " MADE " " KEPT, name, name);
    else
        snprintf(line, sizeof line, "diff -u " KEPT " " MADE " >&2", name, name);
    if (system(line) != 0)
        fail_msg("the table %s is another one", name);
}
