/* SPDX-License-Identifier: MIT */
/* How much memory this process can count on, asked before much of it is taken. */
#ifndef QP_BASE_MEMORY_H
#define QP_BASE_MEMORY_H

/* Bytes: the least of the machine's memory, the limits of the control groups that this process is in
 * (a container's), and its own limit on address space. What others use is not counted. */
double qp_memory_there(void);

/* The control groups' part alone, of the files below `root` ("" for those of the system); INFINITY
 * where there is no limit. Both versions of control groups are read. */
double qp_memory_of_groups(const char *root);

#endif
