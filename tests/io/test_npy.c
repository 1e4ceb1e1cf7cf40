/* SPDX-License-Identifier: MIT */
/* NumPy's arrays: every type, order and shape that is read, to the bit; broken files refused with
 * the byte and the reason; what is written is what NumPy writes. */
#include "support/support.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/npy.h"

ADD_TEST(files_note_open)

static const char path[] = QP_BUILD_DIR "/tests/array.npy";

/* The file of this version with this text and these data after it. */
static void make(int major, const char *text, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    const size_t length = strlen(text);
    assert_non_null(file);
    fprintf(file, "\x93NUMPY%c%c", major, 0);
    for (int k = 0; k < (major == 1 ? 2 : 4); k++)
        putc((int)(length >> 8 * k & 255), file);
    fputs(text, file);
    fwrite(data, 1, bytes, file);
    assert_int_equal(fclose(file), 0);
}

#define HEAD(type, order, shape) \
    "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }  \n"
#define ONE(type) HEAD(type, "False", "(1,)")

/* Reads the file as width x height values of a precision; the content is "value value ...". */
static void expect(int width, int height, int channels, enum qp_precision precision,
                   const char *content)
{
    struct qp_matrix m;
    int found_channels;
    char found[256] = "";
    assert_ok(qp_npy_read(path, &m, &found_channels));
    assert_int_equal(found_channels, channels);
    assert_true(m.width == width && m.height == height && m.precision == precision);
    for (int i = 0, used = 0; i < width * height; i++)
        used += sprintf(found + used, "%s%.9g", i > 0 ? " " : "", qp_matrix_value(&m, (size_t)i));
    assert_string_equal(found, content);
    qp_matrix_destroy(&m);
}

static void expect_refusal(const char *from, enum qp_status status, const char *words)
{
    struct qp_matrix m;
    int channels;
    memset(&m, 0xff, sizeof m);
    assert_int_equal(qp_npy_read(from, &m, &channels), status);
    if (strstr(qp_error(), words) == NULL)
        fail_msg("wanted '%s', got '%s'", words, qp_error());
    assert_true(m.width == 0 && m.height == 0 && m.values == NULL && m.doubles == NULL);
    assert_int_equal(channels, 0);
}

/* Bytes of either order, whatever this processor's, and both ends of the integers that a double
 * holds. */
