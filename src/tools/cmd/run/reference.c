/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/reference.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/trial/trial.h"
#include "toolkit/arrays/array.h"
#include "toolkit/base/status.h"

/* ---- Its arrays ---- */

/* Both arrays end at the end of a page, with one after it that nobody may touch; before them is at
 * least one page of MARK. */
enum { MARK = 0xff };

/* Bytes after both: whether an allocation has failed, and the step's numbers. */
enum { NUMBERS = (1 + QP_KERNEL_NUMBERS * QP_KERNEL_ELEMENTS) * sizeof(double) };

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Pages of an array with those around it, in bytes. */
static size_t room_of(const struct run_reference *reference)
{
    const size_t page = page_size(), bytes = reference->count * sizeof(double);
    return (bytes + page - 1) / page * page + 2 * page;
}

static enum qp_status map(struct run_reference *reference)
{
    const size_t page = page_size(), room = room_of(reference),
                 bytes = reference->count * sizeof(double);
    char *all =
        mmap(NULL, 2 * room + NUMBERS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for %zu values of the reference",
                       reference->path, 2 * reference->count);
    reference->pages = all;
    reference->starved = (int *)(void *)(all + 2 * room);
    reference->numbers = (double *)(void *)(all + 2 * room) + 1;
    for (char *one = all; one < all + 2 * room; one += room) {
        memset(one, MARK, room - page - bytes);
        mprotect(one + room - page, page, PROT_NONE);
    }
    reference->before = (double *)(void *)(all + room - page - bytes);
    reference->after = (double *)(void *)(all + 2 * room - page - bytes);
    return QP_OK;
}

/* True if something was written in front of an array, which `from` begins. */
static bool is_overwritten(const char *from, const double *values)
{
    const char *end = (const char *)values;
    while (from < end && (unsigned char)*from == MARK)
        from++;
    return from < end;
}

/* ---- Its process ---- */

/* Arguments of a step, beside the state. */
struct arguments {
    int width, height;
    const float *input[QP_KERNEL_INPUTS]; /* or doubles, where the reference takes them */
};

static int *starved; /* the reference's, in its process */

/* Notes that a thread which ends here, or a step, has asked for memory that there was not. */
static void look_for_shortage(void)
{
    if (errno == ENOMEM)
        *starved = 1;
}

/* Exits without the atexit handlers: those of a driver would free resources that the first process
 * still holds. */
static void leave(int code, void *unused)
{
    (void)unused;
    look_for_shortage();
    _exit(code);
}

/* Takes a signal of a crash once. */
static void crash(int signal)
{
    look_for_shortage();
    raise(signal);
}

/* Loads the object and says so by a byte 0, or else says why not; NULL then. */
static run_reference_function *load(const char *object, int link)
{
    char said[512] = "";
    run_reference_function *function = NULL;
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) /* POSIX has dlsym hand out functions as pointers to objects */
        *(void **)(void *)&function = dlsym(library, "reference");
    if (library == NULL) {
        look_for_shortage();
        snprintf(said, sizeof said, "cannot be loaded: %s", dlerror());
    } else if (function == NULL) {
        snprintf(said, sizeof said,
                 "has no function 'void reference(int width, int height, const float *const "
                 "*input, const double *numbers, const double *before, double *after)'");
    }
    const size_t bytes = strlen(said) + (function != NULL);
    return send(link, said, bytes, MSG_NOSIGNAL) == (ssize_t)bytes ? function : NULL;
}

/* Goes on as a process of its own, which ends within seconds and says nothing, with changed
 * inputs. */
static bool branch(const struct run_reference *reference, int try)
{
    const double limit = fmin(10.0, reference->limits.seconds);
    const struct itimerval timer = {
        .it_value = {(time_t)limit, (long)(999998.0 * fmod(limit, 1.0)) + 1}};
    const struct run_inputs *inputs = reference->inputs;
    const pid_t process = fork();
    if (process != 0) {
        waitpid(process, NULL, 0);
        return false;
    }
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &timer, NULL);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    for (int k = inputs->states; k < inputs->count; k++) {
        const struct run_input *input = &inputs->at[k];
        uint64_t state = 1;
        for (size_t i = 0; i < run_input_count(input) && !qp_array_is_whole(input->type); i++)
            qp_set_value(
                input->values, input->precision, i,
                qp_trial_shrink(qp_value(input->values, input->precision, i), try, &state));
    }
    return true;
}

/* A step for each byte that comes, 0 or 1 and its try, until the other end is closed. Its output is
 * no result. */
