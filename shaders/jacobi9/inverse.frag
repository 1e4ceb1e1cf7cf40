#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The diagonal comes inverted, so that no fragment divides by it.
// After paper 1, 'Substantial performance improvement ...': written by us from the text; its Cg
// program is not printed. Changed: a weight.
uniform sampler2DRect x;
uniform sampler2DRect band_ll, band_ld, band_lu;
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform sampler2DRect band_dd, inverse_dd;
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 size;   // texels of the domain, across and up
uniform float weight;

// floor(a / b) of whole numbers, however it is rounded; as in generic.frag.
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

    float old = texture2DRect(x, here).x;
    float sum = texture2DRect(band_dd, here).x * old
              + texture2DRect(band_ll, here).x * texture2DRect(x, left - up).x
              + texture2DRect(band_ld, here).x * texture2DRect(x, here - up).x
              + texture2DRect(band_lu, here).x * texture2DRect(x, right - up).x
              + texture2DRect(band_dl, here).x * texture2DRect(x, left).x
              + texture2DRect(band_du, here).x * texture2DRect(x, right).x
              + texture2DRect(band_ul, here).x * texture2DRect(x, left + up).x
              + texture2DRect(band_ud, here).x * texture2DRect(x, here + up).x
              + texture2DRect(band_uu, here).x * texture2DRect(x, right + up).x;
    float rest = texture2DRect(rhs, here).x - sum;
    gl_FragColor = vec4(old + weight * rest * texture2DRect(inverse_dd, here).x);
}
