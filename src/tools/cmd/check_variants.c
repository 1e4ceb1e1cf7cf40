/* SPDX-License-Identifier: MIT */
/* A check of everything waits most of its time for one thread of a driver that compiles programs,
 * so several processes, each with a context of its own, take variants in turn. */
#include "tools/cmd/check_variants.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "lab/baseline/ranks.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/output/terminal.h"

int check_jobs(const struct options *options, int count)
{
    enum { PROCESSORS_EACH = 4, USUAL_MOST = 4, ROWS_EACH = 8 };
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (baseline_is_started() || options->width > 0)
        return 1; /* mpirun's check each variant together; one must see that none takes a size */
    if (options->jobs > 0)
        return qp_least(options->jobs, count);
    return qp_least(qp_least(processors / PROCESSORS_EACH, USUAL_MOST), count / ROWS_EACH);
}

/* Leaves the terminal to the first process, and each process its share of the processors. */
static void settle(struct check_variants *variants, int jobs)
{
    const int share = (int)sysconf(_SC_NPROCESSORS_ONLN) / qp_most(jobs, 1);
    FILE *nowhere = variants->is_helper ? fopen("/dev/null", "w") : NULL;
    if (nowhere != NULL)
        stdout = stderr = nowhere;
#if defined(_OPENMP)
    if (jobs > 1)
        omp_set_num_threads(qp_most(share, 1));
#else
    (void)share;
#endif
}

enum qp_status check_variants_begin(const struct qp_variant *const variants[], int count, int jobs,
                                    struct check_variants *out)
{
    const size_t bytes = (size_t)qp_most(count, 1) * sizeof *out->outcome;
    const pid_t first = getpid();
    *out = (struct check_variants){.variant = variants, .count = count};
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return qp_fail(QP_NO_MEMORY, "no memory for the results of %d variants", count);
    out->outcome = shared; /* zeros */
    for (int i = 1; i < qp_least(jobs, MOST_JOBS) && !out->is_helper; i++) {
        const pid_t process = fork();
        if (process > 0)
            out->helper[out->helpers++] = process;
        out->is_helper = process == 0;
    }
    if (out->is_helper && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != first))
        _exit(EXIT_FAILED);
    settle(out, jobs);
    return QP_OK;
}

static bool take(struct check_variants *variants, int k)
{
    int nobody = 0;
    const bool is_mine = !variants->is_helper || variants->variant[k]->backend != QP_MPI;
    return is_mine && !atomic_load(&variants->outcome[k].done) &&
           atomic_compare_exchange_strong(&variants->outcome[k].owner, &nobody, (int)getpid());
}

int check_variants_take(struct check_variants *variants, int first)
{
    for (int i = 0; i < variants->count; i++) {
        const int k = (first + i) % variants->count;
        if (take(variants, k))
            return k;
    }
    return -1;
}

static void free_rows_of(struct check_variants *variants, pid_t process)
{
    for (int k = 0; k < variants->count; k++) {
        int owner = (int)process;
        if (!atomic_load(&variants->outcome[k].done))
            atomic_compare_exchange_strong(&variants->outcome[k].owner, &owner, 0);
    }
}

/* Notes the processes that have ended; returns how many have not. */
static int look_at_helpers(struct check_variants *variants)
{
    int left = 0;
    for (int i = 0; i < variants->helpers; i++) {
        const pid_t process = variants->helper[i];
        if (process != 0 && waitpid(process, NULL, WNOHANG) != 0) {
            free_rows_of(variants, process);
            variants->helper[i] = 0;
        }
        left += variants->helper[i] != 0;
    }
    return left;
}

void check_variants_wait(struct check_variants *variants)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    look_at_helpers(variants);
}

static void send_all(const struct check_variants *variants, int number)
{
    for (int i = 0; i < variants->helpers; i++) {
        if (variants->helper[i] != 0)
            kill(variants->helper[i], number);
    }
}

void check_variants_stop(struct check_variants *variants, bool interrupted)
{
    enum { LOOKS = 1000 };
    if (interrupted)
        send_all(variants, SIGINT);
    for (int i = 0; i < LOOKS && interrupted && look_at_helpers(variants) > 0; i++)
        check_variants_wait(variants);
    send_all(variants, SIGKILL);
    for (int i = 0; i < variants->helpers; i++) {
        while (variants->helper[i] != 0 && waitpid(variants->helper[i], NULL, 0) < 0 &&
               errno == EINTR)
            ;
        variants->helper[i] = 0;
    }
}

void check_variants_destroy(struct check_variants *variants)
{
    if (variants->outcome != NULL)
        munmap(variants->outcome, (size_t)qp_most(variants->count, 1) * sizeof *variants->outcome);
    *variants = (struct check_variants){.count = 0};
}

void check_leave(struct qp_tally *tally, const struct qp_variant *variant)
{
    const int cases = tally->passed;
    if (tally->failed > 0)
        return;
    if (tally->worst.variant == NULL)
        tally->worst.variant = variant;
    tally->worst.verdict = QP_SKIP;
    tally->passed = 0;
    snprintf(tally->worst.reason, sizeof tally->worst.reason,
             "interrupted after %d cases, which passed", cases);
}

struct qp_tally check_for_report(const struct qp_tally *tally, enum qp_verdict verdict)
{
    struct qp_tally told = *tally;
    if (verdict == QP_FAIL && tally->failed == 0) {
        told.failed = 1;
        snprintf(told.worst.reason, sizeof told.worst.reason, "required, and skipped: %.480s",
                 tally->worst.reason);
    }
    return told;
}

void check_print_row(FILE *table, int name_width, const struct check_outcome *outcome,
                     enum qp_verdict verdict, const struct records_cases *cases)
{
    const struct records_cases usual = {.is_fresh = false};
    const struct records_cases *own = cases != NULL ? cases : &usual;
    const struct qp_tally *tally = &outcome->tally;
    const struct solved *solved = &outcome->solved;
    const struct qp_record *worst = &tally->worst;
    const char *plural = worst->iterations > 1 ? "s" : "";
    const bool ran = tally->passed + tally->failed > 0 && !isnan(worst->error); /* to stage 10 */
    fprintf(table, "%-*s %s", name_width, worst->variant->name,
            terminal_verdict(table, verdict, 5));
    if (verdict == QP_BOUND || ran)
        fprintf(table, " %3d %s", tally->passed,
                tally->failed > 0    ? "passed"
                : tally->passed == 1 ? "case"
                                     : "cases");
    if (verdict == QP_BOUND)
        fputs("  wrote every cell", table);
    else if (ran && isfinite(worst->error))
        fprintf(table, "  error %.1e, allowed %.1e%s, at %dx%d%s, %d step%s", worst->error,
                worst->tolerance, own->tolerance > 0.0 ? " by its head" : "", worst->width,
                worst->height, own->own.width > 0 ? " alone, by its head" : "", worst->iterations,
                plural);
    else if (ran)
        fprintf(table, "  no number at %dx%d, %d step%s", worst->width, worst->height,
                worst->iterations, plural);
    if (ran && own->steps > 0)
        fprintf(table, ", at most %d by its head", own->steps);
    if (tally->skipped > 0 && tally->passed > 0)
        fprintf(table, "  (%d cases it cannot take)", tally->skipped);
    if (solved->cases > 0)
        fprintf(table, "  solves: error %.0e, allowed %.0e", solved->error, solved->tolerance);
    if (worst->reason[0] != '\0')
        fprintf(table, "  %s", worst->reason);
    fputc('\n', table);
}