__attribute__((noreturn)) static void serve(const struct run_reference *reference,
                                            const struct arguments *arguments, const char *object,
                                            int link)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const struct sigaction once = {.sa_handler = crash, .sa_flags = (int)SA_RESETHAND};
    char byte;
    signal(SIGINT, SIG_DFL); /* this process just ends, and the other one reports */
    signal(SIGTERM, SIG_DFL);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        sigaction(crashes[i], &once, NULL);
    starved = reference->starved;
    qp_process_limit(0, 0x1p30 * reference->limits.gib);
    setpgid(0, 0); /* which no terminal's Ctrl-C reaches: the first process ends this one */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    mprotect(reference->pages, room_of(reference) - page_size(), PROT_READ); /* `before` */
    on_exit(leave, NULL); /* the last one registered is called first */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    run_reference_function *function = load(object, link);
    while (function != NULL && read(link, &byte, 1) == 1) {
        const bool branches = byte > 0 && branch(reference, byte - 1);
        errno = 0;
        if (byte == 0 || branches)
            function(arguments->width, arguments->height, arguments->input, reference->numbers,
                     reference->before, reference->after);
        look_for_shortage();
        if (branches)
            _exit(0);
        fflush(stdout);
        byte = 0;
        if (send(link, &byte, 1, MSG_NOSIGNAL) != 1)
            break;
    }
    _exit(0);
}

static enum qp_status start(struct run_reference *reference, const struct arguments *arguments,
                            const char *object)
{
    int link[2] = {-1, -1};
    fflush(NULL); /* a buffer's text is printed once */
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
    reference->process = 0;
    return qp_fail(QP_NO_MEMORY, "%s: no process for the reference can be started: %s",
                   reference->path, strerror(error));
}

/* Adds to a sentence that the limit of memory may be why, where an allocation has failed. */
static enum qp_status tell_shortage(const struct run_reference *reference, enum qp_status status)
{
    return *reference->starved == 0
               ? status
               : qp_fail(status,
                         "%s; an allocation had failed there: a reference may take %.3g GiB of "
                         "data, which --memory-limit GIB changes",
                         qp_error(), reference->limits.gib);
}

static enum qp_status tell_ending(struct run_reference *reference)
{
    const int ending = qp_process_end(&reference->process);
    const bool beside = reference->step > 0 && *reference->starved == 0;
    if (WIFSIGNALED(ending))
        qp_fail(QP_BAD_INPUT, "%s: the reference crashed %s: %s%s", reference->path,
                reference->where, strsignal(WTERMSIG(ending)),
                beside && WTERMSIG(ending) == SIGSEGV
                    ? "; it may only read `before`, and nothing beside its arrays"
                    : "");
    else
        qp_fail(QP_BAD_INPUT, "%s: the reference left the program %s, by exit(%d)", reference->path,
                reference->where, WEXITSTATUS(ending));
    return tell_shortage(reference, QP_BAD_INPUT);
}

/* Waits for the byte 0 that ends the step, or what is said in its place. */
static enum qp_status wait_for(struct run_reference *reference)
{
    char said[512] = "";
    const int step = reference->step;
    const enum qp_status status =
        qp_process_wait(reference->process, reference->link, reference->limits.seconds,
                        step > 0 ? fmin((double)(step - 1) / reference->steps, 1.0) : 0.0);
    if (status == QP_OK && recv(reference->link, said, sizeof said - 1, MSG_DONTWAIT) < 1)
        return tell_ending(reference);
    if (status == QP_OK && said[0] == '\0')
        return QP_OK;
    if (status == QP_OK)
        return tell_shortage(reference, qp_fail(QP_BAD_INPUT, "%s %s", reference->path, said));
    qp_process_end(&reference->process);
    if (status == QP_DEVICE)
        return qp_fail(QP_BAD_INPUT,
                       "%s: the reference took more than %.3g s %s%s; --time-limit SECONDS changes "
                       "that",
                       reference->path, reference->limits.seconds, reference->where,
                       step == 0 ? " (an endless constructor?)" : "");
    return qp_fail_within(status, "%s was still computing %s", reference->path, reference->where);
}

/* ---- Making it ---- */

/* An array's values as the reference takes them; each is there, or is refused. */
static enum qp_status convert(const struct run_reference *reference, const struct run_input *input,
                              enum qp_precision wanted, void *values)
{
    for (size_t i = 0; i < run_input_count(input); i++) {
        const double value = qp_value(input->values, input->precision, i);
        const size_t across = (size_t)(input->width * input->channels);
        qp_set_value(values, wanted, i, value);
        if (qp_value(values, wanted, i) != value && !isnan(value))
            return qp_fail(QP_BAD_INPUT,
                           "%s: cell (%zu, %zu) of %s is %.17g, which no float holds; let the "
                           "reference take 'const double *const *input'",
                           reference->path, i % across / (size_t)input->channels, i / across,
                           input->name, value);
    }
    return QP_OK;
}

