/* SPDX-License-Identifier: BSD-3-Clause
 * LAMMPS data files: what is read, and what is said about what cannot be. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/alloc.h"
#include "scree/lammps.h"
#include "unit.h"

static char folder[] = "/tmp/scree-lammps-XXXXXX";

/* Each test is a process of its own, so moving to a folder of its own disturbs nobody and keeps
 * the paths in messages short. */
static void enter_folder(void)
{
    cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave_folder(void)
{
    unlink("d");
    cr_assert(chdir("/") == 0);
    rmdir(folder);
}

TestSuite(lammps, .init = enter_folder, .fini = leave_folder);

static void write_bytes(const char *bytes, size_t n)
{
    FILE *file = fopen("d", "wb");
    cr_assert(file != NULL);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static enum scree_status read_text(const char *text, struct scree_state_header *header,
                                   struct scree_state_rows *rows)
{
    write_bytes(text, strlen(text));
    scree_status_clear();
    return scree_lammps_read_data("d", header, rows);
}

#define HEAD      "title\n\n2 atoms\n2 atom types\n\n0 4 xlo xhi\n-1 3 ylo yhi\n0 5.5 zlo zhi\n\n"
#define ATOM_1    "1 1 1 1 0.5 0.25 1.5 0 0 0\n"
#define ATOM_2    "7 2 0.5 2 1 2 3 1 -2 3 # a comment\n"
#define ATOMS     "Atoms\n\n" ATOM_1 ATOM_2
#define SPEEDS    "\nVelocities\n\n7 1 2 3 4 5 6\n1 0 0 -1 0 0 1e-3\n"
#define SPEEDS_12 "Velocities\n\n1 0 0 0 0 0 0\n2 0 0 0 0 0 0\n" /* line 14 begins */

static void expect_two_grains(const char *text)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    cr_assert_eq(read_text(text, &header, &rows), SCREE_OK, "%s", scree_status_message());
    cr_expect_str_eq(header.title, "title");
    cr_expect_eq(header.low[1], -1.0);
    cr_expect_eq(header.high[2], 5.5);
    cr_assert_eq(rows.n, 2);
    cr_expect_eq(rows.id[0], 1);
    cr_expect_eq(rows.id[1], 7);
    cr_expect_eq(rows.species[1], 2);
    cr_expect_eq(rows.radius[1], 0.25);
    cr_expect_float_eq(rows.mass[1], 2.0 * 4.0 / 3.0 * 3.14159265358979323846 / 64.0, 1e-17);
    cr_expect_eq(rows.position[0][2], 1.5);
    cr_expect_eq(rows.image[1][1], -2);
    cr_expect_eq(rows.velocity[1][2], 3.0);
    cr_expect_eq(rows.spin[0][2], 1e-3);
    scree_state_rows_clear(&rows);
}

Test(lammps, reads_sections_in_any_order)
{
    expect_two_grains(HEAD ATOMS SPEEDS);
    expect_two_grains(HEAD SPEEDS "\n" ATOMS);
    expect_two_grains(HEAD "Atoms # sphere\n\n" ATOM_2 ATOM_1 SPEEDS);
    expect_two_grains(HEAD "\n# all comment\nAtoms  # sphere\r\n\n" ATOM_1 "\n" ATOM_2 SPEEDS);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

Test(lammps, without_velocities_at_rest_without_images_zero)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    const char *text = HEAD "Atoms\n\n2 1 1 1 1 1 1\n1 1 1 1 2 2 2\n";
    cr_assert_eq(read_text(text, &header, &rows), SCREE_OK, "%s", scree_status_message());
    cr_expect_eq(rows.velocity[0][0], 0.0);
    cr_expect_eq(rows.image[1][2], 0);
    cr_expect_eq(rows.position[0][0], 2.0);
    scree_state_rows_clear(&rows);
}

static const struct {
    const char *text, *message;
} malformed[] = {
    {"", "d: the file is empty"},
    {"title\n", "d:1: 'N atoms' is missing above"},
    {HEAD "Atoms\n\n" ATOM_1 "7 2 0.5 2 1 2 3",
     "d: the last line has no end: is the file cut short?"},
    {HEAD, "d:9: unexpected end of file: no section 'Atoms'"},
    {HEAD "Atoms # full\n\n", "d:10: atom style 'full': only 'sphere' can be read"},
    {HEAD "Atoms\n\n1 1 1 1 0 0\n",
     "d:12: Atoms: expected the columns 'id type diameter density x y z [ix iy iz]', got 6 "
     "columns"},
    {HEAD "Atoms\n\n1 1 1 1 0 0 0 0\n",
     "d:12: Atoms: expected the columns 'id type diameter density x y z [ix iy iz]', got 8 "
     "columns"},
    {HEAD "Atoms\n\n1 1 1 1 0 abc 0\n", "d:12: y: expected a number, got 'abc'"},
    {HEAD "Atoms\n\n1 1 1 1 0 0x1 0\n", "d:12: y: expected a number, got '0x1'"},
    {HEAD "Atoms\n\n1 1 1 1 0 0 nan\n", "d:12: z: expected a finite number, got 'nan'"},
    {HEAD "Atoms\n\n1 1 1 1 1e999 0 0\n", "d:12: x: expected a finite number, got '1e999'"},
    {HEAD "Atoms\n\n1.5 1 1 1 0 0 0\n", "d:12: id: expected an integer, got '1.5'"},
    {HEAD "Atoms\n\n0 1 1 1 0 0 0\n", "d:12: id is 0, allowed 1 to 17592186044415"},
    {HEAD "Atoms\n\n99999999999999999999 1 1 1 0 0 0\n",
     "d:12: id is 99999999999999999999, allowed 1 to 17592186044415"},
    {HEAD "Atoms\n\n1 3 1 1 0 0 0\n", "d:12: type is 3, allowed 1 to 2"},
    {HEAD "Atoms\n\n1 1 0 1 0 0 0\n", "d:12: diameter is 0, allowed > 0"},
    {HEAD "Atoms\n\n1 1 1 -2 0 0 0\n", "d:12: density is -2, allowed > 0"},
    {HEAD "Atoms\n\n1 1 1e-200 1 0 0 0\n", "d:12: diameter and density give a mass of 0"},
    {HEAD "Atoms\n\n1 1 1 1 0 0 0 0 x 0\n", "d:12: iy: expected an integer, got 'x'"},
    {HEAD "Atoms\n\n" ATOM_1 ATOM_1, "d:13: Atoms: id 1 was given before, in line 12"},
    {HEAD "Atoms\n\n" ATOM_1, "d:12: unexpected end of file after 1 of 2 lines of 'Atoms'"},
    {HEAD "Atoms\n\n" ATOM_1 "\nVelocities\n", "d:14: next section after 1 of 2 lines of 'Atoms'"},
    {HEAD ATOMS ATOM_1,
     "d:14: expected the section 'Atoms' or 'Velocities' or the end of the file, since all 2 "
     "lines are there; got '1'"},
    {HEAD ATOMS "Bonds\n",
     "d:14: expected the section 'Atoms' or 'Velocities' or the end of the file, since all 2 "
     "lines are there; got 'Bonds'"},
    {HEAD ATOMS ATOMS, "d:14: a second section 'Atoms'"},
    {HEAD ATOMS SPEEDS_12, "d:17: Velocities: no atom has the id 2"},
    {HEAD ATOMS "Velocities\n\n1 0 0 0 0 0\n",
     "d:16: Velocities: expected the columns 'id vx vy vz wx wy wz', got 6 columns"},
    {HEAD ATOMS "Velocities\n\n1 0 0 0 0 0 zero\n", "d:16: wz: expected a number, got 'zero'"},
    {HEAD "1 0 0 xy xz yz\n" ATOMS,
     "d:10: tilted box ('xy xz yz'): only boxes with right angles can be read"},
    {HEAD "3 bonds\n",
     "d:10: expected 'N atoms', 'N atom types', 'LOW HIGH xlo xhi' (ylo yhi, zlo zhi), 'Atoms' or "
     "'Velocities', got '3'"},
    {HEAD "0 4 xlo xhi\n" ATOMS, "d:10: 'xlo xhi' was given before"},
    {"t\n1 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n\nAtoms\n\n",
     "d:7: 'LOW HIGH zlo zhi' is missing above"},
    {"t\n1 atoms\n1 1 xlo xhi\n", "d:3: xlo = 1 is not below xhi = 1"},
    {"t\nfew atoms\n", "d:2: number of atoms: expected an integer, got 'few'"},
    {"t\n1000 atoms\n", "d:2: number of atoms is 1000, allowed 0 to 1"},
    {"t\n1 atoms\n0 atom types\n", "d:3: number of atom types is 0, allowed 1 to 2147483647"},
};

Test(lammps, says_what_is_wrong_and_where)
{
    for (size_t k = 0; k < sizeof malformed / sizeof malformed[0]; k++) {
        struct scree_state_header header;
        struct scree_state_rows rows;
        cr_expect_eq(read_text(malformed[k].text, &header, &rows), SCREE_INPUT, "case %zu", k);
        cr_expect_str_eq(scree_status_message(), malformed[k].message,
                         "case %zu: '%s', expected '%s'", k, scree_status_message(),
                         malformed[k].message);
        cr_expect_eq(rows.n, 0);
    }
    cr_expect_eq(scree_alloc_in_use(), 0);
}

Test(lammps, says_that_a_file_is_missing)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    cr_expect_eq(scree_lammps_read_data("nowhere", &header, &rows), SCREE_IO);
    cr_expect_str_eq(scree_status_message(), "nowhere: No such file or directory");
}

