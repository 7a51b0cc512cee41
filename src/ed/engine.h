/* SPDX-License-Identifier: BSD-3-Clause
 * The event-driven engine of one rank: grains that keep their own times, the next event of each,
 * lists of who is near, and what happened in the present window. It knows no MPI and no scene, so
 * that several of them can run within one process. */
#ifndef SCREE_ED_ENGINE_H
#define SCREE_ED_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"
#include "queue.h"
#include "scree/alloc.h"
#include "scree/box.h"
#include "scree/bricks.h"
#include "scree/deformation.h"
#include "scree/exact.h"
#include "scree/laws.h"
#include "scree/status.h"
#include "scree/types.h"

/* What a neighbour loop reads of a grain: where it was and how it flew when it collided last. Times
 * count from the beginning of the epoch. */
struct scree_ed_state {
    double x[3], v[3], t, radius; /* m, m/s, s, m; radius: when the epoch began */
};

/* The rest of what collisions change. */
struct scree_ed_memory {
    double spin[3]; /* rad/s */
    double touched; /* s; time of its last collision, which epochs do not change; -INFINITY: none */
    int64_t last;   /* gid of the last partner, -1 - w: wall w; SCREE_ED_NOBODY */
    int32_t n_epoch; /* events in this epoch */
    int16_t n;       /* order of the last event among those at the same moment */
    int16_t n_lossy; /* of those at that moment that lost energy */
};
#define SCREE_ED_NOBODY INT64_MIN

struct scree_ed_grain {
    int64_t gid;
    uint32_t version; /* changes with the state */
    int16_t species;
    uint8_t role;       /* enum scree_ed_role */
    bool deferred : 1;  /* its list is to be made anew at the end of the window */
    bool dirty : 1;     /* its future is to be found anew */
    bool candidate : 1; /* it may leave this rank, or be seen by another one */
    double inverse_mass;
    int32_t image[3];   /* periods between x and the place it had without wrapping */
    int32_t home, slot; /* rank and slot of its row in the store */
    int32_t place;      /* of a replica, among them */
};
enum scree_ed_role { SCREE_ED_FREE, SCREE_ED_OWNED, SCREE_ED_REPLICA };

/* Partners that are no grains. */
enum { SCREE_ED_NOTHING = -1, SCREE_ED_EXIT = -2, SCREE_ED_SCRIPT = -3, SCREE_ED_WALL = -4 };
static inline int32_t scree_ed_wall_partner(int w)
{
    return SCREE_ED_WALL - w;
}
static inline int scree_ed_wall_of(int32_t partner)
{
    return partner <= SCREE_ED_WALL ? SCREE_ED_WALL - partner : -1;
}

/* The next event of a grain. */
struct scree_ed_next {
    struct scree_ed_key key;
    int32_t partner;
    uint32_t partner_version;
    uint32_t stamp; /* of its entry in the queue */
    uint8_t code;   /* image of the partner */
};

/* Who is near. Entries: slot << 5 | code of the image. */
struct scree_ed_list {
    double centre[3], since; /* m, s; the grain is within `delta` of it since then */
    uint32_t at, count;      /* entries in the pool */
    int32_t part;            /* of its cell, -1: none */
    uint8_t place, level;    /* in the part; of the cell */
    uint8_t size;            /* of its block in the pool; SCREE_ED_NO_BLOCK */
};
enum { SCREE_ED_BLOCK_SIZES = 112, SCREE_ED_NO_BLOCK = 255 };

/* Entries of all lists, in blocks; the first word of a free one names the next. */
struct scree_ed_pool {
    uint32_t *entry; /* owned */
    size_t used, capacity;
    uint32_t free_block[SCREE_ED_BLOCK_SIZES];
};
enum { SCREE_ED_CODE_BITS = 5, SCREE_ED_CODES = 27, SCREE_ED_CODE_MASK = 31 };
enum { SCREE_ED_CODE_HERE = 13 }; /* no shift */

/* What a collision did. Branch and impulse as in struct scree_contact. */
struct scree_ed_outcome {
    double branch[3], impulse[3], place[3]; /* m, N s; m: of `first` */
    double loss, work;                      /* J; heat, and energy given to a wall */
    double normal[3], normal_impulse;
    bool elastic; /* by the TC rule */
    bool lossy;   /* the restitution is less than 1 */
};

