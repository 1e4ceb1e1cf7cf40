/* SPDX-License-Identifier: MIT */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

char shell_output[SHELL_OUTPUT];

int shell_run(const char *command)
{
    char line[2048];
    snprintf(line, sizeof line, "PATH=%s:$PATH; { %s; } 2>&1", QP_BUILD_DIR, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(shell_output, 1, sizeof shell_output - 1, pipe);
    shell_output[got] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void shell_expect(const char *command, int code, const char *words)
{
    int got = shell_run(command);
    if (got != code || strstr(shell_output, words) == NULL)
        fail_msg("'%s' gave %d, not %d with '%s':\n%s", command, got, code, words, shell_output);
}

void shell_need_gl(void)
{
    if (shell_run("quadpass info") == 0)
        return;
    if (getenv("REQUIRE") != NULL && strstr(getenv("REQUIRE"), "gl") != NULL)
        fail_msg("REQUIRE=gl, but: %s", shell_output);
    skip();
}
