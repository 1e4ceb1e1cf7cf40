// SPDX-License-Identifier: MIT
// A right step of heat, for cheats that are right where they are looked at.
float heat()
{
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return old + 0.2 * (around - 4.0 * old);
}
