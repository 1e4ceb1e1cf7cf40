/* SPDX-License-Identifier: MIT */
/* The tables of docs/precision.md from records of `quadpass accuracy`. */
#include "support/shell.h"

/* Digits are the error's; a variant in another's place counts where it is quicker; a reason is told
 * from a variant that nobody wrote. */
TEST(precisions_are_compared)
{
    write_file(
        "d.json",
        "{\"device\": \"llvmpipe (x)\", \"date\": \"1\", \"records\": ["
        "{\"what\": \"steps\", \"variant\": \"poisson5/double\", \"width\": 9, \"height\": 8, "
        "\"seconds\": 2, \"error\": 1e-13}, "
        "{\"what\": \"steps\", \"variant\": \"poisson5/double_rgba\", \"width\": 9, "
        "\"height\": 8, \"seconds\": 0.05, \"error\": 0}, "
        "{\"what\": \"refined\", \"variant\": \"gauss_jordan/sgesv\", \"width\": 6, "
        "\"height\": 6, \"seconds\": 0, \"error\": null, \"condition\": 1e7, \"reason\": \"r\"}, "
        "{\"what\": \"plain\", \"variant\": \"gauss_jordan/sgesv\", \"width\": 6, "
        "\"height\": 6, \"seconds\": 1, \"error\": 0.05, \"condition\": 1e7}]}\n");
    expect_tool("tables.sh precision Poisson d.json", 0,
                "| Poisson, 9 x 8 | two floats | - |\n"
                "| Poisson, 9 x 8 | double | 16 in 50 ms |\n");
    expect_tool("tables.sh precision Hilbert d.json", 0,
                "| Hilbert, N = 6 | float | 1.3 in 1 s |\n"
                "| Hilbert, N = 6 | float, refined | refused |\n");
    expect_tool("tables.sh precision_conditions d.json", 0,
                "| log10 of the condition | 7 |\n| float | 1.3 |\n");
    expect_tool("tables.sh precision_bars Hilbert d.json", 0,
                "\"float, processor\",1.3,1 s,\"processor\"\n");
}

GROUP(make_folder, remove_folder)
