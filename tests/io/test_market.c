/* SPDX-License-Identifier: MIT */
/* Matrix Market files as the world writes them: odd ones are read to the digit, broken ones refused
 * with the line that is wrong, and none is left half written. The cases are the files in
 * tests/market; the wanted result of each is there in refused.txt and legal.txt. */
#include "support/support.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <quadpass/market.h>

#include "support/files.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/market.h"

ADD_TEST(files_note_open)

#define CORPUS QP_SOURCE_DIR "/tests/io/market/"
#define SPARSE "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY  "%%MatrixMarket matrix array real general\n"

static char folder[] = "/tmp/quadpass-market-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[16][64]; /* the last few stay valid */
    static int next;
    next = (next + 1) % 16;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

/* Writes a file for what git would not keep byte for byte. */
static const char *make(const char *name, const char *bytes, size_t count)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    return path_of(name);
}

static void expect_bytes(const char *path, const char *bytes)
{
    char found[512] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, bytes);
}

static void expect_failure(const char *path, enum qp_status status, const char *part)
{
    struct qp_market market;
    memset(&market, 0xff, sizeof market);
    if (qp_market_read(path, &market) != status || strstr(qp_error(), part) == NULL)
        fail_msg("%s: wanted '%s', got '%s'", path, part, qp_error());
    assert_true(market.rows == 0 && market.columns == 0 && market.count == 0 && !market.dense);
    assert_true(market.row == NULL && market.column == NULL && market.value == NULL);
}

/* The content is "rows x columns:" and " row,column=value" in order, a dense one's " value". */
static void expect_content(const char *path, const char *content)
{
    struct qp_market m;
    char found[512];
    if (qp_market_read(path, &m) != QP_OK)
        fail_msg("%s", qp_error());
    assert_true(!m.dense || (m.row == NULL && m.column == NULL));
    int length = sprintf(found, "%d x %d:", m.rows, m.columns);
    for (size_t k = 0; k < m.count; k++)
        length += m.dense
                      ? sprintf(found + length, " %.9g", m.value[k])
                      : sprintf(found + length, " %d,%d=%.9g", m.row[k], m.column[k], m.value[k]);
    assert_string_equal(found, content);
    qp_market_destroy(&m);
    assert_true(m.rows == 0 && m.count == 0 && m.value == NULL);
}

/* Checks every file that a list names against its line there; returns their number. */
static int each(const char *list, void (*check)(const char *path, const char *line))
{
    char line[256], path[512];
    int count = 0;
    FILE *file = fopen(list, "r");
    assert_non_null(file);
    for (; fgets(line, sizeof line, file) != NULL; count++) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(path, sizeof path, CORPUS "%.*s", (int)strcspn(line, ":"), line);
        check(path, line);
    }
    fclose(file);
    return count;
}

static void check_refused(const char *path, const char *line)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, CORPUS "%s", line);
    expect_failure(path, QP_BAD_INPUT, sentence);
}

static void check_legal(const char *path, const char *line)
{
    expect_content(path, strchr(line, ':') + 2);
}

TEST(test_corpus)
{
    int count = each(CORPUS "refused.txt", check_refused) + each(CORPUS "legal.txt", check_legal);
    assert_int_equal(count, files_in(CORPUS) - 4); /* no file without a verdict */
    qp_market_destroy(NULL);
}

TEST(test_not_text)
{
    static const char crlf[] = "%%MatrixMarket matrix array real general\r\n\r\n2 1\r\n1\r\n2\r\n";
    static const char sparse[] = "%%MatrixMarket MATRIX coordinate Real symmetric\r\n%\r\n\r\n"
                                 "2 2 2\r\n1 1 4\r\n% between\r\n2 1 -1 \r\n\r\n";
    static const char nul[] = SPARSE "1 1 1\n1 1 1\0 2\n";
    static char longer[3 << 20], line[70000] = SPARSE "1 1 1\n1 1 1\n% ";
    expect_content(make("crlf", crlf, sizeof crlf - 1), "2 x 1: 1 2");
    expect_content(make("sparse", sparse, sizeof sparse - 1), "2 x 2: 0,0=4 1,0=-1 0,1=-1");
    expect_failure(make("nul", nul, sizeof nul - 1), QP_BAD_INPUT, "/nul:3: a NUL byte");
    expect_failure(make("elf", "\177ELF\2\1\1\0", 8), QP_BAD_INPUT, "/elf:1: a NUL byte");
    const size_t head = strlen(line);
    memset(line + head, '-', sizeof line - head);
    expect_failure(make("line", line, sizeof line), QP_BAD_INPUT, "/line:4: a NUL byte or over 64");
    memset(longer, ' ', sizeof longer);
    memcpy(longer, line, head);
    expect_failure(make("longer", longer, sizeof longer), QP_BAD_INPUT,
                   "/longer:4: a NUL byte or over 64");
    expect_failure(folder, QP_BAD_INPUT, ":1: cannot be read: Is a directory");
    expect_failure(path_of("missing"), QP_BAD_INPUT, "/missing: cannot be opened: No such file");
}

