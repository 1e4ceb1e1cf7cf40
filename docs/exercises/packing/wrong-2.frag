// SPDX-License-Identifier: MIT
// Mean of the four neighbours, four cells in a texel: texel 2 of a row holds its cells 8 to 11.
// Known: the four numbers are turned in a ring, as if a row had four cells
//@ input x=cells.npy
//@ check reference.c

#version 120
#extension GL_ARB_texture_rectangle : require
uniform sampler2DRect x;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec4 own = texture2DRect(x, here);
    vec4 below = texture2DRect(x, here + vec2(0.0, -1.0));
    vec4 above = texture2DRect(x, here + vec2(0.0, 1.0));
    vec4 west = own.argb;
    vec4 east = own.gbar;
    gl_FragColor = 0.25 * (west + east + below + above);
}
