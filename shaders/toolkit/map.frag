// SPDX-License-Identifier: MIT
// Appended to a program's own function: its values, for a reduction.
float kernel(vec2 here)
{
    return map(here);
}
