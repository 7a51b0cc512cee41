/* SPDX-License-Identifier: BSD-3-Clause
 * The table of methods. */
#include "scree/stepper.h"

#define SCREE_STEPPER(name) extern const struct scree_stepper scree_##name##_stepper;
#include "scree/steppers.def"
#undef SCREE_STEPPER

static const struct scree_stepper *const table[] = {
#define SCREE_STEPPER(name) &scree_##name##_stepper,
#include "scree/steppers.def"
#undef SCREE_STEPPER
};

static const char *const names[] = {
#define SCREE_STEPPER(name) #name,
#include "scree/steppers.def"
#undef SCREE_STEPPER
    NULL,
};

const struct scree_stepper *scree_stepper_at(int k)
{
    return table[k];
}

const char *const *scree_stepper_names(void)
{
    return names;
}
