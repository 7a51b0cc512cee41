/* SPDX-License-Identifier: BSD-3-Clause
 * What was built, when, with what. */
#ifndef SCREE_VERSION_H
#define SCREE_VERSION_H

const char *scree_version(void);
const char *scree_version_commit(void);
const char *scree_version_compiler(void);
void scree_version_print(void);

#endif