/* Lets a child feed standard input, through a pipe, with a head and `count` lines "k 1 k". */
static void feed(const char *head, int count)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    if (fork() == 0) {
        FILE *file = fdopen(ends[1], "w");
        fputs(head, file);
        for (int k = 1; k <= count; k++)
            fprintf(file, "%d 1 %d\n", k, k);
        _exit(fclose(file));
    }
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    clearerr(stdin);
}

TEST(test_standard_input)
{
    const int old = dup(STDIN_FILENO), count = 30000; /* more than a pipe or the first room holds */
    struct qp_market m;
    feed(SPARSE "30000 1 30000\n", count);
    assert_true(qp_market_read("-", &m) == QP_OK && m.count == (size_t)count);
    for (int k = 0; k < count; k++)
        assert_true(m.row[k] == k && m.column[k] == 0 && m.value[k] == k + 1);
    qp_market_destroy(&m);
    feed(SPARSE "30000 2 30001\n30000 1 1\n", count);
    assert_true(qp_market_read("-", &m) == QP_OK && m.value[count - 1] == count + 1.0);
    qp_market_destroy(&m);
    feed(SPARSE "30000 1 30000\n", count - 1);
    expect_failure("-", QP_BAD_INPUT, "standard input:30002: truncated");
    feed(SPARSE "2000000000 2000000000 90000000000000000\n", 0); /* no size to hold it against */
    expect_failure("-", QP_BAD_INPUT, "standard input:2: ");
    feed("%%MatrixMarket matrix array real symmetric\n2000000000 2000000000\n", 0);
    expect_failure("-", QP_BAD_INPUT, "GiB");
    dup2(old, STDIN_FILENO);
    close(old);
    while (wait(NULL) > 0)
        ;
}

/* Any bits at all that are a number the reader takes. */
static void fill_with_numbers(double *value, size_t count)
{
    uint64_t bits = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
    for (size_t k = 0; k < count; k++) {
        double next = NAN;
        while (!(fabs(next) <= FLT_MAX)) {
            bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
            memcpy(&next, &bits, sizeof next);
        }
        value[k] = k % 3 == 0 ? (float)next : k % 3 == 1 ? next : rint(fmod(next, 1e9)) / 1000.0;
    }
}

/* Significant ones: without zeros at either end, and without the exponent. */
static int digits_of(const char *line)
{
    int digits = 0, last = 0;
    for (; *line != '\0' && *line != 'e'; line++) {
        const bool is_digit = *line >= '0' && *line <= '9';
        digits += is_digit && (digits > 0 || *line != '0');
        last = is_digit && *line != '0' ? digits : last;
    }
    return last > 0 ? last : 1;
}

/* Every double comes back bit for bit, and no shorter decimal would. */
TEST(test_round_trip)
{
    enum { ROWS = 1000, COUNT = 4 * ROWS };
    static double value[COUNT];
    static const double odd[] = {FLT_MAX,  -FLT_MAX,  FLT_MIN,  1.4e-45,  -0.0,      0.1f,
                                 0.1,      1.0 / 3.0, 5e-324,   3e-320,   1e22,      0x1p-1022,
                                 0x1p60,   1e-5,      123456.0, 0x1p-500, 0.1 + 0.2, 1e15 + 0.3,
                                 0x1p-140, 0x1p89,    -0x1p122};
    struct qp_market m;
    char line[64], wanted[64];
    fill_with_numbers(value, COUNT);
    memcpy(value, odd, sizeof odd);
    assert_int_equal(qp_market_write(path_of("trip"), ROWS, 4, value), QP_OK);
    assert_true(qp_market_read(path_of("trip"), &m) == QP_OK && m.dense);
    assert_true(m.rows == ROWS && m.columns == 4 && m.count == COUNT);
    assert_memory_equal(m.value, value, sizeof value);
    qp_market_destroy(&m);
    FILE *file = fopen(path_of("trip"), "r");
    assert_true(file != NULL && fgets(line, sizeof line, file) && fgets(line, sizeof line, file));
    for (size_t k = 0; k < COUNT; k++) {
        int digits = 0;
        do {
            snprintf(wanted, sizeof wanted, "%.*g\n", ++digits, value[k]);
        } while (strtod(wanted, NULL) != value[k]);
        assert_non_null(fgets(line, sizeof line, file));
        /* the nearest decimal of 16 digits is below these powers of two and is not read as them */
        digits -= value[k] == 0x1p-140 || value[k] == 0x1p89 || value[k] == -0x1p122;
        assert_int_equal(digits_of(line), digits);
    }
    fclose(file);
}

