#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A quad for the whole grid. Every fragment finds its neighbours by algebra, because the vector
// wraps: the left neighbour of a row's first cell is the last cell of the row below. 12 fetches: 9 of x, 3 of bands.
// After paper 1, 'Mapping the CPU implementation to the GPU'. Translated by us from Cg: its
// wrapping of left and right, the one snippet it prints; the rest is written from its text.
// Changed: a remainder that corrects floor(), a weight.
uniform sampler2DRect x;
uniform sampler2DRect bands_below;  // LL LD LU
uniform sampler2DRect bands_beside; // DL DD DU b
uniform sampler2DRect bands_above;  // UL UD UU
uniform vec2 origin;                // corner of the domain, in texels
uniform vec2 size;                  // texels of the domain, across and up
uniform float weight;

// floor(a / b) of whole numbers. A division that is not rounded correctly may miss by one, however small its
// error; the remainder is exact, and shows it.
float quotient(float a, float b)
{
    float whole = floor(a / b);
    float rest = a - b * whole;
    return whole + (rest < 0.0 ? -1.0 : rest < b ? 0.0 : 1.0);
}

// The texel of the cell `step` further along the vector.
vec2 along(vec2 here, float step)
{
    vec2 cell = here - origin - 0.5;
    float z = cell.y * size.x + cell.x + step;
    float row = quotient(z, size.x);
    return vec2(z - size.x * row, row) + origin + 0.5;
}

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 left = along(here, -1.0);
    vec2 right = along(here, 1.0);
    vec2 up = vec2(0.0, 1.0);

    vec4 below = texture2DRect(bands_below, here);
    vec4 beside = texture2DRect(bands_beside, here);
    vec4 above = texture2DRect(bands_above, here);

    float old = texture2DRect(x, here).x;
    float sum = beside.g * old
              + below.r * texture2DRect(x, left - up).x
              + below.g * texture2DRect(x, here - up).x
              + below.b * texture2DRect(x, right - up).x
              + beside.r * texture2DRect(x, left).x
              + beside.b * texture2DRect(x, right).x
              + above.r * texture2DRect(x, left + up).x
              + above.g * texture2DRect(x, here + up).x
              + above.b * texture2DRect(x, right + up).x;
    gl_FragColor = vec4(old + weight * (beside.a - sum) / beside.g);
}
