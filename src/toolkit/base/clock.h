/* SPDX-License-Identifier: MIT */
#ifndef QP_BASE_CLOCK_H
#define QP_BASE_CLOCK_H

/* Seconds on a clock that never runs backwards. llvmpipe's GL_TIME_ELAPSED is wrong by an order of
 * magnitude, so every time in Quadpass is this clock around work that was waited for. */
double qp_clock(void);

#endif
