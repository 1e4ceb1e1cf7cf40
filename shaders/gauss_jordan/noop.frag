#version 120
// SPDX-License-Identifier: MIT
// Vertices and fill rate alone: nothing is fetched and nothing computed.
void main()
{
    gl_FragColor = vec4(1.0);
}
