// SPDX-License-Identifier: MIT
// Appended to a function of a program's own: its values, for a reduction.
float kernel(vec2 here)
{
    return map(here);
}
