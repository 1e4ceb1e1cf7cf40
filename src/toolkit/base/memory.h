/* SPDX-License-Identifier: MIT */
/* Memory that this process can count on, asked before much of it is taken. */
#ifndef QP_BASE_MEMORY_H
#define QP_BASE_MEMORY_H

/* Bytes: the least of the machine's memory, the limits of the control groups that this process is
 * in (a container's), and its own limit on address space. Memory that other processes use is not
 * counted. */
double qp_memory_there(void);

/* Returns the same for a request of this size; INFINITY if it is below 16 MiB, as reading the
 * limits would take longer than it. */
double qp_memory_for(double bytes);

/* Bytes: the limit of the control groups alone, read from the files below `root` ("" for the
 * system's own); INFINITY where there is no limit. Both versions of control groups are read. */
double qp_memory_of_groups(const char *root);

#endif
