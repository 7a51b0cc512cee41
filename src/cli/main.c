/* SPDX-License-Identifier: BSD-3-Clause
 * The program: hand over to the command line. */
#include <stdio.h>

#include "cli.h"

int main(int argc, char **argv)
{
    setvbuf(stderr, NULL, _IOLBF,
            BUFSIZ); /* mpirun mixes the pieces of both streams: whole lines */
    return scree_cli_main(argc, argv);
}
