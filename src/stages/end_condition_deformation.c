/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions on a box that deforms: its strain, stress and density. */
#include <math.h>

#include "end_condition_list.h"
#include "scree/exact.h"

int scree_end_condition_list_range(struct scree_condition *list, int n,
                                   enum scree_condition_kind what, int component, const char *of,
                                   const struct scree_end_condition_range *range)
{
    if (!isnan(range->at_least))
        list[n++] = (struct scree_condition){what, component, of, ">=", range->at_least};
    if (!isnan(range->at_most))
        list[n++] = (struct scree_condition){what, component, of, "<=", range->at_most};
    return n;
}

int scree_end_condition_list_deformation(const struct scree_end_condition_deformation *cell,
                                         struct scree_condition *list, int n)
{
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        const char *name = scree_deformation_names[c];
        if (!isnan(cell->strain[c]))
            list[n++] =
                (struct scree_condition){SCREE_CONDITION_DEFORMATION_STRAIN, c, name,
                                         cell->strain[c] < 0.0 ? "<=" : ">=", cell->strain[c]};
        n = scree_end_condition_list_range(list, n, SCREE_CONDITION_DEFORMATION_STRESS, c, name,
                                           &cell->stress[c]);
    }
    n = scree_end_condition_list_range(list, n, SCREE_CONDITION_PRESSURE, 0, NULL, &cell->pressure);
    return scree_end_condition_list_range(list, n, SCREE_CONDITION_SOLID_FRACTION, 0, NULL,
                                          &cell->solid_fraction);
}

static double solid_fraction(struct scree_run *run)
{
    const struct scree_particles *p = run->scene.particles;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double radius = p->pos[i][3];
        scree_exact_add(&sum, radius * radius * (run->scene.materials->disks ? 1.0 : radius));
    }
    scree_comm_sum_exact(run->scene.comm, &sum, 1);
    return scree_materials_unit_volume(run->scene.materials) * scree_exact_value(&sum) /
           scree_deformation_size(&run->scene.domain->cell, &run->scene.domain->box);
}

double scree_end_condition_measure_deformation(struct scree_run *run,
                                               const struct scree_condition *condition)
{
    const struct scree_deformation *cell = &run->scene.domain->cell;
    int c = condition->component;
    switch (condition->what) {
    case SCREE_CONDITION_DEFORMATION_STRAIN:
        return cell->state.strain[c] - run->scene.cell_control->staged[c];
    case SCREE_CONDITION_DEFORMATION_STRESS:
        return scree_deformation_stress(cell, &run->scene.domain->box, c);
    case SCREE_CONDITION_PRESSURE:
        return scree_deformation_control_mean_stress(run->scene.cell_control, cell,
                                                     &run->scene.domain->box);
    case SCREE_CONDITION_SOLID_FRACTION: return solid_fraction(run);
    default: return NAN;
    }
}

/* Shear stresses that are kept at zero compare to the other targets. */
double scree_end_condition_deformation_off_target(const struct scree_run *run)
{
    double worst = 0.0, largest = 0.0;
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) {
        const struct scree_servo *servo = &run->scene.cell_control->servo[s];
        if (!servo->on) continue;
        worst = fmax(worst, fabs(servo->state.target + servo->state.force));
        largest = fmax(largest, fabs(servo->state.target));
    }
    return worst == 0.0 ? 0.0 : worst / largest;
}
