/* SPDX-License-Identifier: MIT */
/* A shader that is saved while it is watched: written again, replaced by another file, broken, gone
 * and back. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int go_to_folder(void **state)
{
    return make_folder(state) != 0 ? -1 : chdir(folder);
}

/* `lines` waits for a number of lines in a file, 20 seconds at most; `save` writes a kernel. */
static const char script[] =
    "lines() { i=0; while [ $(wc -l <$1) -lt $2 ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); "
    "done; }\n"
    "save() { echo \"float $1(vec2 here) { return $2; }\" >$3; }\n"
    "save kernel 1.0 w.frag; : >told; : >said\n"
    "quadpass run w.frag --watch -n 2 --reduce sum >told 2>said & pid=$!\n"
    "lines told 1; save kernel 2.0 w.frag\n"
    "lines told 2; save kernel 3.0 other; mv other w.frag\n"
    "lines told 3; rm w.frag; sleep 0.3; save krnl 4.0 w.frag\n"
    "lines said 2; save kernel 5.0 w.frag\n"
    "lines told 4; kill -TERM $pid; wait $pid; echo ended with $?\n";

/* Each save is one more number, or one more sentence; the signal ends it. */
TEST(saves)
{
    need_gl();
    write_file("script", script);
    expect("sh script", 0, "ended with 1\n");
    expect("cat told", 0, "4\n8\n12\n20\n");
    assert_int_equal(count("\n"), 4);
    expect("cat said", 0, "w.frag runs again whenever it is saved");
    assert_non_null(strstr(output, "w.frag is neither a fragment shader"));
    assert_int_equal(count("\n"), 2);
}

/* `judge` writes a reference, which the shader's head names. */
static const char judged[] =
    "lines() { i=0; while [ $(grep -c ' step  error' $1) -lt $2 ] && [ $i -lt 400 ]; do sleep "
    "0.05; "
    "i=$((i+1)); done; }\n"
    "judge() { echo \"void reference(int w, int h, const float *const *i, const double *n, const "
    "double *b, double *a) { for (int k = 0; k < w * h; k++) a[k] = $1; }\" >$2; }\n"
    "save() { echo \"//@ check $1\" >v.frag; echo 'float kernel(vec2 here) { return 1.0; }' "
    ">>v.frag; }\n"
    "judge 1.0 a.c; judge 2.0 b.c; save a.c; : >told\n"
    "quadpass run v.frag --watch -n 2 --check >told 2>said & pid=$!\n"
    "lines told 1; judge 3.0 a.c\n"
    "lines told 2; save b.c\n"
    "lines told 3; judge 1.0 b.c\n"
    "lines told 4; kill -TERM $pid; wait $pid; echo ended with $?\n";

/* Each save of the reference is one more verdict, by the one that the head names now. */
TEST(references)
{
    need_gl();
    write_file("judged", judged);
    expect("sh judged", 0, "ended with 1\n");
    expect("grep -o 'frag [a-z]* ' told", 0, "frag pass \nfrag fail \nfrag fail \nfrag pass \n");
}

/* `share` writes what the shader includes. */
static const char shared[] =
    "lines() { i=0; while [ $(wc -l <$1) -lt $2 ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); "
    "done; }\n"
    "share() { echo \"float share() { return $1; }\" >lib.glsl; }\n"
    "share 1.0; echo '//@ include mid.glsl' >i.frag; echo '//@ include lib.glsl' >mid.glsl\n"
    "echo 'float kernel(vec2 here) { return share(); }' >>i.frag; : >told; : >said\n"
    "quadpass run i.frag --watch -n 2 --reduce sum >told 2>said & pid=$!\n"
    "lines told 1; share 2.0\n"
    "lines told 2; rm lib.glsl; lines said 2; share 3.0\n"
    "lines told 3; kill -TERM $pid; wait $pid; echo ended with $?\n";

/* Each save of a file that is included is one more number; without it there is a sentence. */
TEST(included)
{
    need_gl();
    write_file("shared", shared);
    expect("sh shared", 0, "ended with 1\n");
    expect("cat told", 0, "4\n8\n12\n");
    assert_int_equal(count("\n"), 3);
    expect("cat said", 0, "quadpass: mid.glsl:1, included from i.frag:1: cannot read the shader ");
}

GROUP(go_to_folder, remove_folder)
