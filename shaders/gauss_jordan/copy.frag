#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Copies the texel in the same place of another surface.
// Translated by us from the program 'copy' of paper 2, section 'The algorithm'. The paper names no
// language; it is Cg by float2, WPOS and f1texRECT. Changed: four values.
uniform sampler2DRect a;

void main()
{
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy);
}
