/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of a state file: names, types, digest, sound values. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "hdf5_state_impl.h"
#include "scree/hash.h"

#define AT(member) offsetof(struct scree_state_rows, member)
const struct scree_state_field scree_state_fields[SCREE_STATE_N_FIELDS] = {
    {"id", SCREE_HDF5_INT64, 1, AT(id)},
    {"species", SCREE_HDF5_INT32, 1, AT(species)},
    {"position", SCREE_HDF5_REAL, 3, AT(position)},
    {"velocity", SCREE_HDF5_REAL, 3, AT(velocity)},
    {"angular_velocity", SCREE_HDF5_REAL, 3, AT(spin)},
    {"radius", SCREE_HDF5_REAL, 1, AT(radius)},
    {"mass", SCREE_HDF5_REAL, 1, AT(mass)},
    {"image", SCREE_HDF5_INT32, 3, AT(image)},
};

/* The members are pointers of different types with the same bits. */
void *scree_state_column(const struct scree_state_rows *rows, const struct scree_state_field *field)
{
    void *column;
    memcpy(&column, (const char *)rows + field->offset, sizeof column);
    return column;
}

static void copy_clean(double to[3], const double from[3])
{
    for (int k = 0; k < 3; k++) to[k] = scree_hash_clean_zero(from[k]);
}

uint64_t scree_state_digest(const struct scree_state_rows *rows)
{
    struct {
        int64_t id;
        double position[3], velocity[3], spin[3], radius, mass;
        int32_t image[3], species;
    } record;
    _Static_assert(sizeof record == 8 + 11 * 8 + 16, "no padding: it would be hashed");
    uint64_t sum = 0;
    for (int64_t i = 0; i < rows->n; i++) {
        record.id = rows->id[i];
        copy_clean(record.position, rows->position[i]);
        copy_clean(record.velocity, rows->velocity[i]);
        copy_clean(record.spin, rows->spin[i]);
        record.radius = rows->radius[i];
        record.mass = rows->mass[i];
        memcpy(record.image, rows->image[i], sizeof record.image);
        record.species = rows->species[i];
        sum += scree_hash_record(&record, sizeof record);
    }
    return sum;
}

static bool is_finite_vector(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

enum scree_status scree_state_check_rows(const char *path, const struct scree_state_rows *rows)
{
    for (int64_t i = 0; i < rows->n; i++) {
        long long id = (long long)rows->id[i];
        SCREE_CHECK(is_finite_vector(rows->position[i]), SCREE_IO,
                    "%s: position of grain %lld is not finite", path, id);
        SCREE_CHECK(is_finite_vector(rows->velocity[i]), SCREE_IO,
                    "%s: velocity of grain %lld is not finite", path, id);
        SCREE_CHECK(is_finite_vector(rows->spin[i]), SCREE_IO,
                    "%s: angular velocity of grain %lld is not finite", path, id);
        SCREE_CHECK(rows->radius[i] > 0.0 && isfinite(rows->radius[i]), SCREE_IO,
                    "%s: radius of grain %lld is %g m, allowed > 0", path, id, rows->radius[i]);
        SCREE_CHECK(rows->mass[i] > 0.0 && isfinite(rows->mass[i]), SCREE_IO,
                    "%s: mass of grain %lld is %g kg, allowed > 0", path, id, rows->mass[i]);
    }
    return SCREE_OK;
}
