/* SPDX-License-Identifier: MIT */
/* The command as a script runs it, in a scratch folder. */
#ifndef QP_TESTS_SHELL_H
#define QP_TESTS_SHELL_H

#include "support/support.h"

#define QUADPASS QP_BUILD_DIR "/quadpass"
#define GR       QP_SOURCE_DIR "/data/gr_30_30.mtx"

/* The folder of this group of tests, and both streams of the last run. */
extern char folder[], output[1 << 18];

/* Group set-up and tear-down. */
int make_folder(void **state);
int remove_folder(void **state);

/* The folder, and for all commands that are started from here on a clock that runs ten times as
 * fast (tests/support/hasty.c), where a test asks for what is run and printed, and not for how
 * long. Not where NVIDIA's driver is: its threads wait for moments that they compute from this
 * clock, by the kernel's. */
int make_folder_in_haste(void **state);

/* Makes a folder and enters it; the user's cache is in there. */
int enter_folder_with_cache(void **state);

/* A shell command with the built quadpass in its path; returns the exit code. */
int shell(const char *command);

/* The same, which must end with this code and print these words. */
void expect(const char *command, int code, const char *words);

/* The same for a script of tools with these arguments, in the folder. Neighbouring calls of one
 * script for several of its lines run it once. */
void expect_tool(const char *script, int code, const char *words);

/* In front of a command: no OpenGL device for it, or none of CUDA's either, and none is asked for.
 * So it starts at once, and variants that need one are skipped on every machine. */
#define NO_GL      "__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null QUADPASS_REQUIRE= QUADPASS_DEVICE= "
#define NO_DEVICES NO_GL "CUDA_VISIBLE_DEVICES= "

/* Runs `quadpass ARGUMENTS` in the folder through a shell, which may add more. QUADPASS_REQUIRE is
 * not for it: the test says by itself what must run. */
int run(const char *arguments);

/* True if the commands draw on llvmpipe. The first call asks one, whose output is the last run's.
 */
bool on_llvmpipe(void);

/* How often the last run said so; and whether it said all of these. */
int count(const char *words);
void must_print(const char *const lines[], int lines_count);

/* Exit code 2, these words, and neither of the output files x.mtx and p.png. */
void assert_refused(const char *arguments, const char *words);

/* Files in the folder: if one exists, and to write one. */
bool exists(const char *name);
void write_file(const char *name, const char *text);

/* Writes `small` there: a folder for the demonstration, whose gr_30_30.mtx is that star on 10 x 10
 * cells, which every variant solves in a tenth of the steps. */
void write_small_data(void);

/* Skips the test where the command finds no OpenGL device, fails it with REQUIRE=gl. It is looked
 * for until it was found once. */
void need_gl(void);

bool ends_with(const char *text, const char *end);

#endif
