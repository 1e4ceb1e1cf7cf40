#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A row less its element in column k times row k, which is divided already.
// Translated by us from the program 'rowop' of paper 2, section 'The algorithm'. The paper names no
// language; it is Cg by float2, WPOS and f1texRECT. Changed: four values, and no separate product.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    vec4 factor = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    vec4 above = texture2DRect(a, vec2(gl_FragCoord.x, k.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
