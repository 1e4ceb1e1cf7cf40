/* SPDX-License-Identifier: MIT */
#include "io/market_formats.h"

#include <string.h>

const struct qp_market_format *qp_market_format_of(const char *line)
{
    static const char unpack[] = "unpack it",
                      write[] = "scipy.io.mmwrite and Octave's mmwrite write such text",
                      save[] = "save it as plain ASCII or as UTF-8 without a mark";
    static const struct qp_market_format formats[] = {
        {"\x1f\x8b", "a gzip file", unpack},
        {"BZh", "a bzip2 file", unpack},
        {"\xfd\x37zXZ", "an xz file", unpack},
        {"\x28\xb5\x2f\xfd", "a zstd file", unpack},
        {"PK\3\4", "a zip or NumPy archive", "unpack it; an array in it, .npy, can be given"},
        {"\x93NUMPY", "a NumPy array", "give it a name that ends in .npy"},
        {"\x89HDF", "an HDF5 file", write},
        {"MATLAB", "a MAT-file", write},
        {"\xef\xbb\xbf", "text that begins with a byte order mark", save},
        {"\xff\xfe", "text in UTF-16", save},
        {"\xfe\xff", "text in UTF-16", save}};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (strncmp(line, formats[k].bytes, strlen(formats[k].bytes)) == 0)
            return &formats[k];
    return NULL;
}

bool qp_market_is_boeing(const char *type)
{
    return strlen(type) == 3 && strchr("RCPIrcpi", type[0]) != NULL &&
           strchr("SUHZRsuhzr", type[1]) != NULL && strchr("AEae", type[2]) != NULL;
}
