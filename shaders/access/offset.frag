#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Cell i becomes cell i + parameter; after the last one comes the first. Textures know no order of
// cells beyond a row, so a shader counts them itself.
uniform sampler2DRect x;
uniform vec2 origin, cells;
uniform float parameter;

// floor(a / b) of whole numbers, however it is rounded; as in jacobi9/generic.frag.
float quotient(float a, float b)
{
    float whole = floor(a / b);
    float rest = a - b * whole;
    return whole + (rest < 0.0 ? -1.0 : rest < b ? 0.0 : 1.0);
}

void main()
{
    vec2 here = floor(gl_FragCoord.xy - origin);
    float count = cells.x * cells.y;
    float from = here.y * cells.x + here.x + parameter;
    from -= count * quotient(from, count);
    float row = quotient(from, cells.x);
    gl_FragColor = vec4(texture2DRect(x, origin + vec2(from - row * cells.x, row) + 0.5).x);
}
