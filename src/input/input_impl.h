/* SPDX-License-Identifier: BSD-3-Clause
 * Inside of the input module: the tree, its memory and the collected mistakes. */
#ifndef SCREE_INPUT_IMPL_H
#define SCREE_INPUT_IMPL_H

#include "scree/input.h"

enum {
    SCREE_INPUT_MAX_DEPTH = 64,
    SCREE_INPUT_MAX_KEY = 128,     /* bytes; below libyaml's limit of 1024 even when escaped */
    SCREE_INPUT_MAX_SCALAR = 65536 /* bytes */
};

/* Where something was written. line 0 and no origin: nowhere in particular. */
struct scree_place {
    const char *origin; /* NULL: the input text; else "--set a=1" or the like */
    int line, column;   /* from 1 */
};

struct scree_entry {
    const char *key; /* NULL in lists */
    struct scree_place place;
    struct scree_node *node;
};

/* A value that the input leaves out; kept beside the entries so that lookups do not see it. */
struct scree_default {
    const char *key;
    const char *fallback; /* text of the default; NULL: a left-out map that was read as empty */
    struct scree_node *node;
};

struct scree_table {
    const struct scree_param *params;
    const char *what;
};

struct scree_node {
    enum scree_node_kind kind;
    bool empty;    /* nothing was written: "key:" */
    bool bad;      /* of a map: stands for one that was reported already */
    bool used;     /* somebody dealt with it */
    bool forgiven; /* do not report its unread keys: a mistake already kept it from being read */
    struct scree_place place;
    struct scree_node *parent;
    const char *text;
    struct scree_entry *entries;
    struct scree_default *defaults;
    struct scree_table *tables; /* every table that has read this map */
    int n_entries, entry_capacity;
    int n_defaults, default_capacity;
    int n_tables, table_capacity;
};

struct scree_mistake {
    struct scree_place place;
    const char *message;
};

struct scree_chunk; /* of memory, freed with the input */

struct scree_input {
    struct scree_chunk *chunks;
    const char *name;
    const char *text;
    struct scree_node *root;
    bool broken;                    /* no tree: what modules would find wrong follows from that */
    struct scree_mistake *mistakes; /* sorted by place */
    int n_mistakes, mistake_capacity;
    int n_errors; /* how often something wrong was met, reported or not */
};

/* arena.c: memory that lives as long as the input. */
void *scree_input_keep(struct scree_input *input, size_t n_bytes);
char *scree_input_keep_text(struct scree_input *input, const char *text, size_t length);
/* Room for one more item; returns the array, moved if need be. */
void *scree_input_grow(struct scree_input *input, void *items, int n_items, int *capacity,
                       size_t item_size);
void scree_input_release(struct scree_input *input);

/* mistakes.c */
/* Something is wrong that was reported already. */
void scree_input_count_error(struct scree_input *input);
void scree_input_collect(struct scree_input *input, struct scree_place place, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));
/* False, and the mistake is counted, if nothing was written or what was written was refused. */
bool scree_input_has_value(struct scree_input *input, const struct scree_node *node);
/* The text cut to a length that fits a message. */
const char *scree_input_shorten(struct scree_input *input, const char *text);
/* "; did you mean 'x'?", or "; known: a, b" if nothing is close, or "". */
const char *scree_input_hint(struct scree_input *input, const char *word, const char *const *known);
/* "a, b, c" */
const char *scree_input_join(struct scree_input *input, const char *const *words);

/* node.c */
struct scree_node *scree_node_create(struct scree_input *input, enum scree_node_kind kind,
                                     struct scree_place place);
void scree_node_append(struct scree_input *input, struct scree_node *parent, const char *key,
                       struct scree_place place, struct scree_node *child);
struct scree_entry *scree_node_entry(const struct scree_node *map, const char *key);
/* "contacts[0].normal"; "" for the root. */
const char *scree_node_path(struct scree_input *input, const struct scree_node *node);
/* "stiffness", "gravity[1]": the last key of the path. */
const char *scree_node_name(struct scree_input *input, const struct scree_node *node);
/* "a map", "a list" or the text in quotes; of a node that was not refused. */
const char *scree_node_describe(struct scree_input *input, const struct scree_node *node);

/* encoding.c: true if all bytes are UTF-8 that YAML allows; else place and why. */
bool scree_input_check_bytes(const char *bytes, size_t n_bytes, struct scree_place *place,
                             const char **why);

/* yaml_tree.c: false after a syntax error (collected); *node is NULL if nothing is written. */
bool scree_input_parse(struct scree_input *input, const char *text, size_t length,
                       const char *origin, struct scree_node **node);

/* value.c: convert one node for one row; collects mistakes. `what` may be NULL. */
bool scree_input_convert(struct scree_input *input, const struct scree_node *node, const char *what,
                         const struct scree_param *row, void *target);
/* What a row reads as when nothing is given. */
void scree_input_set_absent(const struct scree_param *row, void *target);

/* number.c: decimal numbers only, no nan, inf or hex. */
enum scree_number_fault {
    SCREE_NUMBER_FINE,
    SCREE_NUMBER_NONE, /* not a number */
    SCREE_NUMBER_FRACTION,
    SCREE_NUMBER_LARGE,
    SCREE_NUMBER_SMALL
};
/* Length of the number at the start of the text; 0 if there is none. */
size_t scree_units_scan_number(const char *text);
/* number * 10^ten, rounded once, so that "0.5 mm" is the same double as 5e-4. */
enum scree_number_fault scree_units_scale_number(const char *number, size_t length, int ten,
                                                 double *value);
enum scree_number_fault scree_units_parse_integer(const char *text, int64_t *value);

/* A unit as powers of SI base units times factor * 10^ten. */
struct scree_unit {
    int metre, kilogram, second;
    int radian; /* counts no dimension, but tells angles from numbers */
    int ten;
    double factor; /* what is not a power of ten: minutes, turns */
    bool turns;    /* holds deg, rev or rpm */
    bool hertz, percent;
    int n_symbols; /* except "1" and % */
};
/* unit.c */
bool scree_units_parse_unit(const char *text, struct scree_unit *unit, char *why, size_t why_size);
/* quantity.c: "a length such as 5 m"; the wanted unit is one of ours, so it must parse. */
void scree_units_expect(const char *unit, const char *number, char *text, size_t text_size);
/* "a length" */
void scree_units_name(const struct scree_unit *unit, char *text, size_t text_size);

#endif