/* A past segment of a grain in this window, with the event that ended it. */
struct scree_ed_node {
    struct scree_ed_state state;
    struct scree_ed_memory memory;
    struct scree_ed_key key;
    struct scree_ed_outcome outcome; /* seen from the lower gid; kept by both */
    int32_t partner;                 /* slot; SCREE_ED_SCRIPT: known from its owner only */
    int32_t partner_node;            /* of the same event; -1: none */
    int32_t previous;                /* -1: the first of the window */
};

/* One event of a grain as its owner tells it. */
struct scree_ed_told {
    double t, x[3], v[3], spin[3]; /* x wrapped into the box */
    int64_t partner;
    int64_t n;
};

/* A replica's events in this window as its owner told them. */
struct scree_ed_script {
    int32_t first, count; /* in told[] */
    bool dropped;         /* another course was found, until the next comparison */
    bool told;            /* there is one in this window */
};

struct scree_ed_wall {
    double normal[3], place, speed; /* m: n.x = place + speed t on its surface; m/s */
    double velocity[3];             /* m/s; also along the surface */
    const char *name;               /* borrowed */
    int species;
};

/* What two materials do. */
struct scree_ed_impact {
    double restitution, restitution_tangential, friction;
};

/* What all ranks know. */
struct scree_ed_world {
    struct scree_box box;
    double gravity[3], contact_time, inertia_factor;
    int n_materials;
    const struct scree_ed_impact *impact; /* [n_materials^2] */
    int n_walls;
    const struct scree_ed_wall *wall;
    double shift[SCREE_ED_CODES][3]; /* m; of images */
    double radius[2];                /* m; smallest and largest of all grains */
    double delta;                    /* m; room for each grain in lists */
    /* Radii that grow, a box that deforms: see pair.h */
    bool driven;
    bool growing;  /* until they are as large as wanted grains are smooth and elastic */
    double growth; /* 1/s; radii are those of the states times 1 + growth t */
    double shape[3][3], back[3][3], flow[3][3]; /* F when the epoch began, its inverse; L in 1/s */
    bool bent;                                  /* the box deforms, or has deformed */
    double shear;                               /* 1/s; norm of L */
    double widen;    /* grains that touch in this epoch are never farther apart in the reference box
                      * than this times the sum of the radii of their states */
    double contract; /* ways in the reference box are longer by this factor at most */
    int64_t most_events; /* of a grain in an epoch; more are taken for a collapse */
};

/* Sums of all collisions since the start, and of those in the present tick. Sums of doubles are
 * exact; each collision is counted on one rank. */
enum scree_ed_sum {
    SCREE_ED_LOSS,   /* J; heat */
    SCREE_ED_WORK,   /* J; given to walls */
    SCREE_ED_VIRIAL, /* J s; branch times impulse, of pairs of grains */
    SCREE_ED_SAVED_SUMS,
    SCREE_ED_TICK_VIRIAL = SCREE_ED_SAVED_SUMS, /* the same of this tick */
    SCREE_ED_TICK_STRESS,                       /* [6] of a box that deforms: its components */
    SCREE_ED_SUMS = SCREE_ED_TICK_STRESS + SCREE_DEFORMATION_COMPONENTS
};
enum scree_ed_count { SCREE_ED_PAIRS, SCREE_ED_WALLS, SCREE_ED_ELASTIC, SCREE_ED_COUNTS };

/* A collision that is kept for those who want to see contacts: of the one with `first`, or that
 * with `second`, as told by `of_second`. */
struct scree_ed_record {
    int64_t first, second;
    double branch[3], impulse[3], place[3], normal[3], normal_impulse;
    int32_t home; /* rank of the row of this grain */
    int32_t of_second;
};

struct scree_ed_tally {
    int64_t count[SCREE_ED_COUNTS];
    struct scree_exact sum[SCREE_ED_SUMS];
    bool keep_records;
    struct scree_ed_record *record; /* owned; of this tick */
    size_t n_records, record_capacity;
    int64_t before; /* collisions of single grains up to the beginning of the tick */
};

struct scree_ed_cells;

#define SCREE_ED_APPEND(array, n, capacity, item)      \
    do {                                               \
        SCREE_GROW((array), (n), (capacity), (n) + 1); \
        (array)[(n)++] = (item);                       \
    } while (0)

