#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A matrix is read down its columns; it has as many columns as the parameter says. Cells that fill no
// row of the matrix stay where they are.
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
    float from = here.y * cells.x + here.x;
    float rows = quotient(cells.x * cells.y, parameter);
    float column = quotient(from, max(rows, 1.0));
    if (rows > 0.0 && column < parameter)
        from = (from - column * rows) * parameter + column;
    float row = quotient(from, cells.x);
    gl_FragColor = vec4(texture2DRect(x, origin + vec2(from - row * cells.x, row) + 0.5).x);
}
