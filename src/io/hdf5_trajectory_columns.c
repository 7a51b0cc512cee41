/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of a trajectory. */
#include <stddef.h>

#include "scree/hdf5_trajectory.h"

#define AT(member) offsetof(struct scree_frame, member)
#define GRAINS     "particles/grains/"
#define CONTACTS   "connectivity/contacts/"

const struct scree_trajectory_column scree_trajectory_columns[SCREE_N_COLUMNS] = {
    {GRAINS "id", SCREE_HDF5_INT64, 1, "", AT(id), 0, true},
    {GRAINS "position", SCREE_HDF5_REAL, 3, "m", AT(position), 2, false},
    {GRAINS "image", SCREE_HDF5_INT32, 3, "", AT(image), 7, false},
    {GRAINS "velocity", SCREE_HDF5_REAL, 3, "m s-1", AT(velocity), 3, false},
    {GRAINS "angular_velocity", SCREE_HDF5_REAL, 3, "rad s-1", AT(spin), 4, false},
    {GRAINS "species", SCREE_HDF5_INT32, 1, "", AT(species), 1, true},
    {GRAINS "radius", SCREE_HDF5_REAL, 1, "m", AT(radius), 5, false},
    {GRAINS "mass", SCREE_HDF5_REAL, 1, "kg", AT(mass), 6, false},
    {GRAINS "force", SCREE_HDF5_REAL, 3, "N", AT(force), -1, false},
    {GRAINS "torque", SCREE_HDF5_REAL, 3, "N m", AT(torque), -1, false},
    {GRAINS "orientation", SCREE_HDF5_REAL, 4, "", AT(orientation), -1, false},
    {GRAINS "collision_rate", SCREE_HDF5_REAL, 1, "s-1", AT(collision_rate), -1, false},
    {CONTACTS "pairs", SCREE_HDF5_INT64, 2, "", AT(pair), -1, true},
    {CONTACTS "rows", SCREE_HDF5_INT64, 2, "", AT(pair), -1, true}, /* made when written */
    {CONTACTS "contact_force", SCREE_HDF5_REAL, 3, "N", AT(contact_force), -1, false},
    {CONTACTS "overlap", SCREE_HDF5_REAL, 1, "m", AT(overlap), -1, false},
    {CONTACTS "sliding", SCREE_HDF5_INT8, 1, "", AT(sliding), -1, false},
    {CONTACTS "history", SCREE_HDF5_REAL, 1, "", AT(history), -1, false},
};

int scree_trajectory_width(const struct scree_trajectory_summary *summary, int column)
{
    return column == SCREE_COLUMN_HISTORY ? summary->n_history
                                          : scree_trajectory_columns[column].width;
}
