/* SPDX-License-Identifier: MIT */
/* Tables that commands print of made up runs, beside those in tests/cmd/tables. */
#include "support/fake_runs.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT QP_SOURCE_DIR "/tests/cmd/tables/%s.txt"
#define MADE QP_BUILD_DIR "/tests/tables/%s.txt"

static char all[1 << 17];
static bool compared;

static void make_table(const char *name, const char *text)
{
    char path[512];
    assert_int_equal(system("mkdir -p " QP_BUILD_DIR "/tests/tables"), 0);
    snprintf(path, sizeof path, MADE, name);
    FILE *file = fopen(path, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Refusals of options end alike: with one line here. */
static void append(const char *line, const char *note, const char *text)
{
    char hint[128];
    all[compared ? 0 : strlen(all)] = '\0';
    compared = false;
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "$ %s%s\n%s\n", line, note, text);
    snprintf(hint, sizeof hint, "Try 'quadpass %.*s --help'.\n= 2\n", (int)strcspn(line, " "),
             line);
    char *end = all + strlen(all) - strlen(hint) - 1;
    if (end > all && strncmp(end, hint, strlen(hint)) == 0)
        strcpy(end, "= 2 (try --help)\n");
}

void fake_append(int (*command)(int argc, char **argv), const char *line)
{
    append(line, "", fake_command(command, line));
}

void fake_append_beside(const char *whole, int (*command)(int argc, char **argv), const char *line)
{
    static char text[1 << 17];
    char note[64];
    snprintf(text, sizeof text, "$ %s\n%s\n", line, fake_command(command, line));
    snprintf(note, sizeof note, "   (beside %s)", whole);
    append(line, note, fake_beside(whole, text));
}

void fake_compare_all(const char *name)
{
    compared = true;
    fake_compare(name, all);
}

/* Lines that are missing, one after the other. */
struct missing {
    int count;
    char last[1024];
};

static void end_missing(struct missing *missing, FILE *out)
{
    if (missing->count > 1)
        fprintf(out, "%s%s", missing->count > 2 ? "-...\n" : "", missing->last);
    missing->count = 0;
}

static void keep_difference(const char *line, struct missing *missing, int counts[3], FILE *out)
{
    int now[3];
    const bool is_counts =
        sscanf(line + 1, "%d passed, %d failed, %d skipped", &now[0], &now[1], &now[2]) == 3;
    if (line[0] == '-' && is_counts) {
        memcpy(counts, now, sizeof now);
    } else if (line[0] == '-') {
        snprintf(missing->last, sizeof missing->last, "%s", line);
        if (missing->count++ == 0)
            fputs(line, out);
    } else {
        end_missing(missing, out);
        if (is_counts)
            fprintf(out, "+%+d passed, %+d failed, %+d skipped\n", now[0] - counts[0],
                    now[1] - counts[1], now[2] - counts[2]);
        else if (line[0] == '+')
            fputs(line, out);
    }
}

const char *fake_beside(const char *whole, const char *text)
{
    static char differences[1 << 16];
    struct missing missing = {0};
    int counts[3] = {0};
    char line[1024], name[32];
    FILE *out = fmemopen(differences, sizeof differences, "w");
    snprintf(name, sizeof name, "beside.%d", (int)getpid());
    make_table(name, text);
    snprintf(line, sizeof line, "diff -d -U0 " KEPT " " MADE " | tail -n +3; rm " MADE, whole, name,
             name);
    FILE *lines = popen(line, "r");
    assert_true(out != NULL && lines != NULL);
    while (fgets(line, sizeof line, lines) != NULL)
        keep_difference(line, &missing, counts, out);
    end_missing(&missing, out);
    fputc('\0', out);
    assert_int_equal(fclose(out), 0);
    pclose(lines);
    return differences;
}

void fake_compare(const char *name, const char *text)
{
    char line[1024];
    make_table(name, text);
    if (getenv("RENEW") != NULL) /* tables that are meant to change */
        snprintf(line, sizeof line, "cp " MADE " " KEPT, name, name);
    else
        snprintf(line, sizeof line, "diff -u " KEPT " " MADE " >&2", name, name);
    if (system(line) != 0)
        fail_msg("the table %s is another one", name);
}

/* Begins the program anew without blocks that the C library keeps for each thread, since they count
 * as used, and with others than zeros in memory that nobody wrote. */
__attribute__((constructor)) static void begin_anew(int argc, char **argv)
{
    const char *set = getenv("GLIBC_TUNABLES");
    (void)argc;
    if ((set == NULL || strstr(set, "perturb") == NULL) &&
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.perturb=85", 1) == 0)
        execv("/proc/self/exe", argv);
}

/* Bytes of the heap that are in use, and open files. */
static void count_held(size_t held[2])
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 heap = mallinfo2();
    held[0] = heap.uordblks + heap.hblkhd;
#else
    held[0] = 0;
#endif
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    for (held[1] = 0; readdir(folder) != NULL;)
        held[1]++;
    closedir(folder);
}

void fake_leaves_nothing(void (*run)(void))
{
    size_t held[2][2] = {{0}};
    for (int i = 0; i < 4; i++) { /* the first runs make what stays, such as buffers of streams */
        run();
        count_held(held[i % 2]);
    }
    if (held[1][0] > held[0][0] || held[1][1] > held[0][1])
        fail_msg("%zd bytes and %zd files are left", (ssize_t)(held[1][0] - held[0][0]),
                 (ssize_t)(held[1][1] - held[0][1]));
}

int fake_endings(int (*command)(int argc, char **argv), const char *line)
{
    static const char end[] = "quadpass: the device is gone\n= 3\n";
    for (int run = 1;; run++) {
        fake.ends = QP_DEVICE;
        fake.ending = run;
        fake.sentence = "the device is gone";
        const char *text = fake_command(command, line);
        if (strstr(text, " passed, ") != NULL)
            return run - 1;
        if (strstr(text, end) == NULL)
            fail_msg("run %d of '%s' fails:\n%s", run, line, text);
    }
}
