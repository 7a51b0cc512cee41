/* SPDX-License-Identifier: BSD-3-Clause
 * Fabric, xi-networks and force distributions of contacts that were put there with known directions
 * and forces. */
#include "analysis_test.h"
#include "scree/rng.h"

/* Two grains in contact: normal force `force` N from the second to the first along n, and
 * `tangential` N along t, by the dashpot of 2 kg/s. */
static void put_pair(struct job_grain *grain, const double at[3], const double n[3],
                     const double t[3], double length, double force, double tangential)
{
    double overlap = force / 1000;
    for (int side = 0; side < 2; side++) {
        grain[side] = (struct job_grain){.radius = 0.5 * (length + overlap), .mass = 1};
        for (int a = 0; a < 3; a++) {
            grain[side].pos[a] = at[a] + (side == 0 ? 0.5 : -0.5) * length * n[a];
            grain[side].vel[a] = side == 1 ? tangential / 2 * t[a] : 0.0;
        }
    }
}

enum { FABRIC_CONTACTS, FABRIC_ERROR, A_C, A_L, A_N, A_T, RATIO_BY_A, RATIO, AMPLITUDE };

/* Pairs whose directions, branches and forces have the second harmonics a_c, a_l, a_n, a_t about an
 * axis at 30 degrees to x: phi_1 - phi_2 = a_c/2, and closed forms for what the means of products
 * make of the others. */
static void check_fabric(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ngrains: spheres\ndomain: {low: [0, 0], high: [62, 62]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: 800}}]\n"
        "analysis: [{fabric: {}}, {fabric: {name: along, axis: y}}]\n";
    enum { N = 400 };
    const double a_c = 0.3, a_l = 0.04, a_n = 0.4, a_t = 0.15, force = 5, tilt = acos(-1.0) / 6;
    static struct job_grain grain[2 * N];
    double stress[2][2] = {{0}};
    for (int k = 0; k < N; k++) {
        double share = 2 * acos(-1.0) * (k + 0.5) / N, x = share; /* x + a_c/2 sin 2x = share */
        for (int i = 0; i < 50; i++)
            x -= (x + a_c / 2 * sin(2 * x) - share) / (1 + a_c * cos(2 * x));
        const double n[3] = {cos(x + tilt), sin(x + tilt), 0}, tangent[3] = {-n[1], n[0], 0};
        const double at[3] = {3 * (k % 20) + 1.5, 3 * (k / 20) + 1.5, 0};
        double l = 1 + a_l * cos(2 * x), f_n = force * (1 + a_n * cos(2 * x)),
               f_t = -force * a_t * sin(2 * x);
        put_pair(grain + 2 * k, at, n, tangent, l, f_n, f_t);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) stress[a][b] += l * n[a] * (f_n * n[b] + f_t * tangent[b]);
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, 2 * N)) return;
    double *row = analysis_rows(&job, 0), norm = 1 + a_c * a_n / 2;
    double xx = stress[0][0], yy = stress[1][1], xy = (stress[0][1] + stress[1][0]) / 2;
    JOB_NEAR(t, "contacts", row[FABRIC_CONTACTS], N, 0.0);
    JOB_NEAR(t, "error of a_c", row[FABRIC_ERROR], sqrt(2.0 / N), 1e-15);
    JOB_NEAR(t, "a_c", row[A_C], a_c, 1e-5);
    JOB_NEAR(t, "amplitude", row[AMPLITUDE], a_c, 1e-5);
    JOB_NEAR(t, "a_l", row[A_L], (a_c + a_l) / (1 + a_c * a_l / 2) - a_c, 1e-5);
    JOB_NEAR(t, "a_n", row[A_N], (a_c + a_n) / norm - a_c, 1e-5);
    JOB_NEAR(t, "a_t", row[A_T], a_t / norm, 1e-5);
    JOB_NEAR(t, "expected ratio", row[RATIO_BY_A], (a_c + a_n + a_t) / norm / 2, 1e-5);
    JOB_NEAR(t, "ratio", row[RATIO], hypot(xx - yy, 2 * xy) / (xx + yy), 1e-9);
    double *along = analysis_rows(&job, 1); /* at 60 degrees to the axis */
    JOB_NEAR(t, "a_c along y", along[A_C], -a_c / 2, 1e-5);
    JOB_NEAR(t, "ratio along y", along[RATIO], (yy - xx) / (xx + yy), 1e-9);
    scree_alloc_free(row);
    scree_alloc_free(along);
    scree_job_clear(&job);
}

