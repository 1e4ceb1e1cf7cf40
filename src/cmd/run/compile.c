/* SPDX-License-Identifier: MIT */
/* References as shared objects, made by the system's C compiler. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "base/watch.h"
#include "cmd/run/reference.h"
#include "io/output.h"

extern char **environ;

enum { MOST_WORDS_OF_CC = 16, MOST_FLAGS = 16, PATH_LENGTH = sizeof((struct run_object *)0)->file };

/* Removes a folder in a place where others write too: no link is followed. */
static int remove_scratch(const char *folder)
{
    const int place = open(folder, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0)
        return -1;
    unlinkat(place, "reference.so", 0);
    unlinkat(place, "log", 0);
    close(place);
    return rmdir(folder);
}

static enum qp_status make_scratch(struct run_object *out)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] == '\0')
        place = "/tmp";
    snprintf(out->folder, sizeof out->folder, "%s/quadpass", place);
    qp_output_sweep(out->folder, remove_scratch);
    const int used =
        snprintf(out->folder, sizeof out->folder, "%s/quadpass.%ld-XXXXXX", place, (long)getpid());
    if (used >= (int)sizeof out->folder || mkdtemp(out->folder) == NULL)
        return qp_fail(QP_BAD_INPUT, "no folder for a compiled reference can be made in %s: %s",
                       place, strerror(errno));
    snprintf(out->file, sizeof out->file, "%s/reference.so", out->folder);
    snprintf(out->log, sizeof out->log, "%s/log", out->folder);
    return QP_OK;
}

/* Words of $CC, then what is compiled. `words` holds the text that argv points into. */
static void list_words(const char *path, const struct run_object *scratch, char words[1024],
                       char *argv[MOST_WORDS_OF_CC + MOST_FLAGS])
{
    const char *const flags[] = {"-O1", "-fPIC", "-shared",     "-x", "c",
                                 path,  "-o",    scratch->file, "-lm"};
    const char *compiler = getenv("CC");
    char *rest;
    int count = 0;
    snprintf(words, 1024, "%s", compiler != NULL && compiler[0] != '\0' ? compiler : "cc");
    for (char *word = strtok_r(words, " \t", &rest); word != NULL && count < MOST_WORDS_OF_CC;
         word = strtok_r(NULL, " \t", &rest))
        argv[count++] = word;
    if (count == 0)
        argv[count++] = strcpy(words, "cc");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        argv[count++] = (char *)flags[i];
    argv[count] = NULL;
}

static int spawn(char *const argv[], const char *log, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (error == 0)
        error = posix_spawnp(process, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Waits for the process, which an interrupt ends: ours, or one that the whole group of processes is sent. */
static enum qp_status wait_for_compiler(pid_t process, int *ending)
{
    static const struct timespec moment = {.tv_nsec = 5000000};
    while (waitpid(process, ending, WNOHANG) == 0) {
        if (qp_watch_wants_end()) {
            kill(process, SIGKILL);
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

static enum qp_status compile(const char *path, const struct run_object *scratch)
{
    char words[1024], line[512];
    char *argv[MOST_WORDS_OF_CC + MOST_FLAGS];
    pid_t process;
    int ending;
    list_words(path, scratch, words, argv);
    const int error = spawn(argv, scratch->log, &process);
    if (error != 0)
        return qp_fail(QP_BAD_USE,
                       "--check compiles the reference by '%s', which cannot be run: %s; install a "
                       "C compiler, or name it by CC",
                       argv[0], strerror(error));
    const enum qp_status status = wait_for_compiler(process, &ending);
    if (status != QP_OK || (WIFEXITED(ending) && WEXITSTATUS(ending) == 0))
        return status;
    first_error(scratch->log, line);
    return qp_fail(QP_BAD_INPUT, "%s does not compile: %s", path,
                   line[0] != '\0' ? line : "the compiler did not say why");
}

enum qp_status run_reference_compile(const char *path, struct run_object *out)
{
    char source[PATH_LENGTH];
    *out = (struct run_object){.folder = ""};
    signal(SIGCHLD, SIG_DFL); /* where that is ignored, nobody learns how a process ended */
    if (access(path, R_OK) != 0)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    enum qp_status status = make_scratch(out);
    /* to a compiler `-` begins an option, and `@` the name of a file of them */
    snprintf(source, sizeof source, "%s%s", strchr("-@", path[0]) != NULL ? "./" : "", path);
    if (status == QP_OK)
        status = compile(source, out);
    if (status != QP_OK)
        run_reference_forget(out);
    return status;
}

void run_reference_forget(struct run_object *object)
{
    if (object->folder[0] != '\0')
        remove_scratch(object->folder);
    *object = (struct run_object){.folder = ""};
}
