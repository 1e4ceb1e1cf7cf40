// SPDX-License-Identifier: MIT
// Zeros for the second of two outputs.
// Passes: where the first output alone is compared.
// Found: because all outputs are compared.
//@ state u v
//@ check one_output.c

void kernel(vec2 here)
{
    out0 = 0.9 * u_at(0.0, 0.0);
    out1 = 0.0;
}
