// SPDX-License-Identifier: MIT
// Proofs: a step that moves all values by a cell, and counts itself.
float kernel(vec2 here)
{
    return x_at(-1, 0) + 1.0;
}