TEST(types)
{
    static const struct {
        const char *text, *data, *content;
        int bytes, count;
        enum qp_precision precision;
    } rows[] = {
        {ONE("<f4"), "\xcd\xcc\xcc\x3d", "0.100000001", 4, 1, QP_FLOATS},
        {ONE("<f8"), "\x9a\x99\x99\x99\x99\x99\xb9\x3f", "0.1", 8, 1, QP_DOUBLES},
        {HEAD("<f2", "False", "(8,)"), "\0\x3c\0\xc0\1\0\xff\3\xff\x7b\0\x7c\0\xfc\1\x7c",
         "1 -2 5.96046448e-08 6.09755516e-05 65504 inf -inf nan", 16, 8, QP_FLOATS},
        {ONE("<i4"), "\xff\xff\xff\x7f", "2.14748365e+09", 4, 1, QP_DOUBLES},
        {HEAD("|u1", "False", "(3,)"), "\0\1\xff", "0 1 255", 3, 3, QP_FLOATS},
        {HEAD("|b1", "False", "(2,)"), "\7\0", "1 0", 2, 2, QP_FLOATS},
        {ONE(">f4"), "\x3d\xcc\xcc\xcd", "0.100000001", 4, 1, QP_FLOATS},
        {ONE(">f8"), "\x3f\xb9\x99\x99\x99\x99\x99\x9a", "0.1", 8, 1, QP_DOUBLES},
        {HEAD(">f2", "False", "(2,)"), "\x3c\0\xc0\0", "1 -2", 4, 2, QP_FLOATS},
        {HEAD("|i1", "False", "(3,)"), "\x80\xff\x7f", "-128 -1 127", 3, 3, QP_FLOATS},
        {HEAD("<i2", "False", "(2,)"), "\0\x80\xff\x7f", "-32768 32767", 4, 2, QP_FLOATS},
        {HEAD(">u2", "False", "(2,)"), "\xff\xfe\0\1", "65534 1", 4, 2, QP_FLOATS},
        {ONE(">i4"), "\xff\xff\xff\xfe", "-2", 4, 1, QP_DOUBLES},
        {ONE("<u4"), "\xff\xff\xff\xff", "4.2949673e+09", 4, 1, QP_DOUBLES},
        {ONE("<i8"), "\1\0\0\1\0\0\0\0", "16777217", 8, 1, QP_DOUBLES},
        {ONE("<i8"), "\0\0\0\0\0\0\xe0\xff", "-9.00719925e+15", 8, 1, QP_DOUBLES},
        {ONE("<i8"), "\1\0\0\0\0\0\x20\0", "near 9007199254740992,", 8, 0, QP_DOUBLES},
        {ONE(">i8"), "\xff\xdf\xff\xff\xff\xff\xff\xff", "near -9007199254740992,", 8, 0,
         QP_DOUBLES},
        {ONE(">i8"), "\x80\0\0\0\0\0\0\0", "near -9.2233720368547758e+18,", 8, 0, QP_DOUBLES},
        {ONE("<u8"), "\xff\xff\xff\xff\xff\xff\xff\xff", "near 1.8446744073709", 8, 0, QP_DOUBLES},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        make(1 + i % 3, rows[i].text, rows[i].data, (size_t)rows[i].bytes);
        if (rows[i].count > 0)
            expect(rows[i].count, 1, 1, rows[i].precision, rows[i].content);
        else
            expect_refusal(path, QP_BAD_INPUT, rows[i].content);
    }
}

/* 2 x 3 cells, in both orders; four channels of 1 x 2 cells; one channel. */
TEST(shapes)
{
    make(1, HEAD("|u1", "False", "(2, 3)"), "\1\2\3\4\5\6", 6);
    expect(3, 2, 1, QP_FLOATS, "1 2 3 4 5 6");
    make(1, HEAD("|u1", "True", "(2, 3)"), "\1\4\2\5\3\6", 6);
    expect(3, 2, 1, QP_FLOATS, "1 2 3 4 5 6");
    make(1, HEAD("|u1", "True", "(6,)"), "\1\2\3\4\5\6", 6);
    expect(6, 1, 1, QP_FLOATS, "1 2 3 4 5 6");
    make(1, HEAD("|u1", "False", "(1, 2, 4)"), "\1\2\3\4\5\6\7\10", 8);
    expect(8, 1, 4, QP_FLOATS, "1 2 3 4 5 6 7 8");
    make(1, HEAD("|u1", "True", "(2, 1, 4)"), "\1\5\2\6\3\7\4\10", 8);
    expect(4, 2, 4, QP_FLOATS, "1 2 3 4 5 6 7 8");
    make(1, HEAD("|u1", "True", "(1, 2, 2)"), "\1\3\2\4", 4);
    expect(4, 1, 2, QP_FLOATS, "1 2 3 4");
    make(1, HEAD("|u1", "False", "(2, 2, 1)"), "\1\2\3\4", 4);
    expect(2, 2, 1, QP_FLOATS, "1 2 3 4");
    make(1, "{\"shape\":(1,),'descr':\"|u1\",'fortran_order':True}", "\7", 1);
    expect(1, 1, 1, QP_FLOATS, "7");
}

