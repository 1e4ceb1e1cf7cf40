/* SPDX-License-Identifier: MIT */
#include "tools/stencil/compile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/output.h"

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

enum qp_status qp_scratch_make(struct qp_scratch *out)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] == '\0')
        place = "/tmp";
    snprintf(out->folder, sizeof out->folder, "%s/quadpass", place);
    qp_output_sweep(out->folder, remove_scratch);
    const int used =
        snprintf(out->folder, sizeof out->folder, "%s/quadpass.%ld-XXXXXX", place, (long)getpid());
    if (used < QP_SCRATCH_LETTERS && mkdtemp(out->folder) != NULL) {
        out->lock = qp_output_hold(out->folder);
        return QP_OK;
    }
    out->folder[0] = '\0';
    return qp_fail(QP_BAD_INPUT, "no folder for what is compiled can be made in %s: %s", place,
                   used < QP_SCRATCH_LETTERS ? strerror(errno) : strerror(ENAMETOOLONG));
}

void qp_scratch_remove(struct qp_scratch *scratch)
{
    if (scratch->folder[0] == '\0')
        return;
    remove_scratch(scratch->folder);
    if (scratch->lock >= 0)
        close(scratch->lock);
    scratch->folder[0] = '\0';
}

/* ---- Tools ---- */

static int cut(const char *name, const char *usual, char text[1024],
               const char *words[QP_COMPILER_WORDS])
{
    const char *said = getenv(name);
    char *rest;
    int count = 0;
    snprintf(text, 1024, "%s", said != NULL ? said : usual);
    for (char *word = strtok_r(text, " \t", &rest); word != NULL && count < QP_COMPILER_WORDS;
         word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    return count;
}

int qp_compiler_flags(const char *usual, char text[1024], const char *words[QP_COMPILER_WORDS])
{
    return cut("CFLAGS", usual, text, words);
}

int qp_compiler_words(char text[1024], const char *words[QP_COMPILER_WORDS])
{
    int count = cut("CC", "cc", text, words);
    if (count == 0)
        words[count++] = strcpy(text, "cc");
    return count;
}

/* The first line with an error, or else the first that is not empty, without its end. */
static void first_error(FILE *log, char line[512])
{
    char read[512];
    line[0] = '\0';
    rewind(log);
    while (fgets(read, sizeof read, log) != NULL) {
        read[strcspn(read, "\n")] = '\0';
        const bool error = strstr(read, "error") != NULL ||
                           strstr(read, "undefined reference") != NULL ||
                           strstr(read, "multiple definition") != NULL;
        if (error || (line[0] == '\0' && read[0] != '\0'))
            strcpy(line, read);
        if (error)
            break;
    }
}

enum qp_status qp_compile(const char *const argv[], const char *made, const char *what)
{
    char line[512];
    pid_t process;
    FILE *log = fdopen(memfd_create("log", MFD_CLOEXEC), "r");
    if (log == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for what '%s' says", argv[0]);
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC),
              files[] = {in, fileno(log), fileno(log)},
              error = qp_process_start(argv[0], argv, files, 3, &process);
    close(in);
    if (error != 0) {
        fclose(log);
        return qp_fail(QP_BAD_USE, "'%s' cannot be run: %s", argv[0], strerror(error));
    }
    const int end = (int)syscall(SYS_pidfd_open, process, 0); /* -1: it is looked at in turn */
    enum qp_status status = qp_process_wait(process, end, 0.0, -1.0);
    const int ending = qp_process_end(&process);
    if (end >= 0)
        close(end);
    if (status == QP_OK && (!WIFEXITED(ending) || WEXITSTATUS(ending) != 0)) {
        first_error(log, line);
        status = qp_fail(QP_BAD_INPUT, "%s: %s", what,
                         line[0] != '\0' ? line : "the compiler did not say why");
    } else if (status == QP_OK && access(made, F_OK) != 0) {
        status = qp_fail(QP_BAD_INPUT,
                         "%s: the compiler ended without an error, and made nothing; name another "
                         "one by CC",
                         what);
    }
    fclose(log);
    return status;
}

/* ---- Processes ---- */

bool qp_process_find(const char *program, struct stat *out)
{
    char path[PATH_MAX];
    const char *at = getenv("PATH");
    if (strchr(program, '/') != NULL)
        return stat(program, out) == 0;
    for (size_t length; at != NULL && *at != '\0'; at += length + (at[length] == ':')) {
        length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, at, program);
        if (length > 0 && access(path, X_OK) == 0 && stat(path, out) == 0)
            return true;
    }
    return false;
}

int qp_process_start(const char *path, const char *const argv[], const int files[], int count,
                     pid_t *out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    posix_spawnattr_init(&attributes); /* which on Linux takes no memory */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    for (int k = 0; k < count && error == 0; k++)
        error = posix_spawn_file_actions_adddup2(&actions, files[k], k);
    if (error == 0)
        error =
            posix_spawnp(out, path, &actions, &attributes, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* True if the process has ended, also where children of its own still hold the link. */
static bool has_ended(pid_t process)
{
    siginfo_t how = {.si_pid = 0};
    return waitid(P_PID, (id_t)process, &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid != 0;
}

void qp_process_limit(pid_t process, double bytes)
{
    char path[64];
    double pages = -1.0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)(process > 0 ? process : getpid()));
    FILE *file = fopen(path, "re");
    if (file != NULL && fscanf(file, "%*s %*s %*s %*s %*s %lf", &pages) != 1)
        pages = -1.0;
    if (file != NULL)
        fclose(file);
    const double most = pages * (double)sysconf(_SC_PAGESIZE) + bytes;
    const struct rlimit limit = {(rlim_t)fmin(most, 0x1p62), (rlim_t)fmin(most, 0x1p62)};
    if (pages >= 0.0)
        prlimit(process, RLIMIT_DATA, &limit, NULL);
}

/* Seconds of all processors in which a process has computed; INFINITY: nobody knows. */
static double computed(pid_t process)
{
    clockid_t clock;
    struct timespec now;
    return clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &now) == 0
               ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec
               : INFINITY;
}

enum qp_status qp_process_wait(pid_t process, int link, double limit, double part)
{
    enum { PATIENCE = 50 /* milliseconds from one look to the next */, SLEEP = 10 };
    struct pollfd answer = {.fd = link, .events = POLLIN};
    const double start = qp_clock();
    double busy = 0.0, then = start, before = limit > 0.0 ? computed(process) : 0.0;
    while (poll(&answer, 1, PATIENCE) <= 0 && !has_ended(process)) {
        if (part >= 0.0 ? qp_watch_leaves(part) : qp_watch_wants_end())
            return qp_watch_fail();
        if (limit <= 0.0)
            continue;
        const double now = qp_clock(), spent = computed(process);
        busy += fmin(now - then, isfinite(spent) ? spent - before : INFINITY);
        then = now;
        before = spent;
        if (busy > limit || now - start > SLEEP * limit)
            return QP_DEVICE;
    }
    return QP_OK;
}

int qp_process_end(pid_t *process)
{
    int ending = 0;
    if (*process > 0) {
        kill(*process, SIGKILL);
        kill(-*process, SIGKILL);
        waitpid(*process, &ending, 0);
    }
    *process = 0;
    return ending;
}
