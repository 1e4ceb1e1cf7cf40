/* SPDX-License-Identifier: MIT */
#include "tools/cmd/paper/bench_paper.h"

#include <math.h>
#include <stdio.h>

/* A small system first, so that its libraries are loaded. */
static const char program[] =
    "single([2 1; 1 3]) \\ single([1; 1]); rand(\"seed\", 1); n = %d; "
    "A = rand(n, \"single\") - 0.5 + n * eye(n, \"single\"); b = rand(n, 1, \"single\"); "
    "tic; x = A \\ b; printf(\"%%.6f\\n\", toc)";

double octave_solve(int unknowns)
{
    char script[512], command[768], answer[64] = "";
    double seconds;
    snprintf(script, sizeof script, program, unknowns);
    snprintf(command, sizeof command,
             "timeout --foreground -k 5 60 octave-cli --norc --quiet --eval '%s' 2>/dev/null "
             "</dev/null",
             script);
    FILE *child = popen(command, "r");
    if (child == NULL)
        return NAN;
    if (fgets(answer, sizeof answer, child) == NULL)
        answer[0] = '\0';
    return pclose(child) == 0 && sscanf(answer, "%lf", &seconds) == 1 ? seconds : NAN;
}
