#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Four systems; last of three passes: on the right line each right neighbour is the first cell of the row above.
// After paper 1, 'Multipass rendering ...', four systems: written by us from the text; its Cg
// program is not printed. Changed: a weight.
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

    vec4 old = texture2DRect(x, here);
    vec4 sum = texture2DRect(band_dd, here) * old
              + texture2DRect(band_ll, here) * texture2DRect(x, left - up)
              + texture2DRect(band_ld, here) * texture2DRect(x, here - up)
              + texture2DRect(band_lu, here) * texture2DRect(x, right - up)
              + texture2DRect(band_dl, here) * texture2DRect(x, left)
              + texture2DRect(band_du, here) * texture2DRect(x, right)
              + texture2DRect(band_ul, here) * texture2DRect(x, left + up)
              + texture2DRect(band_ud, here) * texture2DRect(x, here + up)
              + texture2DRect(band_uu, here) * texture2DRect(x, right + up);
    vec4 rest = texture2DRect(rhs, here) - sum;
    gl_FragColor = old + weight * rest * texture2DRect(inverse_dd, here);
}
