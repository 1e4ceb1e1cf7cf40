#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Row k divided by its element k.
// Translated by us from the program 'divide' of paper 2, section 'The algorithm'. The paper names
// no language; it is Cg by float2, WPOS and f1texRECT. Changed: four values.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    vec4 pivot = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) / pivot;
}
