#version 120
// SPDX-License-Identifier: MIT
// Writes a different number into each texel, negative and far above 1 in magnitude, so that clamping shows.
void main()
{
    gl_FragColor = vec4(-1.25 * (gl_FragCoord.x + 100.0 * gl_FragCoord.y));
}
