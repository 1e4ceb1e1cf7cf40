/* SPDX-License-Identifier: MIT */
#include "support/once.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int compile_once(const char *folder)
{
    const char *compiler = getenv("CC");
    char link[256], made[256];
    snprintf(link, sizeof link, "%s/.cc", folder); /* blanks would end the compiler's name */
    snprintf(made, sizeof made, "%s/.made", folder);
    if (symlink(QP_BUILD_DIR "/tests/support/once_cc", link) != 0 || mkdir(made, 0700) != 0)
        return -1;
    setenv("COMPILER", compiler != NULL ? compiler : "cc", 1);
    setenv("COMPILED", made, 1);
    return setenv("CC", link, 1);
}
