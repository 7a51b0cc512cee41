/* SPDX-License-Identifier: BSD-3-Clause
 * Size distributions: what is drawn against the distribution that was asked for, moments against
 * closed forms, wrong values. Seeds are fixed. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>

#include "input_expect.h"
#include "scree/alloc.h"
#include "scree/sizes.h"

enum { N = 40000 };

static bool read_sizes(struct scree_sizes *sizes, struct scree_input **input, const char *text,
                       bool disks)
{
    *input = input_of(text);
    const struct scree_node *root = scree_input_root(*input);
    scree_node_mark_used(root);
    bool good = scree_sizes_read(sizes, *input, scree_node_find(root, "radius"), disks);
    scree_input_finish(*input);
    return good;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Drawn radii in rising order, to be freed. */
static double *drawn(const struct scree_sizes *sizes)
{
    double *r = malloc(N * sizeof *r);
    for (int k = 0; k < N; k++) {
        r[k] = scree_sizes_draw(sizes, 5, k + 1);
        cr_assert(r[k] >= sizes->low && r[k] <= sizes->high, "%.17g is outside", r[k]);
    }
    qsort(r, N, sizeof *r, compare);
    return r;
}

typedef double cumulative(double r);

/* Kolmogorov and Smirnov: sqrt(N) times the largest distance is above 1.95 once in a thousand. */
static void expect_distribution(const char *text, bool disks, cumulative *by_number, double mean,
                                double by_volume)
{
    struct scree_sizes sizes;
    struct scree_input *input;
    cr_assert(read_sizes(&sizes, &input, text, disks), "%s", text);
    double *r = drawn(&sizes), worst = 0.0, sum[3] = {0};
    int power = disks ? 2 : 3;
    for (int k = 0; k < N; k++) {
        double f = by_number(r[k]);
        worst = fmax(worst, fmax(fabs(f - (double)k / N), fabs((double)(k + 1) / N - f)));
        sum[0] += r[k];
        sum[1] += pow(r[k], power);
        sum[2] += pow(r[k], power + 1);
    }
    cr_expect_lt(worst * sqrt((double)N), 1.95, "%s: distance %g", text, worst);
    double moment = scree_sizes_moment(&sizes, 1);
    double ratio = scree_sizes_moment(&sizes, power + 1) / scree_sizes_moment(&sizes, power);
    cr_expect_float_eq(moment / mean, 1.0, 1e-12, "%s: mean %.15g", text, moment);
    cr_expect_float_eq(ratio / by_volume, 1.0, 1e-12, "%s: by volume %.15g", text, ratio);
    cr_expect_float_eq(sum[0] / N / mean, 1.0, 0.01, "%s: drawn %g", text, sum[0] / N);
    cr_expect_float_eq(sum[2] / sum[1] / by_volume, 1.0, 0.02, "%s: drawn %g", text,
                       sum[2] / sum[1]);
    cr_expect_float_eq(scree_sizes_moment(&sizes, 0), 1.0, 1e-13);
    free(r);
    scree_sizes_clear(&sizes);
    scree_input_destroy(&input);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

static double uniform_cumulative(double r)
{
    return r - 1.0;
}

/* Density r^-3 between 1 and 2. */
static double volume_cumulative(double r)
{
    return (1.0 - 1.0 / (r * r)) / 0.75;
}

static double area_cumulative(double r) /* density r^-2 */
{
    return 2.0 * (1.0 - 1.0 / r);
}

static double inverse_cumulative(double r) /* density 1/r */
{
    return log2(r);
}

Test(sizes, uniform)
{
    /* Means of r: 3/2; of r^4 over r^3: (31/5) / (15/4). */
    expect_distribution("radius: {uniform: [1, 2]}", false, uniform_cumulative, 1.5,
                        31.0 / 5.0 / (15.0 / 4.0));
    /* A constant density of the volume has its mean in the middle. */
    expect_distribution("radius: {uniform: {range: [1, 2], by: volume}}", false, volume_cumulative,
                        4.0 / 3.0, 1.5);
    expect_distribution("radius: {uniform: {range: [1, 2], by: volume}}", true, area_cumulative,
                        2.0 * log(2.0), 1.5);
}

Test(sizes, power)
{
    expect_distribution("radius: {power: {low: 1, high: 2, exponent: 1}}", false,
                        inverse_cumulative, 1.0 / log(2.0), 3.75 / (7.0 / 3.0));
    expect_distribution("radius: {power: {low: 1, high: 2, exponent: -2, by: volume}}", false,
                        inverse_cumulative, 1.0 / log(2.0), 3.75 / (7.0 / 3.0));
    expect_distribution("radius: {power: {low: 1, high: 2, exponent: 3}}", false, volume_cumulative,
                        4.0 / 3.0, 1.5);
}

/* ln r of mean 0 and deviation 0.5, cut at -1 and 1, that is at two deviations. */
static double lognormal_cumulative(double r)
{
    double low = 0.5 * erfc(sqrt(2.0)), z = log(r) / 0.5;
    return (0.5 * erfc(-z * sqrt(0.5)) - low) / (1.0 - 2.0 * low);
}

/* The same by volume with a median of exp(3/4): Hatch and Choate. */
Test(sizes, lognormal)
{
    double share = 1.0 - erfc(sqrt(2.0)), part[5];
    for (int k = 0; k < 5; k++) { /* share between the cut-offs seen from k sigma away */
        double low = (-2.0 - 0.5 * k) * sqrt(0.5), high = (2.0 - 0.5 * k) * sqrt(0.5);
        part[k] = 0.5 * (erf(high) - erf(low)) / share;
    }
    double mean = exp(0.125) * part[1], by_volume = exp(0.125 * 7) * part[4] / part[3];
    const char *cut = "low: 0.36787944117144233, high: 2.718281828459045";
    char text[200];
    snprintf(text, sizeof text, "radius: {lognormal: {median: 1, sigma: 0.5, %s}}", cut);
    expect_distribution(text, false, lognormal_cumulative, mean, by_volume);
    snprintf(text, sizeof text,
             "radius: {lognormal: {median: 2.117000016612675, sigma: 0.5, by: volume, %s}}", cut);
    expect_distribution(text, false, lognormal_cumulative, mean, by_volume);
}

static double table_cumulative(double r) /* 0.25 between 1 and 1.5, 0.75 between 1.5 and 2 */
{
    return r < 1.5 ? 0.5 * (r - 1.0) : 0.25 + 1.5 * (r - 1.5);
}

Test(sizes, table)
{
    double m3 = 0.5 * (pow(1.5, 4) - 1) / 4 + 1.5 * (16 - pow(1.5, 4)) / 4;
    double m4 = 0.5 * (pow(1.5, 5) - 1) / 5 + 1.5 * (32 - pow(1.5, 5)) / 5;
    expect_distribution("radius: {table: [[1, 0], [1.5, 25], [2, 100]]}", false, table_cumulative,
                        0.25 * 1.25 + 0.75 * 1.75, m4 / m3);
    expect_distribution("radius: {table: {rows: [[1, 0], [2, 1]], by: volume}}", false,
                        volume_cumulative, 4.0 / 3.0, 1.5);
}

/* A sieve curve by volume: the drawn grains must have it. */
Test(sizes, sieve_curve)
{
    static const double bound[] = {0.1, 0.2, 0.3, 0.6}, share[] = {0.2, 0.5, 0.3};
    struct scree_sizes sizes;
    struct scree_input *input;
    cr_assert(read_sizes(&sizes, &input,
                         "radius: {table: {rows: [[0.1 mm, 0], [0.2 mm, 0.2], [0.3 mm, 0.7], "
                         "[0.6 mm, 1]], by: volume}}",
                         false));
    double *r = drawn(&sizes), volume[3] = {0}, sum = 0.0;
    for (int k = 0; k < N; k++) {
        double mm = r[k] * 1e3;
        volume[mm < bound[1] ? 0 : mm < bound[2] ? 1 : 2] += mm * mm * mm;
        sum += mm * mm * mm;
    }
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(volume[k] / sum, share[k], 0.02, "sieve %d: %g", k, volume[k] / sum);
    free(r);
    scree_sizes_clear(&sizes);
    scree_input_destroy(&input);
}

static void expect_shares(const char *text, bool disks, double large_share)
{
    struct scree_sizes sizes;
    struct scree_input *input;
    cr_assert(read_sizes(&sizes, &input, text, disks), "%s", text);
    double *r = drawn(&sizes), n_large = 0.0;
    for (int k = 0; k < N; k++) {
        cr_assert(r[k] == 1.0 || r[k] == 2.0, "%g", r[k]);
        n_large += r[k] == 2.0;
    }
    double deviation = sqrt(large_share * (1.0 - large_share) / N);
    cr_expect_leq(fabs(n_large / N - large_share), 4.0 * deviation, "%s: %g", text, n_large / N);
    cr_expect_float_eq(scree_sizes_moment(&sizes, 1), 1.0 + large_share, 1e-13);
    free(r);
    scree_sizes_clear(&sizes);
    scree_input_destroy(&input);
}

Test(sizes, bidisperse)
{
    expect_shares("radius: {bidisperse: {small: 1, large: 2, share: 0.3}}", false, 0.3);
    /* Half of the volume each: eight small spheres for a large one, four small disks. */
    expect_shares("radius: {bidisperse: {small: 1, large: 2, by: volume}}", false, 1.0 / 9.0);
    expect_shares("radius: {bidisperse: {small: 1, large: 2, by: volume}}", true, 1.0 / 5.0);
    expect_shares("radius: {bidisperse: {small: 1, large: 2, share: 0}}", false, 0.0);
    expect_shares("radius: {table: [[1, 0], [1, 0.7], [2, 0.7], [2, 1]]}", false, 0.3);
}

Test(sizes, depend_on_seed_and_gid_alone)
{
    struct scree_sizes sizes;
    struct scree_input *input;
    cr_assert(read_sizes(&sizes, &input, "radius: {lognormal: {median: 1 mm, sigma: 0.3}}", false));
    cr_expect_eq(scree_sizes_draw(&sizes, 1, 7), scree_sizes_draw(&sizes, 1, 7));
    cr_expect_neq(scree_sizes_draw(&sizes, 1, 7), scree_sizes_draw(&sizes, 1, 8));
    cr_expect_neq(scree_sizes_draw(&sizes, 1, 7), scree_sizes_draw(&sizes, 2, 7));
    scree_sizes_clear(&sizes);
    scree_input_destroy(&input);
}

Test(sizes, one_size)
{
    struct scree_sizes sizes;
    struct scree_input *input;
    cr_assert(read_sizes(&sizes, &input, "radius: 0.3 mm", false));
    cr_expect_eq(scree_sizes_draw(&sizes, 1, 7), 3e-4);
    cr_expect_float_eq(scree_sizes_moment(&sizes, 3) / 2.7e-11, 1.0, 1e-14);
    scree_sizes_clear(&sizes);
    scree_input_destroy(&input);
}

static void expect_mistake(const char *text, const char *mistakes)
{
    struct scree_sizes sizes;
    struct scree_input *input;
    cr_expect_not(read_sizes(&sizes, &input, text, false), "%s", text);
    input_expect_errors(input, mistakes);
    scree_sizes_clear(&sizes);
    scree_input_destroy(&input);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

Test(sizes, mistakes)
{
    expect_mistake("radius: {unifrom: [1, 2]}",
                   "f.yaml:1:19: unknown size distribution 'unifrom'; did you mean 'uniform'?\n");
    expect_mistake("radius: {uniform: 3}",
                   "f.yaml:1:19: radius: 'uniform' wants a list [smallest, largest]\n");
    expect_mistake("radius: {bidisperse: {small: 2, large: 1}}",
                   "f.yaml:1:30: radius: smallest 2 m is larger than largest 1 m\n");
    expect_mistake("radius: {bidisperse: {small: 1, large: 2, share: 1.5}}",
                   "f.yaml:1:50: radius: 'share' is 1.5, allowed 0 to 1\n");
    expect_mistake(
        "radius: {lognormal: {median: 1, sigma: 0.1, low: 2, high: 3}}",
        "f.yaml:1:21: radius: only 2.1e-12 of the grains of this lognormal distribution, by "
        "number, are between 2 m and 3 m; move the cut-offs\n");
    expect_mistake("radius: {table: [[1, 0], [2, 0.5], [1.5, 1]]}",
                   "f.yaml:1:36: radius: radii of 'table' must rise, not 2 m to 1.5 m\n");
    expect_mistake("radius: {table: [[1, 0.2], [2, 1]]}",
                   "f.yaml:1:18: radius: shares of 'table' must rise from 0, not 0 to 0.2\n");
    expect_mistake("radius: {table: [[1, 0]]}",
                   "f.yaml:1:17: radius: 'table' holds no grains; it wants rows [[radius, share of "
                   "grains up to it], ...]; shares rise from 0, to 1 or 100 or any total\n");
    expect_mistake("radius: [1, 2]",
                   "f.yaml:1:9: radius: expected one radius or one distribution, such as {uniform: "
                   "[0.4 mm, 0.6 mm]}\n");
}
