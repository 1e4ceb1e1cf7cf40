// SPDX-License-Identifier: MIT
// Mean of the four neighbours, four cells in a texel: texel 2 of a row holds its cells 8 to 11.
//@ input x=cells.npy
//@ check reference.c

#version 120
#extension GL_ARB_texture_rectangle : require
uniform sampler2DRect x;

void main()
{
    gl_FragColor = texture2DRect(x, gl_FragCoord.xy); // change this
}
