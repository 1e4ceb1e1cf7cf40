/* SPDX-License-Identifier: MIT */
/* The memory that a start asks for. */
#include "support/shell.h"

#include <unistd.h>

/* The heap of a command asks for large pages; one that waits for its right-hand side is looked
 * at. */
TEST(large_pages)
{
#ifdef __SANITIZE_ADDRESS__
    skip(); /* the sanitizer has a heap of its own */
#endif
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
        skip(); /* a kernel without them */
    expect("cd \"$(mktemp -d)\" && mkfifo b.npy && { env -u GLIBC_TUNABLES quadpass solve " GR
           " b.npy >said.txt 2>&1 & exec 3>b.npy; sed -n '/heap/,/VmFlags/p' /proc/$!/smaps; exec "
           "3>&-; wait $!; } ; rm -r \"$PWD\"",
           0, "VmFlags:");
    int asking = count(" hg ");
    assert_true(asking > 0);
}

GROUP(make_folder, remove_folder)
