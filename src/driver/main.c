/* SPDX-License-Identifier: BSD-3-Clause
 * The program: hand over to the command line. */
#include "cli.h"

int main(int argc, char **argv)
{
    return scree_cli_main(argc, argv);
}
