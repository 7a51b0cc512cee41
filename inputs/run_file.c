/* A run from C: friction in three steps, in one program.
 *
 *   mpicc run_file.c $(pkg-config --cflags --libs scree) -o run_file
 *   mpirun -np 2 ./run_file CASE.yaml
 */
#include <mpi.h>
#include <stdio.h>

#include <scree/run_file.h>

int main(int argc, char **argv)
{
    int code = 0;
    MPI_Init(&argc, &argv);
    for (int k = 1; k <= 3 && argc == 2 && code == 0; k++) {
        char friction[80], folder[80];
        snprintf(friction, sizeof friction, "contacts.0.tangential.friction=%g", 0.2 * k);
        snprintf(folder, sizeof folder, "friction-%d", k);
        const char *sets[] = {friction, NULL};
        code = scree_run_file(argv[1], folder, sets);
    }
    MPI_Finalize();
    return code;
}
