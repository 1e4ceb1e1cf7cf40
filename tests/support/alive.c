/* SPDX-License-Identifier: MIT */
#include "support/alive.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/shell.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/progress.h"

/* The script sends the number of lines, its folder, the file that is its output, and its words, a
 * line each; the process prints there, and answers with the exit code. */
enum { LINK = 9, WORDS = 16 }; /* LINK: the socket, as the script names it */
static const char script[] = "#!/bin/sh\n"
                             "exec 8>&1\n" /* while printf writes, 1 is the socket */
                             "printf '%s\\n' $(($# + 2)) \"$PWD\" /proc/$$/fd/8 \"$@\" >&9\n"
                             "read -r code <&9 || code=99\n"
                             "exit $code\n";
static pid_t process;

/* Reads the lines of one call; false after the last call. */
static bool read_words(FILE *calls, int *count, char line[WORDS][512], char *words[WORDS + 1])
{
    if (fscanf(calls, "%d\n", count) != 1 || *count > WORDS)
        return false;
    for (int i = 0; i < *count && fgets(line[i], sizeof line[i], calls) != NULL; i++) {
        line[i][strcspn(line[i], "\n")] = '\0';
        words[i] = line[i];
    }
    words[*count] = NULL;
    return !feof(calls);
}

__attribute__((noreturn)) static void answer_calls(int link)
{
    static char line[WORDS][512];
    char *words[WORDS + 1];
    struct qp_context *context = NULL;
    int count;
    const int errors = dup(STDERR_FILENO);
    FILE *calls = fdopen(link, "r");
    setenv("QUADPASS_DEVICE", "llvmpipe", 1);
    qp_context_create(NULL, &context); /* while it lives the driver stays loaded */
    while (read_words(calls, &count, line, words) && chdir(words[0]) == 0) {
        const int file = open(words[1], O_WRONLY);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        close(file);
        progress_say("%s", ""); /* work begins anew, as in a command of its own */
        const int code = command_run(count - 2, words + 2);
        fflush(stdout);
        dup2(errors, STDOUT_FILENO); /* whoever reads the output sees its end */
        dup2(errors, STDERR_FILENO);
        dprintf(link, "%d\n", code);
    }
    qp_context_destroy(&context);
    fclose(calls);
    exit(0);
}

void start_alive(void)
{
    int link[2];
    char path[256];
    snprintf(path, sizeof path, "%s/" ALIVE, folder);
    mkdir(path, 0700); /* by the first start */
    write_file(ALIVE "/quadpass", script);
    snprintf(path, sizeof path, "%s/" ALIVE "/quadpass", folder);
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, link), 0);
    fflush(NULL);
    process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        close(link[0]);
        answer_calls(link[1]);
    }
    close(link[1]);
    assert_int_equal(dup2(link[0], LINK), LINK);
    close(link[0]);
}

void kill_alive(void)
{
    assert_int_equal(kill(process, SIGKILL), 0);
}

int end_alive(void)
{
    int status = -1;
    close(LINK);
    waitpid(process, &status, 0);
    return status;
}
