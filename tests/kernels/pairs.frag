// SPDX-License-Identifier: MIT
//@ state p q
//@ set turn=0.6,0.8
// Complex numbers, two values a cell: both states turn, each by the other's array.

void kernel(vec2 here)
{
    vec2 a = p_at(0.0, 0.0), b = q_at(0.0, 0.0);
    out0 = vec2(turn.x * a.x - turn.y * a.y, turn.y * a.x + turn.x * a.y);
    out1 = 0.5 * (b + p_at(1.0, 0.0));
}