TEST(refusals)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {ONE("|O"), "byte 20: elements are '|O', Python's objects (save numpy."},
        {ONE("<c16"), "'<c16', complex numbers (save a.real and a.imag apart)"},
        {ONE("<f16"), "'<f16', floats of more than 8 bytes (save h = a.astype("},
        {ONE("<M8[D]"), "elements are '<M8[D]', times (save a.astype('<i8'))"},
        {ONE("<U\33[1m"), "elements are '<U?[1m', text (save a.astype('<f8'))"},
        {ONE("|i2"), "byte 20: elements are '|i2', and b1, i1 to i8, "},
        {ONE("<i3"), "byte 20: elements are '<i3', and b1, i1 to i8, "},
        {ONE("<"), "byte 20: elements are '<', and b1, i1 to i8, "},
        {ONE(""), "byte 20: elements are '', and b1, i1 to i8, "},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
         "byte 20: an array with fields"},
        {HEAD("<f4", "Maybe", "(1,)"), "byte 44: 'fortran_order' is neither True nor False"},
        {HEAD("<f4", "False", "()"), "byte 60: a single number"},
        {HEAD("<f4", "False", "(0, 3)"), "byte 61: an axis of length 0"},
        {HEAD("<f4", "False", "(-3,)"), "byte 61: an axis of 'shape' is no whole number"},
        {HEAD("<f4", "False", "(3,,)"), "byte 63: an axis of 'shape' is no whole number"},
        {HEAD("<f4", "False", "(1 1)"), "byte 63: no ')'"},
        {HEAD("<f4", "False", "1"), "byte 60: no '('"},
        {HEAD("<f4", "False", "(2147483648,)"), "byte 61: an axis longer than 2147483647"},
        {HEAD("<f4", "False", "(99999999999999999999999,)"), "byte 61: an axis longer"},
        {HEAD("<f4", "False", "(1, 1, 1, 1)"), "byte 70: more than 3 axes"},
        {HEAD("<f4", "False", "(1, 1, 3)"), "byte 60: a last axis of 3, and 1, 2 or 4 channels"},
        {HEAD("<f4", "False", "(1, 600000000, 4)"), "byte 60: rows of 4 x 600000000 values"},
        {HEAD("<f4", "False", "(2147483647, 2147483647)"), "truncated: it ends here, and the"},
        {HEAD("<f4", "False", "(2147483647, 500000000, 4)"), "truncated: it ends here, and the"},
        {HEAD("<f4", "False", "(2,)"), "header promises 8 bytes of data (fetch it anew)"},
        {"{'descr': '<f4', 'fortran_order': False, }", "no key 'shape'"},
        {"{'fortran_order': False, 'shape': (1,)}", "no key 'descr'"},
        {"{'descr': '<f4', 'shape': (1,)}", "no key 'fortran_order'"},
        {"{'descr': '<f4', 'descr': '<f4', }", "byte 27: a second key 'descr'"},
        {"{'order': 'C'}", "byte 11: an unknown key 'order'"},
        {"{'descr'= '<f4'}", "byte 18: no ':'"},
        {"{descr: '<f4'}", "byte 11: no key in quotes"},
        {"{'descr': '<f4", "byte 20: no type in quotes"},
        {"{'descr': '", "byte 20: no type in quotes"},
        {"{'descr': '<f4' 'shape': (1,)}", "byte 26: no '}'"},
        {"['descr']", "byte 10: no '{'"},
        {"", "byte 10: no '{'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x", "byte 68: more text"},
        {"{'a_key_of_24_characters__': 1}", "byte 11: no key in quotes"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        make(1, cases[i].text, "\0\0\0\0", 4);
        expect_refusal(path, QP_BAD_INPUT, cases[i].words);
        support_assert_sentence("/tests/array.npy: byte ");
    }
    make(1, ONE("<f4"), "\0\0\0\0\0", 5);
    expect_refusal(path, QP_BAD_INPUT, "more data than the header promises");
    make(4, ONE("<f4"), "\0\0\0\0", 4);
    expect_refusal(path, QP_BAD_INPUT, "byte 6: format 4.0, and 1.0, 2.0 and 3.0 are read");
    expect_refusal(QP_SOURCE_DIR "/data/gr_30_30.mtx", QP_BAD_INPUT,
                   "byte 0: this is no .npy file");
    expect_refusal(QP_BUILD_DIR, QP_BAD_INPUT, "cannot be read: Is a directory");
    expect_refusal("/nowhere/a.npy", QP_BAD_INPUT, "/nowhere/a.npy: cannot be opened: No such");
}

