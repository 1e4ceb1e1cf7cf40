/* SPDX-License-Identifier: MIT */
/* The demonstration, small but with all variants: it ends well, and tells variants that are wrong
 * from good ones. */
#include "support/shell.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

/* The greatest difference of two pictures of one size, in levels of 256, in their upper three
 * quarters, which the bar of colours does not reach; of one from its own first pixel where the
 * second has no name. */
static int differ(const char *name, const char *other)
{
    const char *const names[] = {name, other};
    png_image image[2];
    unsigned char *pixels[2] = {NULL, NULL};
    char path[256];
    int most = 0;
    for (int i = 0; i < 2 && names[i] != NULL; i++) {
        image[i] = (png_image){.version = PNG_IMAGE_VERSION};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_true(png_image_begin_read_from_file(&image[i], path));
        image[i].format = PNG_FORMAT_RGB;
        pixels[i] = malloc(PNG_IMAGE_SIZE(image[i]));
        assert_true(png_image_finish_read(&image[i], NULL, pixels[i], 0, NULL));
        assert_true(image[i].width == image[0].width && image[i].height == image[0].height);
    }
    for (size_t k = 0; k < PNG_IMAGE_SIZE(image[0]) / 4 * 3; k++) {
        const int away = abs(pixels[0][k] - (other != NULL ? pixels[1][k] : pixels[0][k % 3]));
        most = away > most ? away : most;
    }
    free(pixels[0]);
    free(pixels[1]);
    return most;
}

/* With --all, small: each takes its steps and solves a small system of GR_30_30's form. With
 * records on standard output the story is told on the other stream; tests/cmd/test_printed.c has it
 * where it stands alone. */
TEST(demo_ends_well)
{
    if (!support_takes_long())
        skip();
    need_gl();
    assert_int_equal(run("--version; rm -f *.png"), 0);
    write_small_data();
    int code = run("demo --all small . --size 32 --iterations 5 --csv - 2>story");
    if (code != 0)
        print_error("%s", output);
    assert_int_equal(code, 0);
    assert_int_equal(strncmp(output, "variant,backend,", 16), 0);
    assert_null(strstr(output, " passed, "));
    assert_int_equal(run("--version && tail -n 1 story | grep ' passed, 0 failed, '"), 0);
    assert_int_equal(run("--version; cat story"), 0);
    assert_non_null(strstr(output, " passed, 0 failed, "));
    assert_non_null(strstr(output, "*\n"));
    assert_non_null(strstr(output, "./gr_30_30.png: the solution of GR_30_30"));
    assert_int_equal(count(", violet "), 3);
    assert_non_null(strstr(output, "vertex_systems beside vertex"));
    assert_non_null(strstr(output, "elimination of 32 unknowns"));
    assert_non_null(strstr(output, "x1.23 to x1.29\n"));
    assert_non_null(strstr(output, "branched: refuses, as it should: stage 7"));
    assert_non_null(strstr(output, "gauss_jordan/pivoted: pass, error "));
    assert_true(differ("bidomain.png", NULL) > 100);
}

/* The three stories, and the command that they name to go on with. */
TEST(stories_end_well)
{
    need_gl();
    write_small_data();
    assert_int_equal(run("--version; rm -f *.png; ln -s " QP_SOURCE_DIR "/demos ."), 0);
    assert_int_equal(run("demo small . --size 32 --iterations 5 >story"), 0);
    assert_true(differ("bidomain.png", NULL) > 100 && differ("spike.png", NULL) > 100);
    /* the same system, solved once more */
    assert_int_equal(run("--version; (echo '%%MatrixMarket matrix array real general'; echo 100 1; "
                         "yes 1 | head -n 100) >ones.mtx"),
                     0);
    assert_int_equal(run("solve small/gr_30_30.mtx ones.mtx --variant openmp --picture own.png"),
                     0);
    assert_true(differ("gr_30_30.png", "own.png") < 10 && differ("own.png", NULL) > 100);
    assert_int_equal(run("--version && tail -n 1 story | grep ' passed, 0 failed, '"), 0);
    assert_int_equal(run("--version && $(sed -n '/^Next/{n;s/--steps 99/--steps 3/;p}' story)"), 0);
    assert_true(exists("life.png"));
}

/* Stopped, it says so and keeps what is finished. */
TEST(a_signal_ends_the_demo)
{
    need_gl();
    assert_int_equal(run("--version; rm -f *.png"), 0);
    assert_int_equal(run("demo --size 2000 --iterations 1000 & sleep 1; kill $!; wait $!"), 1);
    assert_non_null(strstr(output, "\ninterrupted after 0 of 24 variants\n0 passed, 0 failed, "));
    assert_false(exists("bidomain.png"));
}

/* Files that it cannot read or write are refused at once. */
TEST(demo_looks_first)
{
    need_gl();
    assert_int_equal(run("--version; rm -f *.png; mkdir empty pictures"), 0);
    static const struct {
        const char *arguments, *words;
    } cases[] = {{"demo empty", "empty/gr_30_30.mtx: cannot be opened"},
                 {"demo " QP_SOURCE_DIR "/data nowhere", "nowhere/bidomain.png: cannot be written"},
                 {"demo --json gr_30_30.png", "name one file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].arguments, cases[i].words);
        assert_null(strstr(output, "1. A heart"));
        assert_false(exists("bidomain.png") || exists("gr_30_30.png"));
    }
}

/* Variants that take a zero for a pivot, and one that divides by a wrong one, are told from good
 * ones. Made-up runs show the same in test_demo_told.c. */
TEST(demo_sees_what_is_wrong)
{
    if (!support_takes_long())
        skip();
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p d && cp -r " QP_SOURCE_DIR "/shaders/. d && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(1.0);/' d/gauss_jordan/log.frag && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(0.5);/' "
            "d/gauss_jordan/pivoted_row.frag && sed -i 's/gl_FragColor = .*/}/' "
            "d/jacobi9/luminance.frag"),
        0);
    write_small_data();
    setenv("QUADPASS_SHADER_DIR", "d", 1);
    int code = run("demo --all --size 16 --iterations 1 small . --json d.json");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "branched: fail: "));
    assert_non_null(strstr(output, "gauss_jordan/pivoted: fail: "));
    assert_true(exists("d.json"));
}

GROUP(make_folder_in_haste, remove_folder)
