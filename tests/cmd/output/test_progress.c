/* SPDX-License-Identifier: MIT */
/* The line of progress, character by character, on a terminal and by a clock that the test sets;
 * signals by that clock. */
/* wrap: qp_clock */
#include "support/support.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/base/watch.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/progress.h"

static double now;

double __wrap_qp_clock(void);

double __wrap_qp_clock(void)
{
    return now;
}

static int terminal, screen, kept;
static char shown[4096];

#define WIPE "\r                                                                               \r"

/* Standard error leads to a terminal until `seen` is called; in front of a test that has none it is
 * skipped. */
static void look(void)
{
    if (openpty(&terminal, &screen, NULL, NULL, NULL) != 0)
        skip();
    kept = dup(STDERR_FILENO);
    dup2(screen, STDERR_FILENO);
    now = 1000.0;
    progress_watch(NULL);
}

/* Bytes that the terminal was sent since the last call. */
static const char *seen(void)
{
    size_t length = 0;
    progress_say("%s", "");
    qp_watch_set((struct qp_watch){0});
    while (poll(&(struct pollfd){terminal, POLLIN, 0}, 1, 50) > 0)
        length += (size_t)read(terminal, shown + length, sizeof shown - length - 1);
    shown[length] = '\0';
    progress_end(); /* unseen: the next test begins without a line */
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(screen);
    close(terminal);
    return shown;
}

/* A line as it is shown: 79 columns. */
static const char *line(const char *words)
{
    static char text[128];
    snprintf(text, sizeof text, "\r%-79.79s", words);
    return text;
}

static void at(double seconds, double part)
{
    now = 1000.0 + seconds;
    assert_false(qp_watch_leaves(part));
}

/* Four lines of an iteration, the second too soon to be drawn, and a wipe. */
static void draw_bars(void)
{
    static const struct qp_progress lines[] = {
        {512000, 2000000000, 0, 3.2e-4, 1e-5, 1.0, 100.0, 0},
        {512000, 2000000000, 0, 3.1e-4, 1e-5, 1.0, 100.05, 0},
        {10, 30, 0, 0.9, 1e-5, 1.0, 3700.0, 0},
        {20, 30, 0, 1.5, 1e-5, 1.0, 3800.0, 0}};
    for (int i = 0; i < 4; i++)
        progress_draw(NULL, &lines[i]);
    progress_end();
}

TEST(bars_of_iterations)
{
    look();
    draw_bars();
    assert_string_equal(
        seen(), "\r[#############-------]  residual 3.2e-04 of 1.0e-05   5,120 steps/s   0:43 left"
                "\r[---------------------]  residual 9.0e-01 of 1.0e-05   0 steps/s   2:03:20 left"
                "\r[------------------]  residual 1.5e+00 of 1.0e-05   0 steps/s   no end in sight"
                "" WIPE);
}

/* Steps that are known are counted, whatever the residual: a cycle may enlarge it. */
TEST(steps_are_counted)
{
    static const struct qp_progress line = {500, 2000000000, 1, 30.0, 1e-5, 1.0, 10.0, 2000};
    look();
    progress_draw(NULL, &line);
    progress_end();
    const char *text = seen();
    assert_non_null(strstr(text, "0:30 left"));
    assert_non_null(strstr(text, "\r[#####-"));
}

/* Millions of steps a second; the last step is nearer than the tolerance; and a wait of more than
 * 99 hours. */
TEST(rates_and_times)
{
    static const struct qp_progress lines[] = {{12345678, 20000000, 0, 0.9, 1e-5, 1.0, 10.0, 0},
                                               {999, 1998, 0, 0.99, 1e-5, 1.0, 1.0, 0},
                                               {1000, 1000000000, 0, 0.5, 1e-9, 1.0, 359990.0, 0}};
    look();
    for (int i = 0; i < 3; i++)
        progress_draw(NULL, &lines[i]);
    const char *text = seen();
    assert_non_null(strstr(text, "1,234,567 steps/s   0:06 left"));
    assert_non_null(strstr(text, "999 steps/s   0:01 left"));
    assert_non_null(strstr(text, "0 steps/s   120 days left"));
}

/* Nothing in the first two seconds of the work; then part and time left, at most ten times a
 * second. */
TEST(parts_of_long_work)
{
    char wanted[1024];
    look();
    progress_say("check of %s", "rows");
    at(0.5, 0.0);
    at(1.99, 0.2);
    at(2.5, 0.25); /* the first to be shown: 2 seconds for a quarter */
    at(2.55, 0.30);
    at(2.59, 0.31);
    at(2.7, 0.55); /* 2.2 seconds for 0.55 */
    progress_end();
    snprintf(wanted, sizeof wanted, "%s", line("check of rows: 25 %   0:06 left"));
    strcat(wanted, line("check of rows: 55 %   0:01 left"));
    strcat(wanted, WIPE);
    assert_string_equal(seen(), wanted);
}