/* Cut off anywhere, and with a header that claims to be longer than it is. */
TEST(truncated)
{
    static const char text[] = HEAD("<f8", "False", "(4,)");
    const int whole = 10 + (int)strlen(text) + 32;
    for (int length = 0; length < whole; length++) {
        make(1, text, (char[32]){0}, 32);
        assert_int_equal(truncate(path, length), 0);
        expect_refusal(path, QP_BAD_INPUT, "truncated: ");
        char place[32];
        sprintf(place, ": byte %d: ", length);
        support_assert_sentence(place);
    }
    FILE *file = fopen(path, "wb");
    fwrite("\x93NUMPY\2\0\xff\xff\xff\xff{", 1, 13, file);
    assert_int_equal(fclose(file), 0);
    expect_refusal(path, QP_BAD_INPUT, "byte 8: a header of 4294967295 bytes, and at most 10000");
}

/* Lets a child write `count` floats into a pipe after a header with a shape. */
static void feed(const char *fifo, const char *shape, int count)
{
    while (wait(NULL) > 0) /* an earlier writer may still hold the pipe open */
        ;
    if (fork() == 0) {
        char text[128];
        FILE *file = fopen(fifo, "wb");
        sprintf(text, HEAD("<f4", "False", "(%s)"), shape);
        fprintf(file, "\x93NUMPY%c%c%c%c%s", 1, 0, (int)strlen(text), 0, text);
        for (int i = 0; i < count; i++) {
            const float value = (float)i;
            fwrite(&value, sizeof value, 1, file);
        }
        _exit(fclose(file));
    }
}

/* A number of KiB that Linux reports of this process. */
static long kibibytes(const char *form)
{
    char line[128];
    long size = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && size < 0 && fgets(line, sizeof line, file) != NULL)
        sscanf(line, form, &size);
    assert_true(file != NULL && fclose(file) == 0 && size > 0);
    return size;
}

/* The most address space that this process has had. */
static long peak(void)
{
    return kibibytes("VmPeak: %ld");
}

/* A pipe gives no size: its promise costs no memory before it is kept. */
TEST(pipes)
{
    static const char fifo[] = QP_BUILD_DIR "/tests/array.fifo";
    enum { VALUES = 700000 }; /* more than the first room and the second */
    struct qp_matrix m;
    int channels;
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    feed(fifo, "700000,", VALUES);
    assert_ok(qp_npy_read(fifo, &m, &channels));
    for (int i = 0; i < VALUES; i++)
        assert_true(m.values[i] == (float)i);
    qp_matrix_destroy(&m);
    const long before = peak();
    feed(fifo, "100000000,", 5);
    expect_refusal(fifo, QP_BAD_INPUT, "truncated: 20 of 400000000 bytes of data");
    assert_true(peak() - before < 100000);
    feed(fifo, "5,", 6);
    expect_refusal(fifo, QP_BAD_INPUT, "more data than the header promises");
    feed(fifo, "2147483647, 2147483647", 5); /* 2^65 bytes, and none of them is waited for */
    expect_refusal(fifo, QP_BAD_INPUT, " GiB needed, ");
    while (wait(NULL) > 0)
        ;
    unlink(fifo);
}

/* Room for the bytes of a file, but not for the floats that they are, in a child that has no
 * more. */
TEST(too_large_for_the_room)
{
#ifdef __SANITIZE_ADDRESS__
    skip(); /* which needs address space itself */
#endif
    enum { SIDE = 4000 };
    static unsigned char bytes[SIDE * SIDE];
    char words[128];
    int code;
    make(1, HEAD("|u1", "False", "(4000, 4000)"), bytes, sizeof bytes);
    snprintf(words, sizeof words, "%s: no memory for a matrix", path);
    const pid_t child = fork();
    if (child == 0) {
        const rlim_t most = (rlim_t)kibibytes("VmData: %ld") * 1024 + 2 * sizeof bytes;
        struct qp_matrix m;
        int channels;
        if (setrlimit(RLIMIT_DATA, &(struct rlimit){most, most}) != 0)
            _exit(2);
        _exit(qp_npy_read(path, &m, &channels) != QP_NO_MEMORY ||
              strncmp(qp_error(), words, strlen(words)) != 0);
    }
    assert_true(child > 0 && waitpid(child, &code, 0) == child);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
}

