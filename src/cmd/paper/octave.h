/* SPDX-License-Identifier: MIT */
/* GNU Octave in MATLAB's place, where it is installed. */
#ifndef QP_CMD_PAPER_OCTAVE_H
#define QP_CMD_PAPER_OCTAVE_H

/* Seconds that Octave's A \ b takes in single precision for so many unknowns, by its own clock; NaN if
 * there is no Octave, or it needs more than a minute. */
double octave_solve(int unknowns);

#endif