struct scree_ed_engine {
    const struct scree_ed_world *world; /* borrowed */
    bool in_windows; /* there are other ranks: histories are kept, lists rest within a window */
    /* Grains by slot; all owned */
    int32_t n_slots;
    size_t capacity;
    struct scree_ed_state *state;
    struct scree_ed_memory *memory;
    struct scree_ed_grain *grain;
    struct scree_ed_next *next;
    struct scree_ed_list *list;
    int32_t *head;                  /* last node of the window; -1: none */
    int32_t *n_window;              /* events in the window */
    struct scree_ed_script *script; /* of replicas */
    int32_t *free_slot;
    size_t n_free, free_capacity;
    int64_t n_owned;
    int32_t *replica; /* slots; owned */
    size_t n_replicas, replica_capacity;
    struct scree_ed_map map;
    /* Lists */
    struct scree_ed_pool pool;
    struct scree_ed_cells *cells;
    uint32_t *near; /* entries that a search has found */
    size_t near_capacity;
    struct scree_ed_queue queue;
    /* The present window */
    double end, exit_radius; /* s, m; when it ends; how far from its centre a grain may go */
    double speed_limit;      /* m/s; of window with others */
    struct scree_ed_node *node;
    size_t n_nodes, node_capacity;
    int32_t *touched, *later; /* slots with nodes; those whose lists are to be made anew */
    size_t n_touched, touched_capacity, n_later, later_capacity;
    struct scree_ed_told *told;
    size_t n_told, told_capacity;
    int32_t *dirty, *undo;
    size_t n_dirty, dirty_capacity, undo_capacity;
    struct scree_ed_present *heap; /* of events that happen again; earliest first */
    size_t n_heap, heap_capacity;
    bool exceeded;   /* a grain became faster than the limit */
    double fastest2; /* m^2/s^2; square of the speed of the fastest after an event of the window */
    /* A grain that collides without end, and its partner */
    int64_t stuck[2];
    bool is_stuck;
    struct scree_ed_tally *tally;                                   /* borrowed */
    int64_t n_pops, n_stale, n_exits, n_events, n_redone, n_undone; /* figures of work */
};

/* engine.c */
void scree_ed_engine_create(struct scree_ed_engine **engine, const struct scree_ed_world *world,
                            struct scree_ed_tally *tally, bool in_windows);
void scree_ed_engine_destroy(struct scree_ed_engine **engine);
size_t scree_ed_engine_bytes(const struct scree_ed_engine *e);
/* Room for n grains, which are to come. */
void scree_ed_engine_reserve(struct scree_ed_engine *e, size_t n);
/* A grain that is in no list yet; returns its slot. */
int32_t scree_ed_engine_add(struct scree_ed_engine *e, const struct scree_ed_state *state,
                            const struct scree_ed_memory *memory,
                            const struct scree_ed_grain *grain);
/* What a grain is here from now on; it must be one of the engine. */
void scree_ed_engine_set_role(struct scree_ed_engine *e, int32_t i, enum scree_ed_role role);
void scree_ed_engine_remove(struct scree_ed_engine *e, int32_t i);
/* After all grains were added: lists, and the next event of each. */
void scree_ed_engine_begin(struct scree_ed_engine *e, double t);
/* At time t, from which on nothing is known of the future. */
void scree_ed_engine_repredict(struct scree_ed_engine *e, double t);
/* All next events into an empty queue that begins at t. */
void scree_ed_engine_refile(struct scree_ed_engine *e, double t);
/* All events before e->end, as far as they are known here. */
void scree_ed_engine_run(struct scree_ed_engine *e);
/* Room for grains in lists that suits so many of them (m); radii from smallest to largest. */
double scree_ed_choose_delta(const struct scree_box *box, int64_t n, const double radius[2]);
void scree_ed_world_init(struct scree_ed_world *world);

/* predict.c: the next event of a grain into next[i], and into the queue */
void scree_ed_predict(struct scree_ed_engine *e, int32_t i);
/* Of the event in which i meets another grain in this state (NULL: a wall, or nobody) at time t. */
struct scree_ed_key scree_ed_key_of(const struct scree_ed_engine *e, int32_t i, double t,
                                    int32_t partner, double partner_t, int32_t partner_n);
/* The last event of both was with each other: they part since, until one of them meets another. */
bool scree_ed_just_met(const struct scree_ed_engine *e, int32_t i, int64_t gid, double t,
                       int64_t last);
/* A candidate for the next event of a grain: it counts if it is the first so far. */
struct scree_ed_choice {
    struct scree_ed_key key;
    int32_t partner;
    uint8_t code;
};
void scree_ed_choose(struct scree_ed_choice *best, const struct scree_ed_key *key, int32_t partner,
                     int code);
