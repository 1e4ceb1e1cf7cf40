/* SPDX-License-Identifier: MIT */
/* The command in a process that lives on, so that a driver is loaded once for many calls. */
#ifndef QP_TESTS_ALIVE_H
#define QP_TESTS_ALIVE_H

#define ALIVE "alive" /* a folder in that of the tests (shell.h), which holds the command */

/* Writes alive/quadpass, a script whose words go to the process, and starts it, on llvmpipe. Its
 * answers are those of a command of its own: what is printed, on one stream, and the exit code; 99
 * where the process has ended. */
void start_alive(void);

/* Kills the process, as a driver may that is wrong. */
void kill_alive(void);

/* Returns how the process ended, 0 if well. */
int end_alive(void);

#endif
