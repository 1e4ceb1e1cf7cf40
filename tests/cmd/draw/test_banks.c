/* SPDX-License-Identifier: MIT */
/* Banks and segments as reckoned: turns of each bank are counted as the papers have them. No device
 * is asked. */
#include "support/drawings.h"

TEST(padding_ends_conflicts)
{
    drawing_of("banks transpose/cuda_tiled_32");
    assert_int_equal(count("Reckoned by the kernel's own index functions, not measured"), 1);
    assert_int_equal(count("shared store: 1 turn of 32 threads."), 1);
    assert_int_equal(count("shared load: 32 turns of 32 threads."), 1);
    drawing_of("banks transpose/cuda_padded");
    assert_int_equal(count("shared load: 1 turn of 32 threads."), 1);
    drawing_of("banks transpose/cuda_tiled_16");
    assert_int_equal(count("shared load: 8 turns of 32 threads."), 1);
    drawing_of("banks transpose/cuda_tiled_48");
    assert_int_equal(count("shared load: 16 turns of 32 threads."), 1);
}

/* A column of a matrix is in as many segments as it has rows; tiles make rows of it. */
TEST(naive_stores_are_scattered)
{
    drawing_of("banks transpose/cuda_naive");
    assert_int_equal(count("global load: 1 segment, 128 bytes moved for 128."), 1);
    assert_int_equal(count("global store: 32 segments, 1024 bytes moved for 128."), 1);
    drawing_of("banks transpose/cuda_naive -n 256x8");
    assert_int_equal(count("global store: 8 segments, 1024 bytes moved for 128."), 1);
    drawing_of("banks transpose/cuda_tiled_16 -n 256x20");
    assert_int_equal(count("global store: 2 segments, 160 bytes moved for 128."), 1);
    drawing_of("banks transpose/cuda_padded -n 20x256");
    assert_int_equal(count("shared store: 1 turn of 20 threads."), 1);
    assert_int_equal(count("shared load: 1 turn of 32 threads."), 1);
    drawing_of("banks transpose/cuda_copy_interleaved");
    assert_int_equal(count("32 segments, 1024 bytes moved for 128."), 2);
    drawing_of("banks transpose/cuda_padded");
    assert_int_equal(count("1 segment, 128 bytes moved for 128."), 2);
}

/* Interleaved threads keep all warps at work, strided ones meet in banks, sequential ones
 * neither. */
TEST(reductions_differ)
{
    static const char *const strided[] = {"s = 1, 4 of 8 warps at work: 2 turns of 32 threads.",
                                          "s = 2, 2 of 8 warps at work: 4 turns of 32 threads.",
                                          "s = 4, 1 of 8 warps at work: 8 turns of 32 threads.",
                                          "s = 8, 1 of 8 warps at work: 8 turns of 16 threads.",
                                          "s = 16, 1 of 8 warps at work: 8 turns of 8 threads.",
                                          "s = 32, 1 of 8 warps at work: 4 turns of 4 threads."};
    const char *drawing = drawing_of("banks reduce/cuda_strided");
    must_print(strided, COUNT(strided));
    /* At s = 16 a column of eight: all in bank 0. */
    assert_int_equal(drawing_count(drawing, "M0 7h1v1h-1z"), 3);
    drawing_of("banks reduce/cuda_interleaved");
    assert_int_equal(count(": 1 turn of "), 8);
    assert_int_equal(count(", 8 of 8 warps at work"), 5);
    assert_int_equal(count("s = 4, 8 of 8 warps at work: 1 turn of 4 threads."), 1);
    drawing_of("banks reduce/cuda_sequential");
    assert_int_equal(count(": 1 turn of "), 8);
    assert_int_equal(count(" of 32 threads"), 3);
    assert_int_equal(count("bytes. s = 128, 4 of 8 warps at work: 1 turn of 32 threads"), 1);
}

TEST(access_goes_by_its_parameter)
{
    drawing_of("banks access/cuda_simple --problem stride --parameter 4");
    assert_int_equal(count("global load: 4 segments, 512 bytes moved for 128."), 1);
    drawing_of("banks access/cuda_simple --problem offset --parameter 1");
    assert_int_equal(count("global load: 2 segments, 160 bytes moved for 128."), 1);
    drawing_of("banks access/cuda_shared --problem banks --parameter 8");
    assert_int_equal(count("shared load: 8 turns of 32 threads."), 1);
    drawing_of("banks access/cuda_shared --problem banks --parameter 31");
    assert_int_equal(count("shared load: 1 turn of 32 threads."), 1);
    drawing_of("banks access/cuda_shared_padded --problem banks --parameter 32");
    assert_int_equal(count("shared load: 1 turn of 32 threads."), 1);
    drawing_of("banks access/cuda_shared --problem multicast --parameter 32");
    assert_int_equal(count("shared load: 1 turn of 32 threads."), 1);
}

TEST(other_rows_are_refused)
{
    drawing_refused("banks jacobi9/luminance",
                    "jacobi9/luminance shares no index function of this problem with the host; "
                    "draw a variant such as transpose/cuda_padded");
    drawing_refused("banks transpose/cuda_vectors", "shares no index function");
    drawing_refused("banks access/cuda_shared --problem offset", "is not for the problem 'offset'");
    drawing_refused("banks access/cuda_simple --problem gather", "shares no index function");
}

GROUP(enter_folder_with_cache, remove_folder)
