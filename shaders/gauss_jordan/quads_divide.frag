#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// divide.frag where row k is a square of texels.
uniform sampler2DRect a;
uniform vec2 k; // where element (k, k) stands

void main()
{
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) / texture2DRect(a, k);
}