static enum qp_status fill(struct run_reference *reference, bool doubles,
                           struct arguments *arguments)
{
    const struct run_inputs *inputs = reference->inputs;
    const struct run_input *x = inputs->at;
    const enum qp_precision wanted = doubles ? QP_DOUBLES : QP_FLOATS;
    enum qp_status status = QP_OK;
    *arguments = (struct arguments){.width = x->width, .height = x->height};
    for (int k = inputs->states, i = 0; k < inputs->count && status == QP_OK; k++, i++) {
        const struct run_input *input = &inputs->at[k];
        arguments->input[i] = input->values;
        if (input->precision == wanted)
            continue;
        void *values = qp_alloc(run_input_count(input), qp_value_bytes(wanted), input->name);
        arguments->input[i] = reference->converted[i] = values;
        status = values != NULL ? convert(reference, input, wanted, values) : QP_NO_MEMORY;
    }
    return status;
}

/* Numbers of a step as the device has them, and NaN after the last. */
static void fill_numbers(struct run_reference *reference, const struct qp_pass_number *number)
{
    const struct qp_kernel_file *file = reference->kernel;
    double *next = reference->numbers;
    for (int k = 0; number[k].name != NULL; k++) {
        const int values = k < file->head.numbers ? file->head.number[k].values : 1;
        qp_round_numbers(file->desc.number[k].type,
                         k < file->head.numbers ? file->head.number[k].value : number[k].value,
                         values, next);
        next += values;
    }
    while (next < reference->numbers + NUMBERS / sizeof *next)
        *next++ = NAN;
}

enum qp_status run_reference_make(const struct qp_kernel_file *kernel,
                                  const struct run_inputs *inputs, const struct run_object *object,
                                  const struct qp_allowance *limits, struct run_reference *out)
{
    struct arguments arguments;
    *out = (struct run_reference){.path = kernel->head.check,
                                  .inputs = inputs,
                                  .kernel = kernel,
                                  .limits = *limits,
                                  .count = (size_t)inputs->states * run_input_count(&inputs->at[0]),
                                  .steps = kernel->head.steps > 0 ? kernel->head.steps : 1,
                                  .where = "while it was loaded"};
    enum qp_status status = map(out);
    if (status == QP_OK)
        status = fill(out, object->reads_doubles, &arguments);
    if (status == QP_OK)
        status = start(out, &arguments, object->file);
    if (status == QP_OK)
        status = wait_for(out);
    if (status != QP_OK)
        run_reference_destroy(out);
    return status;
}

void run_reference_destroy(struct run_reference *reference)
{
    qp_process_end(&reference->process);
    for (int k = 0; k < QP_KERNEL_INPUTS; k++)
        free(reference->converted[k]);
    if (reference->pages != NULL) {
        close(reference->link);
        munmap(reference->pages, 2 * room_of(reference) + NUMBERS);
    }
    *reference = (struct run_reference){0};
}

/* ---- Steps ---- */

static enum qp_status fail_at(const struct run_reference *reference, size_t i)
{
    const struct run_input *x = reference->inputs->at;
    const size_t one = run_input_count(x), across = (size_t)(x->width * x->channels);
    qp_fail(QP_BAD_INPUT,
            "%s: the reference leaves cell (%zu, %zu) of %s at %g %s; it must write each, "
            "with a finite number, and read nothing beside its arrays",
            reference->path, i % across / (size_t)x->channels, i % one / across,
            reference->inputs->at[i / one].name,
            isnan(reference->after[i]) ? (double)NAN : reference->after[i], reference->where);
    return tell_shortage(reference, QP_BAD_INPUT);
}

enum qp_status run_reference_step(struct run_reference *reference,
                                  const struct qp_pass_number *number, int try)
{
    const struct run_input *x = reference->inputs->at;
    const char byte = (char)(try + 1);
    reference->step += try < 0;
    snprintf(reference->where, sizeof reference->where, "in step %d of %d x %d cells",
             reference->step, x->width, x->height);
    for (size_t i = 0; i < reference->count; i++)
        reference->after[i] = NAN;
    *reference->starved = 0;
    fill_numbers(reference, number);
    if (send(reference->link, &byte, 1, MSG_NOSIGNAL) != 1)
        return tell_ending(reference);
    enum qp_status status = wait_for(reference);
    const char *pages = reference->pages;
    if (status == QP_OK && is_overwritten(pages + room_of(reference), reference->after))
        return qp_fail(QP_BAD_INPUT, "%s: the reference writes in front of `after` %s",
                       reference->path, reference->where);
    for (size_t i = 0; i < reference->count && status == QP_OK; i++) {
        if (!isfinite(reference->after[i]))
            status = fail_at(reference, i);
    }
    return status;
}
