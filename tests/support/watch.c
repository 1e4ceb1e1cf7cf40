/* SPDX-License-Identifier: MIT */
#include "support/watch.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/base/clock.h"

enum { PATIENCE = 30 /* seconds for anything that is waited for */ };

/* True if the process has become quadpass. Until then it is a shell, which may handle signals too,
 * and would end of one. */
static bool runs_quadpass(pid_t process)
{
    struct stat itself, program;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
    return stat(path, &itself) == 0 && stat(QUADPASS, &program) == 0 &&
           itself.st_dev == program.st_dev && itself.st_ino == program.st_ino;
}

/* True if quadpass has a handler of its own for this signal, and none of it on the way. */
static bool handles(pid_t process, int number)
{
    char path[64], line[256];
    if (!runs_quadpass(process))
        return false;
    unsigned long long caught = 0, pending = 0, shared = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "SigPnd: %llx", &pending);
        sscanf(line, "ShdPnd: %llx", &shared);
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    return number > 0 && ((caught & ~pending & ~shared) >> (number - 1) & 1);
}

static pid_t start(const char *arguments, int *terminal)
{
    char line[2048];
    const struct winsize size = {.ws_row = 40, .ws_col = 100};
    snprintf(line, sizeof line, "cd %s && exec %s %s", folder, QUADPASS, arguments);
    pid_t process = forkpty(terminal, NULL, NULL, &size);
    if (process == 0) {
        unsetenv("QUADPASS_REQUIRE");
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    assert_true(process > 0);
    return process;
}

/* Appends what has been printed so far, and adds to `length`; false once nobody can print any
 * more. */
static bool listen(int terminal, size_t *length)
{
    if (poll(&(struct pollfd){terminal, POLLIN, 0}, 1, 1) <= 0)
        return true;
    ssize_t got = read(terminal, output + *length, sizeof output - 1 - *length);
    *length += got > 0 ? (size_t)got : 0;
    output[*length] = '\0';
    return got > 0;
}

struct watched watch(const char *arguments, const char *sign, int number)
{
    int terminal, status;
    bool sent = false;
    size_t length = 0;
    output[0] = '\0';
    const pid_t process = start(arguments, &terminal);
    double begin = qp_clock();
    for (bool talks = true; talks;) {
        talks = listen(terminal, &length);
        if (!sent && handles(process, number) && (sign == NULL || strstr(output, sign) != NULL)) {
            kill(process, number);
            begin = qp_clock();
            sent = true;
        }
        if (qp_clock() - begin > PATIENCE)
            kill(process, SIGKILL);
    }
    while (waitpid(process, &status, 0) < 0)
        continue;
    close(terminal);
    return (struct watched){WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                            WIFSIGNALED(status) ? WTERMSIG(status) : -1, qp_clock() - begin};
}
