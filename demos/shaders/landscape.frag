// SPDX-License-Identifier: MIT
// A landscape in colour, painted layer by layer; gauss.frag and sobel.frag read its picture.
//     quadpass run demos/shaders/landscape.frag -o landscape.png
//@ size 128x88
//@ tolerance 1e-3
//@ check landscape.c

// Height of ridge k, 0 the farthest; its crest has more and finer waves, the nearer it is.
float ridge(float x, float k)
{
    float hills = 0.07 * sin(3.0 * x + 2.0 * k) + 0.03 * sin((5.0 + 3.0 * k) * x + k);
    return 0.55 - 0.13 * k + hills + 0.008 * k * abs(sin((20.0 + 5.0 * k) * x));
}

vec4 kernel(vec2 here)
{
    vec2 p = (here + 0.5) / size.y;
    vec3 colour = mix(vec3(1.0, 0.75, 0.45), vec3(0.2, 0.35, 0.7), 1.5 * p.y - 0.5);
    colour = mix(colour, vec3(1.0, 0.95, 0.7), smoothstep(0.11, 0.1, distance(p, vec2(1.0, 0.66))));
    for (float k = 0.0; k < 4.0; k += 1.0)
        colour = mix(colour, vec3(0.45, 0.5, 0.6) - k * vec3(0.1, 0.08, 0.14),
                     smoothstep(0.0, 0.012, ridge(p.x, k) - p.y));
    return vec4(colour, 1.0);
}
