// SPDX-License-Identifier: MIT
// Two chemicals, by Gray and Scott: two v and a u become three v; u is fed, v is taken out.
//     quadpass run demos/shaders/gray_scott.frag --set feed=0.03 --set kill=0.062 --picture spots.png
//@ state v u
//@ input v=(hypot(x - 26, y - 32) < 5 || hypot(x - 55, y - 50) < 6 ? 0.25 : 0)
//@ input u=(hypot(x - 26, y - 32) < 5 || hypot(x - 55, y - 50) < 6 ? 0.5 : 1)
//@ outside wrap
//@ set feed=0.037
//@ set kill=0.06
//@ size 80x80
//@ steps 2500
//@ check gray_scott.c

void kernel(vec2 here)
{
    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0), reaction = u * v * v;
    float flow_u = u_at(-1.0, 0.0) + u_at(1.0, 0.0) + u_at(0.0, -1.0) + u_at(0.0, 1.0) - 4.0 * u;
    float flow_v = v_at(-1.0, 0.0) + v_at(1.0, 0.0) + v_at(0.0, -1.0) + v_at(0.0, 1.0) - 4.0 * v;
    out0 = v + 0.08 * flow_v + reaction - (feed + kill) * v;
    out1 = u + 0.16 * flow_u - reaction + feed * (1.0 - u);
}
