#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Rows 4 Y to 4 Y + 3 are at Y of four sheets: the answer's in a render target each, x's one above the
// other. A fragment reads 4 x 4 values and writes them transposed.
uniform sampler2DRect x;
uniform vec2 size; // texels of the answer's domain in one sheet, across and up; x's has size.x rows, and two of guards

void main()
{
    vec2 here = gl_FragCoord.yx, sheet = vec2(0.0, size.x + 2.0);
    vec4 a = texture2DRect(x, here);
    vec4 b = texture2DRect(x, here + sheet);
    vec4 c = texture2DRect(x, here + 2.0 * sheet);
    vec4 d = texture2DRect(x, here + 3.0 * sheet);
    gl_FragData[0] = vec4(a.r, b.r, c.r, d.r);
    gl_FragData[1] = vec4(a.g, b.g, c.g, d.g);
    gl_FragData[2] = vec4(a.b, b.b, c.b, d.b);
    gl_FragData[3] = vec4(a.a, b.a, c.a, d.a);
}
