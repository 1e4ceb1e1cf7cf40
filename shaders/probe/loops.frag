#version 120
// SPDX-License-Identifier: MIT
// Rounds of a loop: 70000, or as many as the driver lets it have. A compiler does not know how many.
void main()
{
    float rounds = 0.0;
    while (rounds < 140000.0 * gl_FragCoord.x)
        rounds += 1.0;
    gl_FragColor = vec4(rounds);
}
