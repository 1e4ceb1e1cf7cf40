// SPDX-License-Identifier: MIT
// Proofs: each value times a number.
float kernel(vec2 here)
{
    return factor * x_at(0, 0);
}
