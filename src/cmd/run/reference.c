/* SPDX-License-Identifier: MIT */
#include "cmd/run/reference.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/watch.h"

/* ---- Its process ---- */

/* What a step needs beside the state. */
struct arguments {
    int width, height;
    const float *input[QP_KERNEL_INPUTS];
    double numbers[QP_KERNEL_NUMBERS * QP_KERNEL_ELEMENTS];
};

/* Ends at once: what others have left to be called at the end would let go, in a driver, of what the first process holds. */
static void leave(int code, void *unused)
{
    (void)unused;
    _exit(code);
}

/* Loads the object and says so by a byte 0, or else says why not; NULL then. */
static run_reference_function *load(const char *object, int link)
{
    char said[512] = "";
    run_reference_function *function = NULL;
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) /* POSIX has dlsym hand out functions as pointers to objects */
        *(void **)(void *)&function = dlsym(library, "reference");
    if (library == NULL)
        snprintf(said, sizeof said, "cannot be loaded: %s", dlerror());
    else if (function == NULL)
        snprintf(said, sizeof said,
                 "has no function 'void reference(int width, int height, const float *const "
                 "*input, const double *numbers, const double *before, double *after)'");
    const size_t bytes = strlen(said) + (function != NULL);
    return send(link, said, bytes, MSG_NOSIGNAL) == (ssize_t)bytes ? function : NULL;
}

/* A step for each byte that comes, until the other end is closed. What it prints is no result. */
__attribute__((noreturn)) static void serve(const struct run_reference *reference,
                                            const struct arguments *arguments, const char *object,
                                            int link)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    char byte;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL); /* this process just ends, and the other one tells */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    on_exit(leave, NULL); /* the last one registered is called first */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    run_reference_function *function = load(object, link);
    while (function != NULL && read(link, &byte, 1) == 1) {
        function(arguments->width, arguments->height, arguments->input, arguments->numbers,
                 reference->before, reference->after);
        fflush(stdout);
        if (send(link, &byte, 1, MSG_NOSIGNAL) != 1)
            break;
    }
    _exit(0);
}

static enum qp_status start(struct run_reference *reference, const struct arguments *arguments,
                            const char *object)
{
    int link[2] = {-1, -1};
    fflush(NULL); /* what stands in a buffer is printed once */
    reference->process =
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link) == 0 ? fork() : -1;
    const int error = errno;
    if (reference->process == 0) {
        close(link[0]);
        serve(reference, arguments, object, link[1]);
    }
    close(link[1]);
    reference->link = link[0];
    if (reference->process > 0)
        return QP_OK;
    close(link[0]);
    reference->process = 0;
    return qp_fail(QP_NO_MEMORY, "%s: no process for the reference can be started: %s",
                   reference->path, strerror(error));
}

/* Ends the process where it has not ended by itself; returns how it did. */
static int end(struct run_reference *reference)
{
    int ending = 0;
    close(reference->link);
    kill(reference->process, SIGKILL);
    waitpid(reference->process, &ending, 0);
    reference->process = 0;
    return ending;
}

/* Step 0 is the loading. */
static enum qp_status tell_ending(struct run_reference *reference, int step)
{
    char where[32] = "while it was loaded";
    const int ending = end(reference);
    if (step > 0)
        snprintf(where, sizeof where, "in step %d", step);
    if (WIFSIGNALED(ending))
        return qp_fail(QP_BAD_INPUT, "%s: the reference crashed %s: %s", reference->path, where,
                       strsignal(WTERMSIG(ending)));
    return qp_fail(QP_BAD_INPUT, "%s: the reference left the program %s, by exit(%d)",
                   reference->path, where, WEXITSTATUS(ending));
}

