/* SPDX-License-Identifier: MIT */
#include "stencil/compile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/watch.h"
#include "io/output.h"

extern char **environ;

/* ---- Scratch folders ---- */

/* Empties a folder in a place where others write too: no link is followed. */
static void empty(int place)
{
    DIR *entries = fdopendir(place);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(place, name, 0) == 0)
            continue;
        const int inner = openat(place, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            empty(inner);
        unlinkat(place, name, AT_REMOVEDIR);
    }
    if (entries != NULL)
        closedir(entries);
}

static int remove_scratch(const char *folder)
{
    const int place = open(folder, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0)
        return -1;
    empty(place);
    return rmdir(folder);
}

enum qp_status qp_scratch_make(char folder[QP_SCRATCH_LETTERS])
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] == '\0')
        place = "/tmp";
    snprintf(folder, QP_SCRATCH_LETTERS, "%s/quadpass", place);
    qp_output_sweep(folder, remove_scratch);
    const int used =
        snprintf(folder, QP_SCRATCH_LETTERS, "%s/quadpass.%ld-XXXXXX", place, (long)getpid());
    if (used < QP_SCRATCH_LETTERS && mkdtemp(folder) != NULL)
        return QP_OK;
    folder[0] = '\0';
    return qp_fail(QP_BAD_INPUT, "no folder for what is compiled can be made in %s: %s", place,
                   strerror(errno));
}

void qp_scratch_remove(char folder[QP_SCRATCH_LETTERS])
{
    if (folder[0] != '\0')
        remove_scratch(folder);
    folder[0] = '\0';
}

/* ---- Tools ---- */

int qp_compiler_words(char text[1024], const char *words[QP_COMPILER_WORDS])
{
    const char *compiler = getenv("CC");
    char *rest;
    int count = 0;
    snprintf(text, 1024, "%s", compiler != NULL && compiler[0] != '\0' ? compiler : "cc");
    for (char *word = strtok_r(text, " \t", &rest); word != NULL && count < QP_COMPILER_WORDS;
         word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    if (count == 0)
        words[count++] = strcpy(text, "cc");
    return count;
}

/* A group of processes of its own, so that an interrupt ends the children of a tool too. */
static int spawn(const char *const argv[], const char *log, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    posix_spawnattr_init(&attributes); /* which on Linux takes no memory */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (error == 0)
        error = posix_spawnp(process, argv[0], &actions, &attributes,
                             (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits for the process, which an interrupt ends: ours, or one that the whole group of processes is sent. */
static enum qp_status wait_for(pid_t process, int *ending)
{
    static const struct timespec moment = {.tv_nsec = 5000000};
    while (waitpid(process, ending, WNOHANG) == 0) {
        if (qp_watch_wants_end()) {
            kill(-process, SIGKILL);
            waitpid(process, ending, 0);
            return qp_watch_fail();
        }
        nanosleep(&moment, NULL);
    }
    return qp_watch_wants_end() ? qp_watch_fail() : QP_OK;
}

/* The first line with an error, or else the first that is not empty, without its end. */
static void first_error(const char *log, char line[512])
{
    char read[512];
    FILE *file = fopen(log, "r");
    line[0] = '\0';
    while (file != NULL && fgets(read, sizeof read, file) != NULL) {
        read[strcspn(read, "\n")] = '\0';
        const bool error = strstr(read, "error") != NULL;
        if (error || (line[0] == '\0' && read[0] != '\0'))
            strcpy(line, read);
        if (error)
            break;
    }
    if (file != NULL)
        fclose(file);
}

enum qp_status qp_compile(const char *const argv[], const char *log, const char *what)
{
    char line[512];
    pid_t process;
    int ending = 0;
    const int error = spawn(argv, log, &process);
    if (error != 0)
        return qp_fail(QP_BAD_USE, "'%s' cannot be run: %s", argv[0], strerror(error));
    const enum qp_status status = wait_for(process, &ending);
    if (status != QP_OK || (WIFEXITED(ending) && WEXITSTATUS(ending) == 0))
        return status;
    first_error(log, line);
    return qp_fail(QP_BAD_INPUT, "%s: %s", what,
                   line[0] != '\0' ? line : "the compiler did not say why");
}