void scree_ed_choose_wall(const struct scree_ed_engine *e, int32_t i, struct scree_ed_choice *best);
/* Make it the next event, unless the grain leaves its list before. `file`: into the queue. */
void scree_ed_settle(struct scree_ed_engine *e, int32_t i, const struct scree_ed_choice *best,
                     bool file);
/* Note that the list of a grain must be made anew after the window. */
void scree_ed_defer(struct scree_ed_engine *e, int32_t i);

/* collide.c: an event of two grains, or of a grain and a wall, with its place in the history */
/* Events at one moment that are taken for a collapse: of a chain of grains, and of one of them if
 * they lose energy. Grains that touch all their neighbours may have some ten. */
enum { SCREE_ED_MOST_AT_ONCE = 1000, SCREE_ED_MOST_LOSSY = 32 };
void scree_ed_execute(struct scree_ed_engine *e, int32_t i, int32_t partner, int code,
                      const struct scree_ed_key *key);
/* A grain has a new state since an event with this partner (gid, or -1 - wall). */
void scree_ed_remember(struct scree_ed_engine *e, int32_t i, int64_t partner,
                       const struct scree_ed_key *key, bool lossy);

/* tally.c */
void scree_ed_tally_init(struct scree_ed_tally *tally);
void scree_ed_tally_clear(struct scree_ed_tally *tally);
void scree_ed_tally_begin_tick(struct scree_ed_tally *tally);
void scree_ed_tally_add(struct scree_ed_engine *e, const struct scree_ed_key *key,
                        const struct scree_ed_outcome *outcome, int32_t i, int32_t j);

/* lists.c */
void scree_ed_lists_create(struct scree_ed_engine *e);
void scree_ed_lists_destroy(struct scree_ed_engine *e);
size_t scree_ed_lists_bytes(const struct scree_ed_engine *e);
static inline const uint32_t *scree_ed_lists_entries(const struct scree_ed_engine *e, int32_t i)
{
    return e->pool.entry + e->list[i].at;
}
/* Centre, cell and entries of a grain at time t, its x wrapped. */
void scree_ed_lists_renew(struct scree_ed_engine *e, int32_t i, double t);
void scree_ed_lists_leave(struct scree_ed_engine *e, int32_t i);
/* The two grains that overlap most, as a part of the sum of their radii; false: none does. */
bool scree_ed_lists_worst(const struct scree_ed_engine *e, double t, double *depth, int64_t gid[2]);

/* cells.c: where lists have their centres */
void scree_ed_cells_create(struct scree_ed_engine *e);
void scree_ed_cells_destroy(struct scree_ed_engine *e);
size_t scree_ed_cells_bytes(const struct scree_ed_cells *cells);
void scree_ed_cells_enter(struct scree_ed_engine *e, int32_t i);
void scree_ed_cells_leave(struct scree_ed_engine *e, int32_t i);
/* Entries of all that are near i, which is in no cell now, in e->near; returns their number. */
size_t scree_ed_cells_search(struct scree_ed_engine *e, int32_t i);

/* ed_history.c */
/* The segments of both end with this event; j: a slot, a wall or SCREE_ED_SCRIPT. Returns the node
 * of i. */
int32_t scree_ed_log(struct scree_ed_engine *e, int32_t i, int32_t j,
                     const struct scree_ed_key *key);
/* Take back events of a grain until it has `n` of the window left, and those of partners that
 * depend on them. All of them are dirty then. */
void scree_ed_undo(struct scree_ed_engine *e, int32_t i, int32_t n);
void scree_ed_mark_dirty(struct scree_ed_engine *e, int32_t i);
/* Take back events whose key is not before this one. */
void scree_ed_undo_from(struct scree_ed_engine *e, int32_t i, const struct scree_ed_key *key);
void scree_ed_undo_window(struct scree_ed_engine *e);
/* Count what happened and forget how. */
void scree_ed_commit(struct scree_ed_engine *e);

/* Are the state after an event, its partner and order what an owner told? */
bool scree_ed_is_as_told(const struct scree_ed_told *told, const struct scree_ed_state *state,
                         const struct scree_ed_memory *memory, int64_t partner, int32_t n);

/* redo.c: the future of dirty grains up to e->end */
enum { SCREE_ED_MOST_REDONE = 1000 }; /* times that all grains may have an event again */
void scree_ed_redo(struct scree_ed_engine *e);

#endif