/* Axial harmonics 1 + a (3 cos^2 - 1) about z. */
static void check_axial_fabric(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [0, 0, 0], high: [31, 31, 31]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: 2000}}]\n"
        "analysis: [{fabric: {}}, {fabric: {name: along, axis: z}}]\n";
    enum { N = 1000 };
    const double a_c = 0.2, a_n = 0.3, a_t = 0.1, force = 5, golden = acos(-1.0) * (3 - sqrt(5.0));
    static struct job_grain grain[2 * N];
    double means[3] = {0}; /* of 3 f cos^2 - f and f; of the sum of 2 f_t sin cos */
    for (int k = 0; k < N; k++) {
        double share = 2 * (k + 0.5) / N - 1, c = share; /* c + a_c (c^3 - c) = share */
        for (int i = 0; i < 50; i++)
            c -= (c + a_c * (c * c * c - c) - share) / (1 + a_c * (3 * c * c - 1));
        double s = sqrt(1 - c * c), x = cos(golden * k), y = sin(golden * k);
        const double n[3] = {s * x, s * y, c}, tangent[3] = {-c * x, -c * y, s};
        const double at[3] = {3 * (k % 10) + 1.5, 3 * (k / 10 % 10) + 1.5, 3 * (k / 100) + 1.5};
        double f_n = force * (1 + a_n * (3 * c * c - 1)), f_t = force * a_t * 2 * s * c;
        put_pair(grain + 2 * k, at, n, tangent, 1, f_n, f_t);
        means[0] += f_n * (3 * c * c - 1);
        means[1] += f_n;
        means[2] += f_t * 3 * s * c;
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, 2 * N)) return;
    double *row = analysis_rows(&job, 0), *along = analysis_rows(&job, 1);
    JOB_NEAR(t, "a_c in space", row[A_C], a_c, 2e-3); /* directions are spread about z, not exact */
    JOB_NEAR(t, "amplitude in space", row[AMPLITUDE], a_c, 2e-3);
    JOB_NEAR(t, "a_c along z", along[A_C], a_c, 1e-5);
    JOB_NEAR(t, "a_n along z", along[A_N], 1.25 * means[0] / means[1] - along[A_C], 1e-9);
    JOB_NEAR(t, "a_t along z", along[A_T], 1.25 * means[2] / means[1], 1e-9);
    JOB_NEAR(t, "a_l along z", along[A_L], 0.0, 1e-9);
    JOB_NEAR(t, "expected ratio in space", along[RATIO_BY_A],
             0.4 * (along[A_C] + along[A_N] + along[A_T]), 1e-12);
    JOB_NEAR(t, "ratio in space", along[RATIO], along[RATIO_BY_A], 1e-9); /* branches are alike */
    JOB_NEAR(t, "error of a_c in space", along[FABRIC_ERROR], sqrt(1.25 / N), 1e-15);
    scree_alloc_free(row);
    scree_alloc_free(along);
    scree_job_clear(&job);
}

/* Random directions: no anisotropy within the error that the table tells, in 20 parts of a sample
 * whose squares over the errors add up as chi^2 does. */
static void check_isotropy(struct mpi_test *t)
{
    enum { N = 1000, N_PARTS = 10 };
    static struct job_grain grain[2 * N];
    char text[2000];
    int used = snprintf(text, sizeof text,
                        "domain: {low: [0, 0, 0], high: [31, 31, 31]}\n"
                        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: "
                        "2000}}]\nanalysis:\n");
    for (int k = 0; k < N_PARTS; k++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "- fabric: {name: part%d, axis: %s, low: [0, 0, %d], high: [31, 31, %d]}\n", k,
                     k % 2 ? "x" : "z", 3 * k, 3 * k + 3);
    for (int k = 0; k < N; k++) {
        const struct scree_rng_key key = {.seed = 7, .gid = k, .purpose = SCREE_RNG_VELOCITY};
        double c = 2 * scree_rng_uniform(&key, 0) - 1, s = sqrt(1 - c * c),
               phi = 2 * acos(-1.0) * scree_rng_uniform(&key, 1);
        const double n[3] = {s * cos(phi), s * sin(phi), c}, none[3] = {0};
        const double at[3] = {3 * (k % 10) + 1.5, 3 * (k / 10 % 10) + 1.5, 3 * (k / 100) + 1.5};
        put_pair(grain + 2 * k, at, n, none, 1, 5, 0);
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, 2 * N)) return;
    double chi = 0;
    for (int k = 0; k < N_PARTS; k++) {
        double *row = analysis_rows(&job, k), x = row[A_C] / row[FABRIC_ERROR];
        MPI_TEST(t, fabs(x) < 3.5, "part %d: a_c is %g of its error", k, x);
        chi += x * x;
        scree_alloc_free(row);
    }
    MPI_TEST(t, chi > 3 && chi < 21, "chi^2 of 10 is %g", chi); /* 2 % on either side */
    scree_job_clear(&job);
}

