/* SPDX-License-Identifier: BSD-3-Clause
 * Methods: none can be used whose state has no way into checkpoints. */
#include "scree/stepper.h"

#include "unit.h"

Test(stepper, all_methods_are_sound)
{
    const char *const *names = scree_stepper_names;
    for (int k = 0; names[k] != NULL; k++) {
        const char *flaw = scree_stepper_flaw(scree_stepper_at(k));
        cr_assert_null(flaw, "%s: %s", names[k], flaw);
    }
}

Test(stepper, state_without_fields_is_refused)
{
    struct scree_stepper s = *scree_stepper_at(0);
    s.fields = NULL;
    cr_assert_not_null(scree_stepper_flaw(&s));
    static const struct scree_field none[] = {{NULL, SCREE_FIELD_REAL, 0, 0}};
    s.fields = none;
    cr_assert_not_null(scree_stepper_flaw(&s));
    s = *scree_stepper_at(0);
    s.saved_size = 0;
    cr_assert_not_null(scree_stepper_flaw(&s));
}

Test(stepper, a_member_without_field_is_refused)
{
    static const struct scree_field two[] = {{"step", SCREE_FIELD_INTEGER, 0, 0},
                                             {"time", SCREE_FIELD_REAL, 8, 0},
                                             {NULL, SCREE_FIELD_REAL, 0, 0}};
    static const struct scree_field twice[] = {{"step", SCREE_FIELD_INTEGER, 8, 0},
                                               {"time", SCREE_FIELD_REAL, 8, 0},
                                               {NULL, SCREE_FIELD_REAL, 0, 0}};
    static const struct scree_field array[] = {{"step", SCREE_FIELD_INTEGER, 0, 0},
                                               {"sums", SCREE_FIELD_REAL, 8, 3},
                                               {NULL, SCREE_FIELD_REAL, 0, 0}};
    struct scree_stepper s = *scree_stepper_at(0);
    s.fields = two;
    s.saved_size = 16;
    cr_assert_null(scree_stepper_flaw(&s));
    s.saved_size = 24; /* a member was added */
    cr_assert_not_null(scree_stepper_flaw(&s));
    s.saved_size = 8; /* a field lies outside */
    cr_assert_not_null(scree_stepper_flaw(&s));
    s.saved_size = 16;
    s.fields = twice;
    cr_assert_not_null(scree_stepper_flaw(&s));
    s.fields = array;
    cr_assert_not_null(scree_stepper_flaw(&s));
    s.saved_size = 32;
    cr_assert_null(scree_stepper_flaw(&s));
}

Test(stepper, a_method_that_cannot_resume_is_refused)
{
    struct scree_stepper s = *scree_stepper_at(0);
    s.resume = NULL;
    cr_assert_not_null(scree_stepper_flaw(&s));
}

static void find_nothing(void *state, struct scree_scene *scene, double *value)
{
    (void)state, (void)scene, (void)value;
}

Test(stepper, figures_without_a_function_or_too_many_are_refused)
{
    static const struct scree_figure one[] = {{"sweeps", "", false}, {0}};
    struct scree_figure many[SCREE_FIGURES + 2];
    struct scree_stepper s = *scree_stepper_at(0);
    for (int k = 0; k <= SCREE_FIGURES; k++) many[k] = one[0];
    many[SCREE_FIGURES + 1] = one[1];
    s.figures = one;
    s.measure = NULL;
    cr_assert_not_null(scree_stepper_flaw(&s));
    s.measure = find_nothing;
    cr_assert_null(scree_stepper_flaw(&s));
    cr_assert_eq(scree_stepper_n_figures(&s), 1);
    s.figures = many;
    cr_assert_not_null(scree_stepper_flaw(&s));
}
