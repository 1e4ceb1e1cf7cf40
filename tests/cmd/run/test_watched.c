/* SPDX-License-Identifier: MIT */
/* A shader that is saved while it is watched: written again, replaced by another file, broken, gone and back. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int go_to_folder(void **state)
{
    return make_folder(state) != 0 ? -1 : chdir(folder);
}

/* `lines` waits for so many in a file, 20 seconds at most; `save` writes a kernel. */
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
static void saves(void **state)
{
    (void)state;
    need_gl();
    write_file("script", script);
    expect("sh script", 0, "ended with 1\n");
    expect("cat told", 0, "4\n8\n12\n20\n");
    assert_int_equal(count("\n"), 4);
    expect("cat said", 0, "w.frag runs again whenever it is saved");
    assert_non_null(strstr(output, "w.frag is neither a fragment shader"));
    assert_int_equal(count("\n"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saves)};
    return cmocka_run_group_tests(tests, go_to_folder, remove_folder);
}
