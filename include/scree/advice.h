/* SPDX-License-Identifier: BSD-3-Clause
 * What a method is told of a run to come, and when it may say something to the user. */
#ifndef SCREE_ADVICE_H
#define SCREE_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The grains of a material that there are and will be; n = 0: none. */
struct scree_material_range {
    double mass[2], radius[2]; /* kg, m; smallest and largest */
    int64_t n, n_mobile;
    bool wall; /* there is a wall of it */
};

/* What can be known of a run before it starts, the same on all ranks. */
struct scree_prospect {
    int n_materials;
    const char *const *material;              /* names */
    const struct scree_material_range *range; /* of each material */
    bool open_step;                           /* the time step is still to be chosen */
    double speed;                             /* m/s; of impacts, for estimates */
    double duration; /* s; of the run, as far as is known; NAN if methods change */
};

/* When a method may speak to the user through the log. */
enum scree_occasion {
    SCREE_ADVISE_CHECK,    /* before a run, with a prospect: what contacts will be like */
    SCREE_ADVISE_START,    /* at step 0, with a prospect: what may go wrong */
    SCREE_ADVISE_PROGRESS, /* after certain steps: what goes wrong; may end the run by failing */
    SCREE_ADVISE_END,      /* after the last step: the worst there was */
    SCREE_ADVISE_LEDGER,   /* energies do not add up: write into `text` what may be to blame */
    SCREE_ADVISE_REPORT    /* for report.json: write members of an object into `text`, if any */
};

struct scree_advice {
    enum scree_occasion occasion;
    const struct scree_prospect *prospect; /* NULL unless the occasion has one */
    char *text;                            /* [size]; NULL unless the occasion has one */
    size_t size;
};

#endif