static void expect_bytes(const char *head, size_t head_bytes, size_t bytes)
{
    char found[512];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), bytes);
    fclose(file);
    assert_memory_equal(found, head, head_bytes);
    assert_true(found[127] == '\n' && found[126] == ' ');
}

/* To the bit, NaN, infinity and the sign of 0 among them. */
TEST(written_and_read)
{
    float floats[] = {1.0f, -0.0f, 1e-45f, INFINITY, NAN, 0.1f, 7.0f, 8.0f};
    double doubles[] = {0.1, -0.0, 5e-324, -INFINITY, NAN, 1e300};
    const struct qp_matrix single = {.width = 4, .height = 2, .values = floats},
                           twice = {.width = 2,
                                    .height = 3,
                                    .precision = QP_DOUBLES,
                                    .doubles = doubles};
    static const char head[] = "\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, "
                               "'shape': (2, 1, 4), }   ";
    struct qp_matrix back;
    int channels;
    assert_ok(qp_npy_write(path, &single, 4));
    expect_bytes(head, sizeof head - 1, 128 + sizeof floats);
    assert_ok(qp_npy_read(path, &back, &channels));
    assert_true(channels == 4 && back.width == 4 && back.height == 2);
    assert_memory_equal(back.values, floats, sizeof floats);
    qp_matrix_destroy(&back);
    assert_ok(qp_npy_write(path, &twice, 1));
    expect_bytes("\x93NUMPY\1\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }",
                 69, 128 + sizeof doubles);
    assert_ok(qp_npy_read(path, &back, &channels));
    assert_true(channels == 1 && back.width == 2 && back.height == 3);
    assert_memory_equal(back.doubles, doubles, sizeof doubles);
    qp_matrix_destroy(&back);
    assert_ok(qp_npy_write(path, &twice, 2));
    expect_bytes(
        "\x93NUMPY\1\0\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1, 2), }", 72,
        128 + sizeof doubles);
    const struct qp_matrix column = {.width = 1, .height = 8, .values = floats};
    assert_ok(qp_npy_write(path, &column, QP_NPY_VECTOR));
    expect_bytes("\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }", 67,
                 128 + sizeof floats);
}

TEST(not_written)
{
    float values[6] = {0};
    struct qp_matrix m = {.width = 3, .height = 2, .values = values};
    unlink(path);
    assert_int_equal(qp_npy_write(path, &m, 4), QP_BAD_USE);
    support_assert_sentence("rows of 3 values are not cells of 4 channels");
    assert_int_equal(qp_npy_write(path, &m, 3), QP_BAD_USE);
    assert_int_equal(qp_npy_write(path, &m, QP_NPY_VECTOR), QP_BAD_USE);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(qp_npy_write("/dev/full", &m, 1), QP_BAD_INPUT);
    support_assert_sentence("/dev/full: cannot be written: No space left on device");
    assert_int_equal(qp_npy_write("/nowhere/a.npy", &m, 1), QP_BAD_INPUT);
    support_assert_sentence("cannot be written: No such file or directory");
}

/* Reading ends at an interrupt; an answer that is there by then is written whole. */
TEST(interrupted)
{
    static const volatile sig_atomic_t wanted = 1;
    const struct qp_matrix m = {.width = 1, .height = 1, .values = &(float){3.0f}};
    struct qp_watch before = qp_watch_interrupt(&wanted);
    assert_ok(qp_npy_write(path, &m, 1));
    expect_refusal(path, QP_UNSUPPORTED, "interrupted");
    qp_watch_set(before);
    expect(1, 1, 1, QP_FLOATS, "3");
}

ADD_TEST(files_are_closed)