/* A loop that begins anew has no pace yet, and then its own. */
TEST(loops_in_turn)
{
    char wanted[1024];
    look();
    progress_say("eliminating");
    at(1.0, 0.5);
    at(10.0, 1.0);
    at(11.0, 0.2);
    at(21.0, 0.3);
    snprintf(wanted, sizeof wanted, "%s", line("eliminating: 100 %   0:00 left"));
    strcat(wanted, line("eliminating: 20 %"));
    strcat(wanted, line("eliminating: 30 %   1:10 left"));
    assert_string_equal(seen(), wanted);
}

/* The name of the next task is shown as soon as the work has been long, and no time left is
 * known. */
TEST(names_of_long_work)
{
    char wanted[512];
    look();
    progress_say("row %d of 3", 1);
    now += 2.0;
    progress_say("row %d of 3", 2);
    now += 0.5;
    progress_say("row %d of 3", 3);
    progress_end();
    progress_end(); /* the line is empty again */
    snprintf(wanted, sizeof wanted, "%s%s", line("row 3 of 3"), WIPE);
    assert_string_equal(seen(), wanted);
}

/* Without a name there is no work, whatever reports that it goes on. */
TEST(no_work)
{
    look();
    at(100.0, 0.5);
    assert_string_equal(seen(), "");
}

/* A pass that does not end is reported after two seconds, ten times a second at most. */
TEST(waits_for_the_device)
{
    char wanted[512];
    look();
    progress_say("walk");
    qp_watch_wait(1.9);
    now += 10.0;
    qp_watch_wait(2.0);
    now += 0.05;
    qp_watch_wait(2.1);
    now += 0.06;
    qp_watch_wait(63.0);
    snprintf(wanted, sizeof wanted, "%s", line("walk: one pass has been running for 2 s"));
    strcat(wanted, line("walk: one pass has been running for 63 s"));
    assert_string_equal(seen(), wanted);
}

/* Files get a line every ten seconds, with all that is known then. */
TEST(lines_without_a_terminal)
{
    static const char path[] = QP_BUILD_DIR "/tests/progress";
    static const struct qp_progress bar = {512000, 2000000000, 0, 3.2e-4, 1e-5, 1.0, 100.0, 0};
    FILE *file = fopen(path, "w+");
    char text[1024] = "";
    assert_non_null(file);
    const int kept_error = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    now = 1000.0;
    progress_watch(NULL);
    at(50.0, 0.5); /* nobody's work */
    now = 2000.0;
    progress_say("row %d", 1);
    now = 2009.9;
    progress_say("row %d", 2);
    now = 2010.0;
    progress_say("row %d", 3); /* the first line */
    at(1019.9, 0.25);
    at(1020.0, 0.5); /* progress of the second loop, which began 0.1 s before */
    progress_draw(NULL, &bar);
    now = 2029.0;
    qp_watch_wait(9.0);
    now = 2030.5;
    progress_draw(NULL, &bar);
    progress_draw(NULL, &bar);
    now = 2041.0;
    qp_watch_wait(12.0);
    now = 2052.0;
    progress_say("solving for %d unknowns", 1000000);
    now = 2063.0;
    progress_draw(NULL, &bar);
    progress_end();
    progress_say("%s", "");
    now = 2080.0;
    progress_draw(NULL, &bar);
    qp_watch_set((struct qp_watch){0});
    dup2(kept_error, STDERR_FILENO);
    close(kept_error);
    rewind(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    remove(path);
    assert_string_equal(text, "row 3\n"
                              "row 3: 50 %   0:00 left\n"
                              "row 3: residual 3.2e-04 of 1.0e-05   5,120 steps/s   0:43 left\n"
                              "row 3: one pass has been running for 12 s\n"
                              "solving for 1000000 unknowns\n"
                              "solving for 1000000 unknowns: residual 3.2e-04 of 1.0e-05   "
                              "5,120 steps/s   0:43 left\n");
}

/* A second signal within half a second is the first one's, as timeout(1) sends it; a later one ends
 * the command at once. */
TEST(a_second_signal_ends_at_once)
{
    static const double later[] = {0.49, 0.51};
    for (int k = 0; k < COUNT(later); k++) {
        int status;
        fflush(stdout);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            now = 1000.0;
            cmd_catch_interrupt();
            raise(SIGINT);
            now += later[k];
            raise(SIGTERM);
            _exit(cmd_interrupted ? 7 : 8);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (k == 0)
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        else
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    }
}
