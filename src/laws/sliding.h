/* SPDX-License-Identifier: BSD-3-Clause
 * Friction laws with a spring, a dashpot and two Coulomb limits, with constant options: one plain
 * loop per combination. Equation numbers are those of Luding, "From DEM simulations towards a
 * continuum theory". The spring advances before the test force is formed, so that force and spring
 * belong to the same moment. Private to laws. */
#ifndef SCREE_LAWS_SLIDING_H
#define SCREE_LAWS_SLIDING_H

#include "sliding_damped.h"
#include "sliding_undamped.h"

/* The loop without a dashpot for the batch at hand ... */
SCREE_SPECIALISED void scree_slide_spanned(struct scree_batch *restrict b,
                                           const struct scree_slider *v,
                                           struct scree_sliding_history at,
                                           const struct scree_sliding is)
{
    struct scree_sliding whole = is, plain = is;
    whole.whole = plain.whole = plain.plain = true;
    if (b->plain && !is.turns && !is.hertzian)
        scree_slide_undamped(b, v, at, plain);
    else if (b->partial)
        scree_slide_undamped(b, v, at, is);
    else
        scree_slide_undamped(b, v, at, whole);
}

/* ... and for the values; `is` without what depends on these. */
SCREE_SPECIALISED void scree_slide_any(struct scree_batch *restrict b, const struct scree_slider *v,
                                       struct scree_sliding_history at, struct scree_sliding is)
{
    const bool two_limits = scree_slider_has_two_limits(v);
    struct scree_sliding damped = is, both = is, limits = is, spans = is;
    damped.damped = both.damped = both.two_limits = limits.two_limits = true;
    limits.spans = spans.spans = true;
    if (scree_slider_is_damped(v) && two_limits)
        scree_slide(b, v, at, both);
    else if (scree_slider_is_damped(v))
        scree_slide(b, v, at, damped);
    else if (two_limits)
        scree_slide_undamped(b, v, at, limits);
    else if (b->spans == 0.0)
        scree_slide_spanned(b, v, at, is);
    else
        scree_slide_spanned(b, v, at, spans);
}

static inline struct scree_sliding_history scree_slider_history(struct scree_batch *b,
                                                                struct scree_slots at)
{
    return (struct scree_sliding_history){
        .spring = b->history + at.odd + SCREE_SLIDER_SPRING,
        .held = b->history + at.odd + SCREE_SLIDER_HELD,
        .slides = b->history[at.even],
    };
}

#endif