/* Also true where children of its own still hold the link. */
static bool has_ended(const struct run_reference *reference)
{
    siginfo_t how = {.si_pid = 0};
    return waitid(P_PID, (id_t)reference->process, &how, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           how.si_pid != 0;
}

/* Waits for the byte 0 that ends the step, or what is said in its place. */
static enum qp_status wait_for(struct run_reference *reference, int step)
{
    enum { PATIENCE = 50 /* milliseconds from one look to the next */, LOADING = 20 /* seconds */ };
    struct pollfd answer = {.fd = reference->link, .events = POLLIN};
    char said[512] = "";
    const double start = qp_clock();
    while (poll(&answer, 1, PATIENCE) <= 0) {
        if (has_ended(reference))
            return tell_ending(reference, step);
        if (qp_watch_leaves(step > 0 ? (double)(step - 1) / reference->steps : 0.0)) {
            end(reference);
            return qp_watch_fail();
        }
        if (step == 0 && qp_clock() - start > LOADING) {
            end(reference);
            return qp_fail(QP_BAD_INPUT,
                           "%s: not loaded after %d seconds (an endless constructor?)",
                           reference->path, LOADING);
        }
    }
    if (read(reference->link, said, sizeof said - 1) < 1)
        return tell_ending(reference, step);
    return said[0] == '\0' ? QP_OK : qp_fail(QP_BAD_INPUT, "%s %s", reference->path, said);
}

/* ---- Making it ---- */

static enum qp_status map(struct run_reference *reference)
{
    const size_t bytes = 2 * reference->count * sizeof(double);
    void *values = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (values == MAP_FAILED)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for %zu values of the reference",
                       reference->path, 2 * reference->count);
    reference->before = values;
    reference->after = reference->before + reference->count;
    return QP_OK;
}

static void fill(const struct qp_kernel_file *kernel, const struct run_inputs *inputs,
                 struct arguments *arguments)
{
    const struct run_input *x = inputs->at;
    int count = 0;
    *arguments = (struct arguments){.width = x->width, .height = x->height};
    for (int k = inputs->states; k < inputs->count; k++)
        arguments->input[k - inputs->states] = inputs->at[k].values;
    for (int k = 0; k < kernel->head.numbers; k++) {
        for (int i = 0; i < kernel->head.number[k].values; i++)
            arguments->numbers[count++] = kernel->head.number[k].value[i];
    }
}

enum qp_status run_reference_make(const struct qp_kernel_file *kernel,
                                  const struct run_inputs *inputs, const struct run_object *object,
                                  struct run_reference *out)
{
    struct arguments arguments;
    *out = (struct run_reference){.path = kernel->head.check,
                                  .count = (size_t)inputs->states * run_input_count(&inputs->at[0]),
                                  .steps = kernel->head.steps > 0 ? kernel->head.steps : 1};
    enum qp_status status = map(out);
    if (status == QP_OK) {
        fill(kernel, inputs, &arguments);
        status = start(out, &arguments, object->file);
    }
    if (status == QP_OK)
        status = wait_for(out, 0);
    if (status != QP_OK)
        run_reference_destroy(out);
    return status;
}

void run_reference_destroy(struct run_reference *reference)
{
    if (reference->process > 0)
        end(reference);
    if (reference->before != NULL)
        munmap(reference->before, 2 * reference->count * sizeof(double));
    *reference = (struct run_reference){0};
}

/* ---- Steps ---- */

enum qp_status run_reference_step(struct run_reference *reference, int step)
{
    const char byte = 0;
    for (size_t i = 0; i < reference->count; i++)
        reference->after[i] = NAN;
    if (send(reference->link, &byte, 1, MSG_NOSIGNAL) != 1)
        return tell_ending(reference, step);
    enum qp_status status = wait_for(reference, step);
    for (size_t i = 0; i < reference->count && status == QP_OK; i++) {
        if (!isfinite(reference->after[i]))
            status = qp_fail(QP_BAD_INPUT,
                             "%s: the reference leaves value %zu (of %zu, counted from 0) of step "
                             "%d at %g; it must write each, with a finite number",
                             reference->path, i, reference->count, step, reference->after[i]);
    }
    return status;
}
