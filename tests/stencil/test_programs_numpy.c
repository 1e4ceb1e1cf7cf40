/* SPDX-License-Identifier: MIT */
/* Generated programs read of NumPy's files what `quadpass run` reads, and refuse what it refuses,
 * by the same words. */
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_programs(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    write_file("half.frag", "//@ outside clamp\nfloat kernel(vec2 here)\n{\n    return 0.5 * "
                            "x_at(0.0, 0.0) + 0.25 * x_at(1.0, 0.0);\n}\n");
    write_file("sum.frag", "//@ outside 7\nint kernel(vec2 here)\n{\n    return x_at(1.0, 0.0) - "
                           "x_at(0.0, 1.0);\n}\n");
    write_file("third.frag", "double kernel(vec2 here)\n{\n    return x_at(0.0, 0.0) - x_at(1.0, "
                             "0.0);\n}\n");
    return shell("for k in half sum third; do quadpass generate $k.frag --target c -o $k && make "
                 "-s -C $k/c CFLAGS='-O0 -Werror' || exit 1; done");
}

/* Writes n.npy as NumPy does. */
static void write_numpy(int format, const char *head, const char *data, size_t bytes)
{
    FILE *file = fopen("n.npy", "wb");
    assert_non_null(file);
    fprintf(file, "\x93NUMPY%c%c%c%c", format, 0, (int)strlen(head), 0);
    fwrite("\0", 1, format > 1, file);
    fwrite("\0", 1, format > 1, file);
    fputs(head, file);
    fwrite(data, 1, bytes, file);
    assert_int_equal(fclose(file), 0);
}

/* `run` writes doubles of a kernel of integers, a program the integers. */
static const char compare[] =
    "for k in $kernels; do\n"
    "  $k/c/$k --input x=n.npy --steps 1 -o p.npy || exit 3\n"
    "  quadpass run $k.frag --backend cpu --input x=n.npy --steps 1 -o r.npy >r.txt || exit 4\n"
    "  if test $k = sum; then\n"
    "    tail -c +129 p.npy | od -An -v -w4 -t d4 | tr -d ' ' >p.txt\n"
    "    tail -c +129 r.npy | od -An -v -w8 -t f8 | tr -d ' ' >r.txt\n"
    "    cmp p.txt r.txt || exit 5\n"
    "  else cmp p.npy r.npy || exit 5; fi\n"
    "done; echo all alike";

/* The programs of these kernels, whose types have the values, and `run` write the same numbers. */
TEST(files_that_are_read)
{
    static const struct {
        const char *type, *order, *shape, *data;
        size_t bytes;
        const char *kernels;
    } files[] = {
        {"<f8", "True", "(2, 3)",
         "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40\0\0\0\0\0\0\x10\x40"
         "\0\0\0\0\0\0\x14\x40\0\0\0\0\0\0\x18\x40",
         48, "half sum third"},
        {">f8", "False", "(1,)", "\x3f\xb9\x99\x99\x99\x99\x99\x9a", 8, "half third"},
        {">f4", "False", "(1, 2)", "\x3f\x80\0\0\xbd\xcc\xcc\xcd", 8, "half third"},
        {"<f4", "True", "(2, 2, 1)", "\0\0\0\0\0\0\0\x3f\0\0\0\x40\0\0\x80\x3f", 16, "half"},
        {"<f2", "False", "(3,)", "\0\x3c\0\xc0\1\0", 6, "half third"},
        {">f2", "False", "(2,)", "\x7c\0\x3c\0", 4, "half"},
        {"|b1", "True", "(2, 2)", "\1\0\7\0", 4, "half sum"},
        {"|i1", "True", "(3, 2)", "\1\xfe\3\4\5\x80", 6, "half sum third"},
        {"|u1", "False", "(1, 3)", "\1\xfe\x80", 3, "half sum"},
        {"<i2", "False", "(2,)", "\0\x80\xff\x7f", 4, "sum"},
        {">u2", "False", "(2,)", "\xff\xfe\0\1", 4, "sum"},
        {"<i4", "False", "(1, 2)", "\xff\xff\xff\xff\7\0\0\0", 8, "half sum"},
        {"<u4", "False", "(1,)", "\xff\xff\xff\xff", 4, "third"},
        {"<i8", "False", "(2L,)", "\x9c\xff\xff\xff\xff\xff\xff\xff\1\0\1\0\0\0\0\0", 16,
         "half sum third"},
        {">u8", "False", "(1,)", "\0\x20\0\0\0\0\0\0", 8, "half third"},
        {"<i8", "True", "(1L, 1L)", "\1\0\0\1\0\0\0\0", 8, "sum third"},
    };
    for (int k = 0; k < COUNT(files); k++) {
        char text[1024];
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }  \n",
                 files[k].type, files[k].order, files[k].shape);
        write_numpy(1 + k % 3, text, files[k].data, files[k].bytes);
        snprintf(text, sizeof text, "kernels='%s'; %s", files[k].kernels, compare);
        expect(text, 0, "all alike");
    }
    write_numpy(1, "{\"shape\":(1,2),\"descr\":\"|u1\",\"fortran_order\":False}", "\1\2", 2);
    expect("half/c/half --input x=n.npy -o p.npy && echo good", 0, "good");
}

