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

const char *const scree_stepper_names[] = {
#define SCREE_STEPPER(name) #name,
#include "scree/steppers.def"
#undef SCREE_STEPPER
    NULL,
};

/* Where the field that begins here ends; `at` if none does. */
int scree_stepper_n_figures(const struct scree_stepper *stepper)
{
    int n = 0;
    while (stepper->figures != NULL && stepper->figures[n].name != NULL) n++;
    return n;
}

static size_t end_of_field(const struct scree_field *fields, size_t at)
{
    for (const struct scree_field *f = fields; f->name != NULL; f++)
        if (f->offset == at) return at + 8 * (size_t)(f->count > 0 ? f->count : 1);
    return at;
}

const char *scree_stepper_flaw(const struct scree_stepper *s)
{
    if (s->name == NULL || s->summary == NULL) return "it has no name or summary";
    if (s->create == NULL || s->start == NULL || s->resume == NULL || s->advance == NULL ||
        s->before_change == NULL || s->after_change == NULL || s->velocity == NULL ||
        s->load == NULL || s->contacts == NULL || s->energies == NULL || s->destroy == NULL)
        return "a function is missing";
    if (s->phases == NULL || s->lines == NULL) return "it has no phases or energy lines";
    int n_phases = 0, n_lines = 0;
    while (s->phases[n_phases] != NULL) n_phases++;
    while (s->lines[n_lines].name != NULL) n_lines++;
    if (n_phases > SCREE_METHOD_PHASES || n_lines > SCREE_ENERGY_LINES)
        return "it has too many phases or energy lines";
    if (s->figures != NULL && (s->measure == NULL || scree_stepper_n_figures(s) > SCREE_FIGURES))
        return "it has too many figures, or no function that finds them";
    if (s->saved_size == 0 && s->fields == NULL) return NULL;
    if (s->fields == NULL) return "it does not say what of it is saved";
    for (const struct scree_field *f = s->fields; f->name != NULL; f++)
        if (f->offset >= s->saved_size) return "a field is not in the part that is saved";
    size_t at = 0;
    while (at < s->saved_size) {
        size_t end = end_of_field(s->fields, at);
        if (end == at) return "a part of what is to be saved has no field";
        at = end;
    }
    return at > s->saved_size ? "a field reaches out of the part that is saved" : NULL;
}

const struct scree_stepper *scree_stepper_at(int k)
{
    return table[k];
}
