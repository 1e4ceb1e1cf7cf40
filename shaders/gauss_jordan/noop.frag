#version 120
// SPDX-License-Identifier: MIT
// Nothing is fetched and nothing computed: what is left are vertices and fill.
void main()
{
    gl_FragColor = vec4(1.0);
}
