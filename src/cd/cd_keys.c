/* SPDX-License-Identifier: BSD-3-Clause
 * The keys that cd brings to the input. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/cones_newton.h"

static const char *const schemes[] = {"euler", "moreau", NULL};
static const char *const gaps[] = {"positive", "signed", NULL};
static const char *const orders[] = {"drawn", "random", "fixed", "reverse", NULL};
static const char *const failures[] = {"warn", "stop", "halve", NULL};
static const char *const first_solvers[] = {"nncg", "sweeps", "apgd", NULL}; /* as in the list */
static const char *const off[] = {"off", NULL};
static const char *const rank_word[] = {"rank", NULL};
static const char *const auto_word[] = {"auto", NULL};

#define AT(member) offsetof(struct scree_cd_values, member)
static const struct scree_param time_params[] = {
    {"scheme", SCREE_PARAM_CHOICE, "", 0, 0, "euler", schemes, AT(scheme),
     "euler: contacts end their step without a gap; moreau: contacts of the middle of the step"},
    {0},
};
static const struct scree_param solver_params[] = {
    {"method", SCREE_PARAM_CHOICE, "", 0, 0, "nncg", scree_cd_solver_names, AT(solver),
     "nncg: sweeps with the directions of a nonsmooth conjugate gradient; sweeps: nothing else; "
     "apgd: "
     "accelerated projected gradients; petsc: these first, then all contacts at once by Newton's "
     "method; auto: nncg, and Newton's method where it crawls"},
    {"first", SCREE_PARAM_CHOICE, "", 0, 0, "nncg", first_solvers, AT(first),
     "of petsc: what comes near before Newton's method begins"},
    {"polish_from", SCREE_PARAM_REAL, "1", DBL_MIN, 1, "1e-5", NULL, AT(polish_from),
     "of petsc: residual at which Newton's method begins, if a smaller one is wanted"},
    {"residual", SCREE_PARAM_REAL, "1", DBL_MIN, 1, "1e-4", NULL, AT(residual),
     "error at which a step is solved: scaled natural map of the contact laws"},
    {"force_change", SCREE_PARAM_REAL, "1", DBL_MIN, 1, "off", off, AT(force_change),
     "also wait until sweeps change forces by less than this part of the mean"},
    {"unbalanced", SCREE_PARAM_REAL, "1", DBL_MIN, 1, "off", off, AT(unbalanced),
     "also wait until grains gain less than this part of their free velocity; of samples at rest"},
    {"least", SCREE_PARAM_INTEGER, "", 1, 1e9, "5", NULL, AT(least), "sweeps of a step"},
    {"most", SCREE_PARAM_INTEGER, "", 1, 1e9, "2000", NULL, AT(most),
     "sweeps after which a step is given up"},
    {"fixed", SCREE_PARAM_INTEGER, "", 1, 1e9, "", NULL, AT(fixed),
     "instead: so many sweeps in every step, whatever the error"},
    {"check", SCREE_PARAM_INTEGER, "", 1, 1e6, "5", NULL, AT(check),
     "sweeps between looks at the error"},
    {"failure", SCREE_PARAM_CHOICE, "", 0, 0, "warn", failures, AT(failure),
     "what happens if a step is not solved: the run goes on and warns; it ends (stop); the step is "
     "taken again as two of half its length (halve)"},
    {"halvings", SCREE_PARAM_INTEGER, "", 1, 16, "4", NULL, AT(halvings),
     "of a step with 'failure: halve', at most; then the run goes on and warns"},
    {"order", SCREE_PARAM_CHOICE, "", 0, 0, "drawn", orders, AT(order),
     "of contacts in a block: drawn at random for each step, or for each sweep (random), by ids "
     "(fixed), the other way round (reverse)"},
    {"blocks", SCREE_PARAM_REAL, "1", 1, 1e9, "600", rank_word, AT(block_grains),
     "grains of a block, about; rank: the domain of a rank is one block, and forces depend on the "
     "number of ranks"},
    {"sweeps_per_exchange", SCREE_PARAM_INTEGER, "", 1, 100, "1", NULL, AT(sweeps_per_exchange),
     "of a block, before blocks tell each other"},
    {"warm_start", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, AT(warm_start),
     "begin with the forces of the last step"},
    {"gap", SCREE_PARAM_CHOICE, "", 0, 0, "positive", gaps, AT(gap),
     "overlaps stay as they are, or (signed) are undone within the step, which makes energy"},
    {"rebound_speed", SCREE_PARAM_REAL, "m/s", 0, INFINITY, "auto", auto_word, AT(rebound_speed),
     "slower impacts do not rebound; auto: what gravity gives in five steps"},
    {0},
};

const struct scree_method_keys scree_cd_keys[] = {
    {"time", "how cd goes from step to step", time_params, true},
    {"solver", "how cd solves the contacts of a step", solver_params, false},
    {0},
};

void scree_cd_check_keys(const void *values, const struct scree_method_setting *setting)
{
    const struct scree_cd_values *v = values;
    const struct scree_node *solver = scree_node_find(scree_input_root(setting->input), "solver");
    if (strcmp(scree_cd_solver_names[v->solver], "petsc") == 0 && !scree_cones_newton_is_there())
        scree_input_error(setting->input, scree_node_find(solver, "method"),
                          "solver.method: this program was built without PETSc");
    if (v->least > v->most)
        scree_input_error(setting->input, solver, "solver: 'least' is %lld, 'most' only %lld",
                          (long long)v->least, (long long)v->most);
}