TEST(files_that_are_refused)
{
    unlink("p.npy");
    static const struct {
        const char *type, *order, *shape, *data, *words;
        size_t bytes;
    } files[] = {
        {">u8", "False", "(1,)", "\0\x20\0\0\0\0\0\1",
         "cell (0, 0) is an integer near 9007199254740992, and at most 2^53 is exact in a double "
         "(divide by a power of two)",
         8},
        {"<i8", "False", "(1,)", "\xff\xff\xff\xff\xff\xff\xdf\xff", "integer near -90071992547409",
         8},
        {"<c8", "False", "(1,)", "\0\0\0\0\0\0\0\0",
         "elements are '<c8', complex numbers (save a.real and a.imag apart)", 8},
        {"<f16", "False", "(1,)", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
         "floats of more than 8 bytes (save h = a.astype('<f8'), and (a - h)", 16},
        {"|O", "False", "(1,)", "\0", "Python's objects (save numpy.array(a.tolist())", 1},
        {"|V8", "False", "(1,)", "\0\0\0\0\0\0\0\0", "'|V8', raw bytes (save a.view(T)", 8},
        {"<M8[D]", "False", "(1,)", "\0\0\0\0\0\0\0\0", "times (save a.astype('<i8'))", 8},
        {"<U1", "False", "(1,)", "\0\0\0\0", "text (save a.astype('<f8'))", 4},
        {"|i2", "False", "(1,)", "\0\0", "'|i2', and b1, i1 to i8, u1 to u8, f2, f4 and f8", 2},
        {"<f4", "False", "(1, 1, 2)", "\0\0\0\0\0\0\0\0", "more axes than rows and columns", 8},
        {"<f4", "False", "(1, 1, 1, 1)", "\0\0\0\0", "more axes than rows and columns", 4},
        {"<f4", "False", "(0, 1)", "", "has an axis of length 0", 0},
        {"<f4", "False", "()", "\0\0\0\0", "a single number (save numpy.atleast_1d(a))", 4},
        {"<f4", "False", "(1 1)", "\0\0\0\0", "a 'shape' that is no shape", 4},
        {"<f4", "False", "(-1,)", "\0\0\0\0", "a 'shape' that is no shape", 4},
        {"<f4", "False", "1", "\0\0\0\0", "a 'shape' that is no shape", 4},
        {"<f4", "False", "(1,", "\0\0\0\0", "a 'shape' that is no shape", 4},
        {"<f4", "Maybe", "(1,)", "\0\0\0\0", "'fortran_order' is neither True nor False", 4},
        {"<f4", "False", "(2,)", "\0\0\0\0", "ends early", 4},
        {"<f4", "False", "(1,)", "\0\0\0\0\0", "has more than its cells", 5},
        {"<f8", "False", "(1,)", "\0\0\0\0\0\0\xf0\x7e", "which no float holds", 8},
    };
    for (int k = 0; k < COUNT(files); k++) {
        char text[256];
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n",
                 files[k].type, files[k].order, files[k].shape);
        write_numpy(1 + k % 3, text, files[k].data, files[k].bytes);
        expect("half/c/half --input x=n.npy -o p.npy 2>&1", 2, files[k].words);
        assert_int_equal(exists("p.npy"), false);
    }
    write_numpy(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "", 0);
    expect("half/c/half --input x=n.npy 2>&1", 2, "an array with fields (save one of them");
    write_numpy(1, "{'fortran_order': False, 'shape': (1,)}", "", 0);
    expect("half/c/half --input x=n.npy 2>&1", 2, "has no 'descr' in its head");
    write_numpy(4, "{}", "", 0);
    expect("half/c/half --input x=n.npy 2>&1", 2, "has format 4.0, and 1.0, 2.0 and 3.0 are read");
    expect("printf '\\223NUMPY\\1\\0\\377\\0{' >n.npy; half/c/half --input x=n.npy 2>&1", 2,
           "ends in its head, or has one above 10000 bytes (fetch it anew)");
    expect("printf 'PK\\3\\4' >n.npy; half/c/half --input x=n.npy 2>&1", 2,
           "is no .npy file (write it by numpy.save; of an .npz take one array)");
    write_numpy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", "\0\0\xc0\x3f",
                4);
    expect("sum/c/sum --input x=n.npy 2>&1", 2, "cell (0, 0) is 1.5, which no integer of 32 bits");
}

/* A file of one array in Fortran's order says the size, whatever the head says. */
TEST(size_of_a_turned_array)
{
    need_gl();
    write_file("sized.frag", "//@ outside clamp\n//@ size 9x9\nfloat kernel(vec2 here) { return "
                             "0.5 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0)); }\n");
    write_numpy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", "\1\4\2\5\3\6",
                6);
    expect("quadpass generate sized.frag --target c -o s && make -s -C s/c && s/c/sized --input "
           "x=n.npy -o p.npy && quadpass run sized.frag --input x=n.npy --size 3x2 -o r.npy && "
           "cmp p.npy r.npy && quadpass generate sized.frag --target gl -o s && make -s -C s/gl && "
           "s/gl/sized --input x=n.npy -o g.npy && cmp p.npy g.npy && echo alike",
           0, "alike");
}

GROUP(make_programs, remove_folder)
