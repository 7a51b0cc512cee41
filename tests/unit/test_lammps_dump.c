/* SPDX-License-Identifier: BSD-3-Clause
 * LAMMPS dumps: cut and changed files are refused, or what is read of them is sound. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/alloc.h"
#include "scree/lammps_dump.h"
#include "unit.h"

#define FRAME(step)                                                                     \
    "ITEM: UNITS\nsi\nITEM: TIME\n0.25\nITEM: TIMESTEP\n" step "\n"                     \
    "ITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp ff\n0 1\n-1 3\n0 2\n"             \
    "ITEM: ATOMS id type x y z ix iy iz vx vy vz omegax omegay omegaz radius density\n" \
    "1 1 0.5 0.25 1.5 0 0 -1 1 2 3 4 5 6 0.1 2500\n"                                    \
    "7 2 0.125 2.5 0.75 0 1 0 -1 -2 -3 0 0 0 0.2 1000\n"                                \
    "3 1 0.25 -0.5 1.25 0 0 0 1e-3 0 0 0 0 0 0.15 2500\n"

static const char text[] = FRAME("10") FRAME("20");
static char path[] = "/tmp/scree-dump-XXXXXX";

static void make_file(void)
{
    int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
}

static void remove_file(void)
{
    unlink(path);
}

TestSuite(lammps_dump, .init = make_file, .fini = remove_file);

static enum scree_status read_bytes(const char *bytes, size_t n, int64_t frame,
                                    struct scree_state_header *header,
                                    struct scree_state_rows *rows)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
    scree_status_clear();
    return scree_lammps_dump_read(path, frame, header, rows);
}

Test(lammps_dump, reads_frames)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    for (int64_t frame = -1; frame < 2; frame++) {
        enum scree_status status = read_bytes(text, sizeof text - 1, frame, &header, &rows);
        cr_assert_eq(status, SCREE_OK, "%s", scree_status_message());
        cr_expect_eq(header.step, frame == 0 ? 10 : 20);
        cr_assert_eq(rows.n, 3);
        cr_expect_eq(rows.id[1], 3);
        cr_expect_eq(rows.position[2][1], 2.5);
        cr_expect_eq(rows.spin[0][2], 6.0);
        scree_state_rows_clear(&rows);
    }
    cr_expect_eq(scree_alloc_in_use(), 0);
}

/* True if the bytes were accepted. */
static bool expect_sound_or_refused(const char *bytes, size_t n)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    enum scree_status status = read_bytes(bytes, n, -1, &header, &rows);
    if (status != SCREE_OK) {
        cr_expect_eq(status, SCREE_INPUT);
        cr_expect_eq(strncmp(scree_status_message(), path, strlen(path)), 0, "%s",
                     scree_status_message());
        return false;
    }
    for (int64_t i = 0; i < rows.n; i++)
        cr_expect(rows.radius[i] > 0.0 && rows.mass[i] > 0.0 && isfinite(rows.position[i][0]) &&
                  rows.id[i] >= 1 && rows.species[i] >= 1);
    scree_state_rows_clear(&rows);
    return true;
}

/* Nothing but a whole frame is accepted of a file that was cut. */
Test(lammps_dump, truncations_are_noticed)
{
    const size_t n = sizeof text - 1;
    for (size_t length = 0; length <= n; length++)
        cr_expect_eq(expect_sound_or_refused(text, length), length == n / 2 || length == n, "%zu",
                     length);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

Test(lammps_dump, survives_changed_bits_and_bytes)
{
    const size_t n = sizeof text - 1;
    char bytes[sizeof text];
    srand(2);
    for (int k = 0; k < 2000; k++) {
        memcpy(bytes, text, sizeof text);
        size_t at = (size_t)rand() % n;
        bytes[at] = k % 2 == 0 ? (char)(bytes[at] ^ (1 << rand() % 8)) : (char)(rand() % 256);
        expect_sound_or_refused(bytes, n);
    }
    cr_expect_eq(scree_alloc_in_use(), 0);
}
