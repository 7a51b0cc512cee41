/* SPDX-License-Identifier: BSD-3-Clause
 * The linear equations of the semismooth Newton method in PETSc. The solver is chosen by size and
 * can be chosen by options with the prefix -scree_cd_, in the variable PETSC_OPTIONS of the
 * environment: LU for small systems, else GMRES with additive Schwarz and incomplete factors. */
#include "petsc_system.h"

bool scree_cones_newton_is_there(void)
{
#ifdef SCREE_HAVE_PETSC
    return true;
#else
    return false;
#endif
}

#ifdef SCREE_HAVE_PETSC

#include <petscksp.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/signals.h"

enum { SMALL = 20000 }; /* unknowns that are solved for directly */

struct scree_petsc {
    const struct scree_cones_system *system;
    Vec x, needed; /* own unknowns; those that contacts of this rank know, each once */
    VecScatter scatter;
    Mat matrix;
    KSP solver;
    size_t n_needed, n_entries;
    int32_t *right, *left; /* places of the unknowns of links among the needed */
    double *entry;
};

#define SCREE_PETSC_TRY(call)                                                             \
    do {                                                                                  \
        PetscErrorCode code_ = (call);                                                    \
        if (code_ != 0)                                                                   \
            return SCREE_FAIL(SCREE_PHYSICS, "PETSc: error %d in %s", (int)code_, #call); \
    } while (0)

static void finish(void)
{
    PetscFinalize();
}

/* Once for a program; ends before MPI does. Signals remain ours. */
static enum scree_status begin(struct scree_comm *comm)
{
    PetscBool done = PETSC_FALSE;
    PetscInitialized(&done);
    if (done) return SCREE_OK;
    MPI_Comm_dup(*(MPI_Comm *)comm->mpi, &PETSC_COMM_WORLD); /* that of tests may go before */
    scree_signals_hold(); /* threads of libraries never see SIGTERM */
    PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
    PetscErrorCode code = PetscInitializeNoArguments();
    scree_signals_release();
    SCREE_CHECK(code == 0, SCREE_PHYSICS, "PETSc cannot be started (error %d)", (int)code);
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    scree_comm_at_end(finish);
    return SCREE_OK;
}

static const struct scree_cones_links *left_of(const struct scree_cones_system *s)
{
    return s->left.start != NULL ? &s->left : &s->right;
}

static int compare_numbers(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Unknowns of the contacts here, rising. */
static int32_t *find_needed(const struct scree_cones_system *s, size_t *n)
{
    const struct scree_cones_links *right = &s->right, *left = left_of(s);
    size_t n_right = right->start[s->n], n_left = left->start[s->n], kept = 0;
    int32_t *all = scree_alloc(n_right + n_left + 1, sizeof *all);
    memcpy(all, right->unknown, n_right * sizeof *all);
    memcpy(all + n_right, left->unknown, n_left * sizeof *all);
    if (n_right + n_left > 0) qsort(all, n_right + n_left, sizeof *all, compare_numbers);
    for (size_t k = 0; k < n_right + n_left; k++)
        if (kept == 0 || all[k] != all[kept - 1]) all[kept++] = all[k];
    *n = kept;
    return all;
}

static int32_t *find_places(const struct scree_cones_links *links, size_t n_contacts,
                            const int32_t *needed, size_t n)
{
    size_t n_links = links->start[n_contacts];
    int32_t *place = scree_alloc(n_links + 1, sizeof *place);
    for (size_t k = 0; k < n_links; k++) {
        const int32_t *at = bsearch(&links->unknown[k], needed, n, sizeof *needed, compare_numbers);
        place[k] = (int32_t)(at - needed);
    }
    return place;
}

static enum scree_status make_vectors(struct scree_petsc *p, MPI_Comm comm)
{
    const struct scree_cones_system *s = p->system;
    IS from;
    int32_t *needed = find_needed(s, &p->n_needed);
    p->right = find_places(&s->right, s->n, needed, p->n_needed);
    p->left = find_places(left_of(s), s->n, needed, p->n_needed);
    SCREE_PETSC_TRY(VecCreateMPI(comm, s->n_own, PETSC_DETERMINE, &p->x));
    SCREE_PETSC_TRY(VecCreateSeq(PETSC_COMM_SELF, (PetscInt)p->n_needed, &p->needed));
    SCREE_PETSC_TRY(
        ISCreateGeneral(PETSC_COMM_SELF, (PetscInt)p->n_needed, needed, PETSC_COPY_VALUES, &from));
    SCREE_PETSC_TRY(VecScatterCreate(p->x, from, p->needed, NULL, &p->scatter));
    SCREE_PETSC_TRY(ISDestroy(&from));
    scree_alloc_free(needed);
    return SCREE_OK;
}

/* Where values of the matrix are: those of mass first, then every pair of unknowns of a contact. */
static enum scree_status make_matrix(struct scree_petsc *p, MPI_Comm comm)
{
    const struct scree_cones_system *s = p->system;
    const struct scree_cones_links *right = &s->right, *left = left_of(s);
    size_t n = (size_t)s->n_own, to = 0;
    for (size_t c = 0; c < s->n; c++)
        n += (left->start[c + 1] - left->start[c]) * (right->start[c + 1] - right->start[c]);
    PetscInt *row = scree_alloc(2 * n + 1, sizeof *row), *column = row + n;
    p->n_entries = n;
    p->entry = scree_alloc(n + 1, sizeof *p->entry);
    for (; to < (size_t)s->n_own; to++) row[to] = column[to] = s->first + (PetscInt)to;
    for (size_t c = 0; c < s->n; c++)
        for (size_t i = left->start[c]; i < left->start[c + 1]; i++)
            for (size_t j = right->start[c]; j < right->start[c + 1]; j++, to++) {
                row[to] = left->unknown[i];
                column[to] = right->unknown[j];
            }
    SCREE_PETSC_TRY(MatCreate(comm, &p->matrix));
    SCREE_PETSC_TRY(MatSetSizes(p->matrix, s->n_own, s->n_own, PETSC_DETERMINE, PETSC_DETERMINE));
    SCREE_PETSC_TRY(MatSetType(p->matrix, MATAIJ));
    SCREE_PETSC_TRY(MatSetPreallocationCOO(p->matrix, (PetscCount)n, row, column));
    scree_alloc_free(row);
    return SCREE_OK;
}

/* Small systems are factored by each rank as a whole: messages would take longer. */
static enum scree_status make_direct(const struct scree_petsc *p, PC pc)
{
    KSP inner;
    if (p->system->comm->n_ranks > 1) {
        SCREE_PETSC_TRY(PCSetType(pc, PCREDUNDANT));
        SCREE_PETSC_TRY(PCRedundantGetKSP(pc, &inner));
        SCREE_PETSC_TRY(KSPGetPC(inner, &pc));
    }
    SCREE_PETSC_TRY(PCSetType(pc, PCLU));
#ifdef PETSC_HAVE_MUMPS
    SCREE_PETSC_TRY(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
#endif
    return SCREE_OK;
}

static enum scree_status make_solver(struct scree_petsc *p, MPI_Comm comm)
{
    PC pc;
    SCREE_PETSC_TRY(KSPCreate(comm, &p->solver));
    SCREE_PETSC_TRY(KSPSetOptionsPrefix(p->solver, "scree_cd_"));
    SCREE_PETSC_TRY(KSPSetOperators(p->solver, p->matrix, p->matrix));
    SCREE_PETSC_TRY(KSPGetPC(p->solver, &pc));
    if (p->system->n_all <= SMALL) {
        SCREE_PETSC_TRY(KSPSetType(p->solver, KSPPREONLY));
        SCREE_TRY(make_direct(p, pc));
    } else {
        SCREE_PETSC_TRY(KSPSetType(p->solver, KSPGMRES));
        SCREE_PETSC_TRY(KSPGMRESSetRestart(p->solver, 100));
        SCREE_PETSC_TRY(PCSetType(pc, PCASM));
        SCREE_PETSC_TRY(KSPSetTolerances(p->solver, 1e-4, PETSC_DEFAULT, PETSC_DEFAULT, 500));
    }
    SCREE_PETSC_TRY(KSPSetFromOptions(p->solver));
    return SCREE_OK;
}

enum scree_status scree_petsc_create(struct scree_petsc **petsc,
                                     const struct scree_cones_system *system)
{
    struct scree_petsc *p = *petsc = scree_alloc(1, sizeof *p);
    MPI_Comm comm = *(MPI_Comm *)system->comm->mpi;
    memset(p, 0, sizeof *p);
    p->system = system;
    enum scree_status status = begin(system->comm);
    if (status == SCREE_OK) status = make_vectors(p, comm);
    if (status == SCREE_OK) status = make_matrix(p, comm);
    if (status == SCREE_OK) status = make_solver(p, comm);
    return scree_comm_agree(system->comm, status);
}

void scree_petsc_destroy(struct scree_petsc **petsc)
{
    struct scree_petsc *p = *petsc;
    KSPDestroy(&p->solver);
    MatDestroy(&p->matrix);
    VecScatterDestroy(&p->scatter);
    VecDestroy(&p->needed);
    VecDestroy(&p->x);
    scree_alloc_free(p->right);
    scree_alloc_free(p->left);
    scree_alloc_free(p->entry);
    scree_alloc_free(p);
    *petsc = NULL;
}

/* Own values into a vector, and back. */
static enum scree_status put(Vec to, const double *from, size_t n)
{
    PetscScalar *value;
    SCREE_PETSC_TRY(VecGetArrayWrite(to, &value));
    if (n > 0) memcpy(value, from, n * sizeof *from);
    SCREE_PETSC_TRY(VecRestoreArrayWrite(to, &value));
    return SCREE_OK;
}

enum scree_status scree_petsc_velocity(struct scree_petsc *p, const double *x, double *u)
{
    const struct scree_cones_system *s = p->system;
    const size_t dim = (size_t)s->dim;
    const PetscScalar *known;
    SCREE_TRY(put(p->x, x, (size_t)s->n_own));
    SCREE_PETSC_TRY(VecScatterBegin(p->scatter, p->x, p->needed, INSERT_VALUES, SCATTER_FORWARD));
    SCREE_PETSC_TRY(VecScatterEnd(p->scatter, p->x, p->needed, INSERT_VALUES, SCATTER_FORWARD));
    SCREE_PETSC_TRY(VecGetArrayRead(p->needed, &known));
    memcpy(u, s->w, s->n * dim * sizeof *u);
    for (size_t c = 0; c < s->n; c++)
        for (size_t k = s->right.start[c]; k < s->right.start[c + 1]; k++)
            for (size_t a = 0; a < dim; a++)
                u[c * dim + a] += s->right.value[k * dim + a] * known[p->right[k]];
    SCREE_PETSC_TRY(VecRestoreArrayRead(p->needed, &known));
    return SCREE_OK;
}

enum scree_status scree_petsc_balance(struct scree_petsc *p, const double *x, const double *r,
                                      double *g)
{
    const struct scree_cones_system *s = p->system;
    const struct scree_cones_links *left = left_of(s);
    const size_t dim = (size_t)s->dim;
    PetscScalar *sum;
    const PetscScalar *all;
    SCREE_PETSC_TRY(VecGetArrayWrite(p->needed, &sum));
    memset(sum, 0, p->n_needed * sizeof *sum);
    for (size_t c = 0; c < s->n; c++)
        for (size_t k = left->start[c]; k < left->start[c + 1]; k++)
            for (size_t a = 0; a < dim; a++)
                sum[p->left[k]] += left->value[k * dim + a] * r[c * dim + a];
    SCREE_PETSC_TRY(VecRestoreArrayWrite(p->needed, &sum));
    SCREE_PETSC_TRY(VecSet(p->x, 0.0));
    SCREE_PETSC_TRY(VecScatterBegin(p->scatter, p->needed, p->x, ADD_VALUES, SCATTER_REVERSE));
    SCREE_PETSC_TRY(VecScatterEnd(p->scatter, p->needed, p->x, ADD_VALUES, SCATTER_REVERSE));
    SCREE_PETSC_TRY(VecGetArrayRead(p->x, &all));
    for (int32_t k = 0; k < s->n_own; k++) g[k] = s->mass[k] * (x[k] - s->free[k]) - all[k];
    SCREE_PETSC_TRY(VecRestoreArrayRead(p->x, &all));
    return SCREE_OK;
}

/* mass + L slope R. */
static void fill_entries(struct scree_petsc *p, const double *slope)
{
    const struct scree_cones_system *s = p->system;
    const struct scree_cones_links *right = &s->right, *left = left_of(s);
    const size_t dim = (size_t)s->dim;
    size_t to = (size_t)s->n_own;
    if (to > 0) memcpy(p->entry, s->mass, to * sizeof *p->entry);
    for (size_t c = 0; c < s->n; c++)
        for (size_t i = left->start[c]; i < left->start[c + 1]; i++) {
            double along[SCREE_CONES_DIM] = {0.0}; /* L slope */
            for (size_t a = 0; a < dim; a++)
                for (size_t b = 0; b < dim; b++)
                    along[b] += left->value[i * dim + a] * slope[(c * dim + a) * dim + b];
            for (size_t j = right->start[c]; j < right->start[c + 1]; j++, to++) {
                double sum = 0.0;
                for (size_t b = 0; b < dim; b++) sum += along[b] * right->value[j * dim + b];
                p->entry[to] = sum;
            }
        }
}

enum scree_status scree_petsc_solve(struct scree_petsc *p, const double *slope, const double *g,
                                    double *d, bool *found)
{
    const size_t n = (size_t)p->system->n_own;
    KSPConvergedReason reason;
    const PetscScalar *value;
    fill_entries(p, slope);
    SCREE_PETSC_TRY(MatSetValuesCOO(p->matrix, p->entry, INSERT_VALUES));
    SCREE_TRY(put(p->x, g, n));
    SCREE_PETSC_TRY(VecScale(p->x, -1.0));
    SCREE_PETSC_TRY(KSPSolve(p->solver, p->x, p->x));
    SCREE_PETSC_TRY(KSPGetConvergedReason(p->solver, &reason));
    *found = reason > 0 || reason == KSP_DIVERGED_ITS;
    SCREE_PETSC_TRY(VecGetArrayRead(p->x, &value));
    if (n > 0) memcpy(d, value, n * sizeof *d);
    SCREE_PETSC_TRY(VecRestoreArrayRead(p->x, &value));
    return SCREE_OK;
}

#endif
