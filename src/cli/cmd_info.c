/* SPDX-License-Identifier: BSD-3-Clause
 * The command info: what is inside a file. */
#include <stdio.h>

#include "cli.h"
#include "scree/reader.h"

static enum scree_status print(void *path)
{
    return scree_reader_print(path, stdout);
}

enum scree_status scree_cli_info(const struct scree_cli *cli, struct scree_comm *comm)
{
    SCREE_CHECK(cli->argument[0] != NULL && cli->argument[1] == NULL, SCREE_INPUT,
                "scree info needs one file: scree info FILE.h5");
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0)
        status = scree_reader_guard(cli->argument[0], print, (char *)cli->argument[0]);
    return scree_comm_agree(comm, status);
}
