/* SPDX-License-Identifier: MIT */
#include "toolkit/io/formats.h"

#include <stdlib.h>
#include <string.h>

#define BEGINS(text) text, sizeof text - 1

static const char unpack[] = "unpack it",
                  ascii[] = "save it as plain ASCII or as UTF-8 without a mark",
                  mat[] =
                      "scipy.io.loadmat reads it, or h5py one of version 7.3; scipy.io.mmwrite and "
                      "mmwrite.m of NIST write Matrix Market text",
                  octave[] = "mmwrite.m of NIST writes Matrix Market text",
                  python[] =
                      "load it by pickle; numpy.save writes an array, and scipy.io.mmwrite a "
                      "sparse matrix",
                  science[] =
                      "numpy.save writes an array of it, and scipy.io.mmwrite a sparse matrix";

static const struct qp_file_format formats[] = {
    {BEGINS("\x1f\x8b"), "a gzip file", unpack},
    {BEGINS("\x1f\x9d"), "a file of compress", unpack},
    {BEGINS("BZh"), "a bzip2 file", unpack},
    {BEGINS("\xfd\x37zXZ"), "an xz file", unpack},
    {BEGINS("\x5d\0\0"), "an lzma file", unpack},
    {BEGINS("\x28\xb5\x2f\xfd"), "a zstd file", unpack},
    {BEGINS("7z\xbc\xaf"), "a 7z archive", unpack},
    {BEGINS("PK\3\4"), "a zip or NumPy archive",
     "unpack it; an array in it, .npy, can be given, and scipy.io.mmwrite writes a sparse matrix"},
    {BEGINS("\x93NUMPY"), "a NumPy array", "give it a name that ends in .npy"},
    {BEGINS("\x89PNG"), "a PNG picture", "give it a name that ends in .png"},
    {BEGINS("\xff\xd8\xff"), "a JPEG picture", "save it as .png"},
    {BEGINS("\x89HDF"), "an HDF5 file", science},
    {BEGINS("CDF"), "a NetCDF file", science},
    {BEGINS("SIMPLE  "), "a FITS file", science},
    {BEGINS("PAR1"), "a Parquet file", science},
    {BEGINS("\0\x12\x7b"), "a PETSc file", science},
    {BEGINS("MATLAB"), "a MAT-file", mat},
    {BEGINS("Octave-1"), "Octave's binary data", octave},
    {BEGINS("# Created by Octave"), "Octave's text", octave},
    {BEGINS("\x80\2"), "a pickle", python},
    {BEGINS("\x80\3"), "a pickle", python},
    {BEGINS("\x80\4"), "a pickle", python},
    {BEGINS("\x80\5"), "a pickle", python},
    {BEGINS("cnumpy"), "a pickle", python},
    {BEGINS("\xef\xbb\xbf"), "text that begins with a byte order mark", ascii},
    {BEGINS("\xff\xfe"), "text in UTF-16", ascii},
    {BEGINS("\xfe\xff"), "text in UTF-16", ascii}};

/* Five integers of 32 bits: a type, rows, columns, whether they are complex, letters of a name. */
static bool is_mat_4(const char *bytes, size_t count)
{
    return count > 20 && memcmp(bytes, "\0\0\0", 4) == 0 && (bytes[12] == 0 || bytes[12] == 1) &&
           memcmp(bytes + 13, "\0\0", 3) == 0 && bytes[16] > 1 && bytes[16] < 64 &&
           memcmp(bytes + 17, "\0\0", 3) == 0;
}

const struct qp_file_format *qp_format_of(const char *bytes, size_t count)
{
    static const struct qp_file_format archive = {.name = "a tar archive", .advice = unpack},
                                       mat_4 = {.name = "a MAT-file of version 4", .advice = mat};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (count >= formats[k].count && memcmp(bytes, formats[k].bytes, formats[k].count) == 0)
            return &formats[k];
    return count >= 262 && memcmp(bytes + 257, "ustar", 5) == 0 ? &archive
           : is_mat_4(bytes, count)                             ? &mat_4
                                                                : NULL;
}

const struct qp_file_format *qp_format_of_word(const char *word)
{
    static const struct qp_file_format
        list = {.name = "JSON or a printed array",
                .advice = "numpy.save writes an array that can be given"},
        csv = {.name = "CSV",
               .advice =
                   "numpy.save('a.npy', numpy.loadtxt('a.csv', delimiter=',')) makes an array "
                   "that can be given"},
        numbers = {.name = "text of numbers without a header",
                   .advice =
                       "before lines 'row column value' write '%%MatrixMarket matrix coordinate "
                       "real general' and 'rows columns entries'; of a table "
                       "numpy.save('a.npy', numpy.loadtxt('a.txt')) makes an array"};
    char *end;
    (void)strtod(word, &end);
    return strpbrk(word, "[{") != NULL                      ? &list
           : strpbrk(word, ",;") != NULL                    ? &csv
           : word[0] == '#' || (end > word && *end == '\0') ? &numbers
                                                            : NULL;
}

bool qp_format_is_boeing(const char *type)
{
    return strlen(type) == 3 && strchr("RCPIrcpi", type[0]) != NULL &&
           strchr("SUHZRsuhzr", type[1]) != NULL && strchr("AEae", type[2]) != NULL;
}
