#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// rowop.frag on all rows at once: row k, which is subtracted from the others, is left as it is.
// Translated by us from 'rowop' of paper 2, section 'The algorithm', with the line that discards.
// The paper names no language; it is Cg by float2, WPOS and f1texRECT. Changed: four values.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    if (gl_FragCoord.y == k.y)
        discard;
    vec4 factor = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    vec4 above = texture2DRect(a, vec2(gl_FragCoord.x, k.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
