#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Both matrices begin at the same texel of their textures, as far from the left as from the bottom.
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_FragCoord.yx);
}
