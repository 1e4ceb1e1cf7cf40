#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// symmetric.frag without padding around the bands: a band that is stored with another cell is read only
// if the grid has that cell.
// After paper 3, section 8, which prints no program (its shaders are GLSL).
uniform sampler2DRect x;
uniform sampler2DRect band_dd, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform vec2 origin; // corner of the domain, in texels
uniform vec2 size;   // texels of the domain, across and up
uniform float weight;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 cell = here - origin;
    vec2 ll = here + vec2(-1.0, -1.0);
    vec2 ld = here + vec2(0.0, -1.0);
    vec2 lu = here + vec2(1.0, -1.0);
    vec2 dl = here + vec2(-1.0, 0.0);
    float old = texture2DRect(x, here).x;
    float sum = texture2DRect(band_du, here).x * texture2DRect(x, here + vec2(1.0, 0.0)).x
              + texture2DRect(band_ul, here).x * texture2DRect(x, here + vec2(-1.0, 1.0)).x
              + texture2DRect(band_ud, here).x * texture2DRect(x, here + vec2(0.0, 1.0)).x
              + texture2DRect(band_uu, here).x * texture2DRect(x, here + vec2(1.0, 1.0)).x;
    if (cell.x > 1.0)
        sum += texture2DRect(band_du, dl).x * texture2DRect(x, dl).x;
    if (cell.y > 1.0) {
        sum += texture2DRect(band_ud, ld).x * texture2DRect(x, ld).x;
        if (cell.x > 1.0)
            sum += texture2DRect(band_uu, ll).x * texture2DRect(x, ll).x;
        if (cell.x < size.x - 1.0)
            sum += texture2DRect(band_ul, lu).x * texture2DRect(x, lu).x;
    }
    float rest = texture2DRect(rhs, here).x - sum;
    gl_FragColor = vec4((1.0 - weight) * old + weight * rest / texture2DRect(band_dd, here).x);
}
