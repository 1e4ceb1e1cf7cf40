// SPDX-License-Identifier: MIT
//@ outside 0.5
//@ set weights=0.1,0.2,0.4,0.2,0.1
vec4 kernel(vec2 here)
{
    vec4 sum = vec4(0.0);
    for (int i = -2; i <= 2; i++)
        sum += weights[i + 2] * x_at(float(i), 0.0);
    return sum;
}
