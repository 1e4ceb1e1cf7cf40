/* SPDX-License-Identifier: MIT */
#include "tools/stencil/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/base/watch.h"
#include "toolkit/kernel/kernel.h"

/* Messages that templates/served/program.c reads and writes. */
struct start {
    int width, height, device, at_once;
    double number[QP_KERNEL_NUMBERS * QP_KERNEL_ELEMENTS];
};
enum { PRINTED = 1 << 26 /* bytes that a program may print */ };
enum { NUMBERS = sizeof((struct start *)0)->number, DESCRIPTORS = 5 };
struct request {
    int what, number;
};
struct answer {
    int at_once;
    int sizes[QP_MACHINE_SIZES][2];
    char name[sizeof((struct qp_machine *)0)->name];
};

/* ---- Its process ---- */

/* Bytes that are the program's own: arrays, which may be there twice, or with what is kept of them
 * four times, and stacks of its threads. */
static double own_bytes(const struct qp_machine *m)
{
    struct rlimit stack = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_STACK, &stack);
    return (qp_kernel_file_is_function(m->kernel) ? 4.0 : 2.0) * (double)m->bytes *
               m->kernel->inputs +
           (double)sysconf(_SC_NPROCESSORS_CONF) *
               (stack.rlim_cur == RLIM_INFINITY ? 0x1p23 : (double)stack.rlim_cur);
}

/* A text as a file, whose descriptor is above those of a process; below 0: there is none. */
static int open_text(const char *text)
{
    const int memory = text != NULL ? memfd_create("text", MFD_CLOEXEC) : -1;
    const ssize_t length = text != NULL ? (ssize_t)strlen(text) : 0;
    const int file = memory >= 0 && write(memory, text, (size_t)length) == length
                         ? fcntl(memory, F_DUPFD_CLOEXEC, DESCRIPTORS)
                         : -1;
    if (memory >= 0)
        close(memory);
    return file;
}

/* Runs the program with the link as its input, what it says in the log, the cells as descriptor 3,
 * and the text that it compiles, if it has one, as descriptor 4. */
static int spawn(struct qp_machine *m, const struct qp_build *build, int link, int memory)
{
    static const char *const argv[] = {"quadpass-machine", NULL};
    const int text = open_text(build->text),
              files[DESCRIPTORS] = {link, m->log, m->log, memory, text},
              file = fcntl(build->file, F_DUPFD_CLOEXEC, DESCRIPTORS); /* differs from these */
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int error = qp_process_start(path, argv, files, DESCRIPTORS - (text < 0), &m->process);
    close(file);
    if (text >= 0)
        close(text);
    if (error == 0) { /* the log is in memory */
        prlimit(m->process, RLIMIT_FSIZE, &(struct rlimit){PRINTED, PRINTED}, NULL);
        prlimit(m->process, RLIMIT_CORE, &(struct rlimit){0, 0}, NULL);
    }
    if (error == 0 && m->limits.gib > 0.0)
        qp_process_limit(m->process, 0x1p30 * m->limits.gib + own_bytes(m));
    return error;
}

/* The latest line that the process has said. */
static void read_log(const struct qp_machine *m, char line[512])
{
    char text[4096];
    const off_t end = lseek(m->log, 0, SEEK_END), most = sizeof text - 1;
    const ssize_t got = pread(m->log, text, sizeof text - 1, end > most ? end - most : 0);
    text[got > 0 ? got : 0] = '\0';
    for (size_t last = strlen(text); last > 0 && text[last - 1] == '\n';)
        text[--last] = '\0';
    const char *newline = strrchr(text, '\n');
    snprintf(line, 512, "%.500s", newline != NULL ? newline + 1 : text);
}

/* Reports a program that was asked for so many steps. */
static enum qp_status tell(const struct qp_machine *m, enum qp_status status, const char *what,
                           const char *why)
{
    char where[64];
    snprintf(where, sizeof where, m->steps > 0 ? "in %d step%s" : "before its first step", m->steps,
             m->steps > 1 ? "s" : "");
    return qp_fail(status, "%s: its program %s %s%s", m->kernel->path, what, where, why);
}

static enum qp_status tell_ending(struct qp_machine *m)
{
    char line[512], why[64];
    const int ending = qp_process_end(&m->process);
    read_log(m, line);
    if (m->limits.gib > 0.0 && strstr(line, ": no memory for ") != NULL)
        return qp_fail(QP_BAD_INPUT, "%s; its program may take %.3g GiB of data beside its arrays",
                       line, m->limits.gib);
    if (WIFEXITED(ending) && qp_kernel_file_is_function(m->kernel) &&
        strncmp(line, m->kernel->path, strlen(m->kernel->path)) != 0)
        return qp_fail(QP_BAD_INPUT, "%s: the kernel ended its program, with code %d",
                       m->kernel->path, WEXITSTATUS(ending));
    if (WIFEXITED(ending)) /* with a sentence that begins with the program's name */
        return qp_fail(m->steps > 0                            ? QP_BAD_INPUT
                       : qp_kernel_file_is_function(m->kernel) ? QP_NO_DEVICE
                                                               : QP_UNSUPPORTED,
                       "%s", line[0] != '\0' ? line : "the kernel's program ended by itself");
    snprintf(why, sizeof why, ": %s", strsignal(WTERMSIG(ending)));
    return tell(m, QP_BAD_INPUT, "crashed", why);
}

