// SPDX-License-Identifier: MIT
// A wave along each row, second half of a step: e from the differences of h.
// Known: this is what comes out if one of the states is not written
//@ state e h

void kernel(vec2 here)
{
    out0 = e_at(0.0, 0.0) + c * (h_at(0.0, 0.0) - h_at(-1.0, 0.0));
}
