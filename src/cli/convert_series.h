/* SPDX-License-Identifier: BSD-3-Clause
 * A trajectory for ParaView. Private to cli. */
#ifndef SCREE_CONVERT_SERIES_H
#define SCREE_CONVERT_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/status.h"

/* All frames of a file into what belongs to `output`, which ends with .pvd. Local. */
enum scree_status scree_cli_convert_series(const char *file, int64_t n_frames, const char *output,
                                           bool force);

#endif
