#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Last of three passes: on the right line each right neighbour is the first cell of the row above.
// After paper 1, 'Multipass rendering ...': written by us from the text; its Cg program is not
// printed. Changed: a weight.
uniform sampler2DRect x;
uniform sampler2DRect band_ll, band_ld, band_lu;
uniform sampler2DRect band_dl, band_du;
uniform sampler2DRect band_ul, band_ud, band_uu;
uniform sampler2DRect rhs;
uniform sampler2DRect band_dd, inverse_dd;
uniform vec2 size; // texels of the domain, across and up
uniform float weight;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 left = here + vec2(-1.0, 0.0);
    vec2 right = here + vec2(1.0 - size.x, 1.0);
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