/* Waits for an answer, unless the process ends or an interrupt comes. */
static enum qp_status receive(struct qp_machine *m, struct answer *answer)
{
    char what[64];
    const double limit = m->limits.seconds;
    const enum qp_status status = qp_process_wait(m->process, m->link, limit, -1.0);
    if (status != QP_OK)
        qp_process_end(&m->process);
    snprintf(what, sizeof what, "took more than %.3g s", limit);
    if (status == QP_DEVICE)
        return tell(m, status, what, "");
    if (status != QP_OK)
        return status;
    return recv(m->link, answer, sizeof *answer, MSG_DONTWAIT) == sizeof *answer ? QP_OK
                                                                                 : tell_ending(m);
}

static enum qp_status ask(struct qp_machine *m, int what, int number)
{
    const struct request request = {what, number};
    struct answer answer;
    return send(m->link, &request, sizeof request, MSG_NOSIGNAL) == sizeof request
               ? receive(m, &answer)
               : tell_ending(m);
}

/* The first message has the size, the device and all numbers. */
static enum qp_status start(struct qp_machine *m, const struct qp_build *build, int device,
                            int memory)
{
    const struct qp_kernel_file_head *head = &m->kernel->head;
    struct start first = {m->width, m->height, device > 0 ? device : 0, 0, {0}};
    int link[2], count = 0;
    for (int k = 0; k < head->numbers; k++) {
        for (int i = 0; i < head->number[k].values; i++)
            first.number[count++] = head->number[k].value[i];
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link) != 0)
        return qp_fail(QP_NO_MEMORY, "%s: no link to its program can be made", m->kernel->path);
    m->link = link[0];
    const int error = spawn(m, build, link[1], memory);
    close(link[1]);
    if (error != 0)
        return qp_fail(QP_BAD_INPUT, "%s: its program cannot be started: %s%s", m->kernel->path,
                       strerror(error),
                       error == EACCES ? " (is TMPDIR, or /tmp, mounted noexec?)" : "");
    return send(m->link, &first, sizeof first, MSG_NOSIGNAL) > 0 ? QP_OK : tell_ending(m);
}

enum qp_status qp_machine_open(const struct qp_build *build, const struct qp_kernel_file *kernel,
                               int width, int height, int device, const struct qp_allowance *limits,
                               struct qp_machine *out)
{
    struct answer answer;
    *out = (struct qp_machine){
        .kernel = kernel, .width = width, .height = height, .link = -1, .limits = *limits};
    const size_t count = (size_t)width * (size_t)height;
    out->bytes = count * (kernel->desc.output_type == QP_ARRAY_DOUBLE ? 8 : 4);
    out->shared = count * sizeof(double) + NUMBERS;
    const int memory = memfd_create("cells", MFD_CLOEXEC);
    out->log = memfd_create("log", MFD_CLOEXEC);
    void *cells = ftruncate(memory, (off_t)out->shared) == 0
                      ? mmap(NULL, out->shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
                      : MAP_FAILED;
    out->cells = cells != MAP_FAILED ? cells : NULL;
    out->numbers = (double *)cells + count;
    for (int k = 0; out->cells != NULL && kernel->number[k].name != NULL; k++)
        out->numbers[k] = kernel->number[k].value[0];
    fcntl(out->log, F_SETFL, O_APPEND);
    enum qp_status status =
        out->cells != NULL ? start(out, build, device, memory)
                           : qp_fail(QP_NO_MEMORY, "no memory for %d x %d cells", width, height);
    if (memory >= 0)
        close(memory);
    if (status == QP_OK)
        status = receive(out, &answer);
    if (status != QP_OK) {
        qp_machine_close(out);
        return status;
    }
    out->at_once = answer.at_once;
    memcpy(out->sizes, answer.sizes, sizeof out->sizes);
    snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, answer.name);
    return QP_OK;
}

void qp_machine_close(struct qp_machine *machine)
{
    qp_process_end(&machine->process);
    if (machine->cells != NULL)
        munmap(machine->cells, machine->shared);
    if (machine->kernel != NULL && machine->link >= 0)
        close(machine->link);
    if (machine->kernel != NULL && machine->log >= 0)
        close(machine->log);
    *machine = (struct qp_machine){.kernel = NULL};
}

/* ---- Requests ---- */

enum qp_status qp_machine_put(struct qp_machine *machine, int array)
{
    return ask(machine, 'P', array);
}

enum qp_status qp_machine_get(struct qp_machine *machine, int state)
{
    return ask(machine, 'G', state);
}

enum qp_status qp_machine_load(struct qp_machine *machine, int steps)
{
    return ask(machine, machine->is_fast ? 'l' : 'L', steps);
}

enum qp_status qp_machine_take(struct qp_machine *machine, int steps)
{
    machine->steps = steps;
    return ask(machine, machine->is_fast ? 't' : 'T', steps);
}

enum qp_status qp_machine_finish(struct qp_machine *machine)
{
    return ask(machine, 'F', 0);
}