Test(lammps, zero_bytes_hide_nothing)
{
    const char text[] = HEAD "Atoms\n\n1 1 1 1 0 0 0\0 junk\n" ATOM_2;
    struct scree_state_header header;
    struct scree_state_rows rows;
    write_bytes(text, sizeof text - 1);
    cr_expect_eq(scree_lammps_read_data("d", &header, &rows), SCREE_INPUT);
    cr_expect_str_eq(scree_status_message(), "d:12: Atoms: expected the columns 'id type diameter "
                                             "density x y z [ix iy iz]', got 8 columns");
}

/* What is accepted must be sound; what is refused must say where. */
static void expect_sound_or_refused(const char *bytes, size_t n)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    write_bytes(bytes, n);
    scree_status_clear();
    enum scree_status status = scree_lammps_read_data("d", &header, &rows);
    if (status != SCREE_OK) {
        cr_expect_eq(status, SCREE_INPUT);
        cr_expect_eq(strncmp(scree_status_message(), "d:", 2), 0, "%s", scree_status_message());
        return;
    }
    for (int64_t i = 0; i < rows.n; i++)
        cr_expect(rows.radius[i] > 0.0 && rows.mass[i] > 0.0 && isfinite(rows.position[i][0]) &&
                  rows.id[i] >= 1 && rows.species[i] >= 1);
    scree_state_rows_clear(&rows);
}

Test(lammps, survives_mutations_and_truncations)
{
    const char text[] = HEAD ATOMS SPEEDS;
    const size_t n = sizeof text - 1;
    char bytes[sizeof text];
    srand(1);
    for (int k = 0; k < 2000; k++) {
        memcpy(bytes, text, sizeof text);
        size_t length = k % 4 == 3 ? (size_t)rand() % (n + 1) : n;
        bytes[(size_t)rand() % n] = (char)(rand() % 256);
        expect_sound_or_refused(bytes, length);
    }
    for (size_t length = 0; length <= n; length++) expect_sound_or_refused(text, length);
    cr_expect_eq(scree_alloc_in_use(), 0);
}
