#version 120
// SPDX-License-Identifier: MIT
// Vertices and fill rate alone: nothing is fetched and nothing computed.
// After paper 2, 'Block processing', the column noop; the paper prints no program of it.
void main()
{
    gl_FragColor = vec4(1.0);
}
