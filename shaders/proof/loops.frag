// SPDX-License-Identifier: MIT
// Proofs: a loop in a loop, as long as each cell says, and a way out of it.
float kernel(vec2 here)
{
    float n = x_at(0, 0), rounds = 0.0;
    for (int i = 1; i < 1000; i++) {
        if (float(i) > n)
            break;
        for (int k = 0; k < i; k++)
            rounds += 1.0;
    }
    return rounds;
}
