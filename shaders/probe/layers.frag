#version 120
// SPDX-License-Identifier: MIT
// Writes the value of coordinates.frag less a constant into one layer, and the constant into the lowest row
// of another: -125 times half a texel.
void main()
{
    gl_FragData[0] = vec4(-1.25 * (gl_FragCoord.x + 100.0 * gl_FragCoord.y) + 62.5);
    gl_FragData[1] = vec4(-125.0 * gl_FragCoord.y);
}
