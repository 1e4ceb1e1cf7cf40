#version 120
// SPDX-License-Identifier: MIT
// Writes the value of coordinates.frag, and in alpha a factor for the blender.
void main()
{
    gl_FragColor = vec4(vec3(-1.25 * (gl_FragCoord.x + 100.0 * gl_FragCoord.y)), -0.5);
}
