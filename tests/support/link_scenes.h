/* SPDX-License-Identifier: MIT */
/* Work of each process of a run in tests of the link between them. */
#ifndef QP_TESTS_LINK_SCENES_H
#define QP_TESTS_LINK_SCENES_H

/* Seconds without progress after which all end. */
#define LINK_PATIENCE 1.0

/* Plays the scene of this name in all processes. 0, or 1 after a line that says what is not so, or
 * where the link does not open; some scenes are ended before. */
int link_play(const char *name);

#endif