/* Two weak contacts along y, of which one slides, and a strong one along x: forces 3, 3 and 12 N,
 * mean 6 but for what friction adds. */
static void check_networks(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ngrains: spheres\ndomain: {low: [0, 0], high: [12, 4]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: 6}}]\n"
        "analysis: [{networks: {axis: x, cutoffs: 4, up_to: 4}}, {forces: {bins: 4, up_to: 5}}]\n";
    enum {
        CUT,
        CONTACTS,
        SHARE,
        N_A_C,
        N_RATIO = 8,
        PRESSURE_SHARE,
        DEVIATOR,
        POWER,
        SLIDING,
        SHARE_SLIDING,
        N_COLUMNS
    };
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, back[3] = {-1, 0, 0};
    struct job_grain grain[6];
    for (int k = 0; k < 3; k++) {
        const double at[3] = {2 + 3 * k, 2, 0};
        put_pair(grain + 2 * k, at, k < 2 ? y : x, k < 2 ? back : y, 1, k < 2 ? 3 : 12,
                 k == 1 ? 100 : 0);
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, 6)) return;
    double *row = analysis_rows(&job, 0), *weak = row, *all = row + 4 * N_COLUMNS;
    /* forces are 3, 3 sqrt(1 + 5^2) = 15.3 and 12: the sliding one is the strongest */
    double slid = 3 * sqrt(26.0), mean = (3 + slid + 12) / 3;
    MPI_TEST(t, 3 < mean && slid > mean && slid < 2 * mean, "forces %g, mean %g", slid, mean);
    JOB_NEAR(t, "cut-off", weak[CUT], 1, 0);
    JOB_NEAR(t, "weak contacts", weak[CONTACTS], 1, 0);
    JOB_NEAR(t, "their share", weak[SHARE], 1.0 / 3, 1e-15);
    JOB_NEAR(t, "their anisotropy", weak[N_A_C], -2, 1e-12);
    JOB_NEAR(t, "their stress ratio", weak[N_RATIO], -1, 1e-9);
    JOB_NEAR(t, "their share of pressure", weak[PRESSURE_SHARE], 3.0 / 18, 1e-9);
    JOB_NEAR(t, "their share of the deviator", weak[DEVIATOR], -3.0 / 6, 1e-9);
    JOB_NEAR(t, "their sliding", weak[SLIDING], 0, 0);
    JOB_NEAR(t, "their dissipation", weak[POWER], 0, 0);
    JOB_NEAR(t, "all contacts", all[CONTACTS], 3, 0);
    MPI_TEST(t, isinf(all[CUT]), "the last cut-off is %g", all[CUT]);
    JOB_NEAR(t, "anisotropy of all", all[N_A_C], -2.0 / 3, 1e-12);
    JOB_NEAR(t, "stress ratio of all", all[N_RATIO], 6.0 / 18, 1e-9);
    JOB_NEAR(t, "all sliding", all[SLIDING], 1.0 / 3, 1e-15);
    JOB_NEAR(t, "dissipation of those below 2", (row + N_COLUMNS)[POWER], 1, 0);
    const double *f = job.output.analyses.measurement[1].sum;
    JOB_NEAR(t, "mean normal force", f[0], 6, 1e-9);
    JOB_NEAR(t, "mean tangential force", f[1], 5, 1e-9);
    const double normal[] = {0, 2, 1, 0, 0, 0}, tangential[] = {0, 2, 0, 1, 0, 0};
    for (int bin = 0; bin < 6; bin++) {
        JOB_NEAR(t, "normal forces in a bin", f[2 + bin], normal[bin], 0);
        JOB_NEAR(t, "tangential forces in a bin", f[8 + bin], tangential[bin], 0);
    }
    scree_alloc_free(row);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_fabric(&t);
    check_axial_fabric(&t);
    check_isotropy(&t);
    check_networks(&t);
    return mpi_test_end(&t);
}