/* y += factor A x, with and without x, of a dense and of a sparse matrix of the same entries. */
TEST(test_products)
{
    double value[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    int row[] = {0, 1, 0, 1, 0, 1}, column[] = {0, 0, 1, 1, 2, 2};
    const double x[] = {2.0, -1.0, 0.5};
    struct qp_market a = {.rows = 2, .columns = 3, .count = 6, .dense = true, .value = value};
    for (int sparse = 0; sparse < 2; sparse++) {
        double y[] = {100.0, 200.0};
        a.dense = !sparse;
        a.row = sparse ? row : NULL;
        a.column = sparse ? column : NULL;
        qp_market_add_product(&a, -2.0, x, y);
        assert_true(y[0] == 97.0 && y[1] == 194.0);
        qp_market_add_product(&a, 0.5, NULL, y);
        assert_true(y[0] == 101.5 && y[1] == 200.0);
    }
}

/* A file is replaced and keeps its mode, a link stays a link, anything else is written into: here
 * a pipe, for a writer that got this wrong would, run by root, replace a device of the system. */
TEST(test_replace)
{
    const double value[] = {1.0 / 3.0, -2.0};
    const char *old = make("old", "old", 3), *link = path_of("link"), *ahead = path_of("ahead");
    struct stat about;
    char found[512] = "";
    assert_true(chmod(old, 0600) == 0 && symlink("old", link) == 0 && symlink("later", ahead) == 0);
    assert_int_equal(qp_market_write(link, 2, 1, value), QP_OK);
    expect_bytes(old, ARRAY "2 1\n0.3333333333333333\n-2\n");
    assert_true(stat(old, &about) == 0 && (about.st_mode & 07777) == 0600);
    assert_true(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    assert_int_equal(qp_market_write(ahead, 1, 2, value), QP_OK);
    expect_bytes(path_of("later"), ARRAY "1 2\n0.3333333333333333\n-2\n");
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    int fifo = open(path_of("fifo"), O_RDWR | O_NONBLOCK);
    assert_int_equal(qp_market_write(path_of("fifo"), 1, 1, value), QP_OK);
    assert_true(read(fifo, found, sizeof found - 1) > 0);
    assert_string_equal(found, ARRAY "1 1\n0.3333333333333333\n");
    close(fifo);
}

TEST(test_standard_output)
{
    const double value = 7.0;
    const int old = dup(STDOUT_FILENO);
    fflush(stdout);
    assert_non_null(freopen("/dev/full", "w", stdout));
    enum qp_status full = qp_market_write("-", 1, 1, &value);
    assert_non_null(freopen(path_of("output"), "w", stdout));
    enum qp_status good = qp_market_write("-", 1, 1, &value);
    dup2(old, STDOUT_FILENO);
    close(old);
    assert_true(full == QP_BAD_INPUT && good == QP_OK);
    assert_non_null(strstr(qp_error(), "standard output: cannot be written: No space left"));
    expect_bytes(path_of("output"), ARRAY "1 1\n7\n");
}

/* Values that no file can hold give no file. */
TEST(test_unwritable)
{
    static const double values[] = {1.0, 2.0, 3.0, NAN, -INFINITY, 6.0};
    assert_int_equal(qp_market_write(path_of("held"), 0, 1, values), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "0 x 1 values are no matrix"));
    assert_int_equal(qp_market_write(path_of("held"), 3, 0, values), QP_BAD_USE);
    assert_int_equal(qp_market_write(path_of("held"), 3, 2, values), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "row 1, column 2 is nan"));
    assert_int_equal(qp_market_write(path_of("held"), 1, 1, values + 4), QP_BAD_INPUT);
    assert_int_equal(access(path_of("held"), F_OK), -1);
}

/* A disk that fills up is played by a limit on the size of files. */
TEST(test_failed_write)
{
    static const double value[10000];
    struct rlimit old;
    int before = files_in(folder);
    assert_int_equal(qp_market_write(path_of("nowhere/x"), 1, 1, value), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "nowhere/x: cannot be written: No such file or directory"));
    assert_int_equal(qp_market_write(folder, 1, 1, value), QP_BAD_INPUT);
    make("kept", "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 5000, .rlim_max = old.rlim_max});
    enum qp_status kept = qp_market_write(path_of("kept"), 100, 100, value);
    enum qp_status new = qp_market_write(path_of("new"), 100, 100, value);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_true(kept == QP_BAD_INPUT && new == QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "/new: cannot be written: File too large"));
    expect_bytes(path_of("kept"), "old");
    assert_int_equal(files_in(folder), before + 1);
}

static volatile sig_atomic_t stop;

static void press_soon(void *user, double part)
{
    (void)user;
    stop = part > 0.0;
}

/* An interrupt of writing leaves the file before; an answer that is there by then is written. */
TEST(test_interrupt)
{
    static const double value[10000];
    const int before = files_in(folder);
    const char *path = make("stopped", "old", 3);
    struct qp_watch was =
        qp_watch_set((struct qp_watch){.interrupt = &stop, .on_part = press_soon});
    const enum qp_status status = qp_market_write(path, 100, 100, value);
    const bool pressed = stop != 0;
    char sentence[64];
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    const enum qp_status late = qp_market_write(path_of("late"), 100, 100, value);
    qp_watch_set(was);
    assert_true(pressed && status == QP_UNSUPPORTED && late == QP_OK);
    assert_string_equal(sentence, "interrupted");
    expect_bytes(path, "old");
    assert_int_equal(files_in(folder), before + 2);
}

ADD_TEST(files_are_closed)

static int make_place(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_place(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

GROUP(make_place, remove_place)
