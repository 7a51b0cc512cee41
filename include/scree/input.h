/* SPDX-License-Identifier: BSD-3-Clause
 * Input files: a YAML tree that remembers line and column, read through schema tables.
 *
 * Life of an input: read a file, apply --set overrides, let each module read its part of the
 * tree through its schema, then scree_input_finish() reports every mistake at once. */
#ifndef SCREE_INPUT_H
#define SCREE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scree/status.h"

struct scree_input; /* one input text with its tree and collected mistakes */
struct scree_node;  /* a scalar, list or map in that tree; owned by the input */

/* REFUSED is what was reported while parsing: an alias, an overlong text, a NUL within a text. It
 * has neither text nor items. Whatever is read from it is wrong and reads as its default; a mistake
 * at it is counted, but not reported again. */
enum scree_node_kind { SCREE_NODE_SCALAR, SCREE_NODE_LIST, SCREE_NODE_MAP, SCREE_NODE_REFUSED };

/* What a schema row reads and the C type at its offset. */
enum scree_param_type {
    SCREE_PARAM_REAL,    /* double; a number with an optional unit of the row's dimension */
    SCREE_PARAM_INTEGER, /* int64_t; 1e6 and 1_000_000 are accepted, 1.5 is not */
    SCREE_PARAM_BOOL,    /* bool; true/false/yes/no/on/off */
    SCREE_PARAM_CHOICE,  /* int; index into `choices` */
    SCREE_PARAM_TEXT,    /* const char *; owned by the input */
    SCREE_PARAM_VECTOR,  /* double[3]; list of 2 or 3 reals (2: third = 0) */
    SCREE_PARAM_AXES,    /* bool[3]; list of the words x, y, z (may be empty) */
    SCREE_PARAM_WORDS,   /* uint32_t; list of words of `choices`, bit k for word k */
    SCREE_PARAM_NODE     /* const struct scree_node *; NULL if absent; the module reads on */
};

/* One key of one map. A table of these ends with a row whose key is NULL. */
/* Stresses of two dimensions have the unit of a stiffness, N/m; messages tell them apart. */
#define SCREE_UNIT_FLAT_STRESS "Pa m"

struct scree_param {
    const char *key;
    enum scree_param_type type;
    const char *unit;           /* SI unit shown and accepted bare, e.g. "N/m"; "" = none */
    double min, max;            /* allowed range of REAL and INTEGER; both 0: any; min = DBL_MIN
                                 * says "> 0"; -INFINITY and INFINITY leave a side open */
    const char *fallback;       /* text of the default; NULL: required; "": optional, no value
                                 * (REAL reads as NAN, TEXT and NODE as NULL, INTEGER as
                                 * INT64_MIN, VECTOR as NANs, AXES and WORDS as none, CHOICE as -1,
                                 * BOOL as false) */
    const char *const *choices; /* words of CHOICE and WORDS, ends with NULL; extra words allowed
                                 * for REAL such as "auto" (read as NAN) */
    size_t offset;              /* of the value in the struct that is filled */
    const char *help;           /* one line */
};

/* A documented map: where it stands in an input file and what it may hold. */
struct scree_schema {
    const char *path;    /* e.g. "time", "materials.*", "contacts[].normal" */
    const char *summary; /* one line */
    const struct scree_param *params;
};

/* Parse a file or a text; `name` stands in messages. A syntax error is collected like any other
 * mistake and leaves an empty root. Local: every rank reads the same bytes (the command
 * broadcasts). */
enum scree_status scree_input_create(struct scree_input **input, const char *text,
                                     const char *name);
/* Parse bytes as they come from a file: NUL bytes are reported, not taken for the end. */
enum scree_status scree_input_create_sized(struct scree_input **input, const char *bytes,
                                           size_t n_bytes, const char *name);
void scree_input_destroy(struct scree_input **input);

/* Apply "a.b.c=value" (value is YAML; list items by number: contacts.0.normal.stiffness=5).
 * Creates keys that are missing. Mistakes are collected with place "--set". */
void scree_input_override(struct scree_input *input, const char *assignment);
/* The values of a map of the tree, `changes`, take the places of those at the top with the same
 * keys. */
void scree_input_merge(struct scree_input *input, const struct scree_node *changes);
/* As if the key were not in the outermost map; it need not be there. */
void scree_input_leave_out(struct scree_input *input, const char *key);

/* Where a file that the input names is: as seen from the folder of the input; as named; or by its
 * last name beside the input, where a run keeps what it needs. */
void scree_input_find_file(const struct scree_input *input, const char *file, char *path,
                           size_t size);

const struct scree_node *scree_input_root(const struct scree_input *input);
const char *scree_input_text(const struct scree_input *input);

/* Read the map `node` through `params` into the struct at `values`: fills every row (default
 * where absent), collects type, unit and range mistakes, marks keys as used, remembers the table
 * so that an unknown key can be answered with the closest known word. `what` names the map in
 * messages ("time", "normal law 'linear'"). node == NULL reads as an empty map whose required
 * keys are reported at `parent`'s place; the echo shows its defaults if `what`, or its part after
 * the last dot, is a NODE key of `parent`'s table. The table must outlive the input; `what` is
 * copied. A wrong value reads as its default. Returns false if anything was wrong. */
bool scree_input_read(struct scree_input *input, const struct scree_node *node,
                      const struct scree_node *parent, const char *what,
                      const struct scree_param *params, void *values);

/* Collect a mistake at a node's place ("file:line:column: message"; NULL: the file as a whole).
 * Marks the node as used. */
void scree_input_error(struct scree_input *input, const struct scree_node *node, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

/* Collect "unknown <kind> '<word>'; did you mean '<closest>'?" against a NULL-ended list.
 * If the node is a word in a map ("law: lineer"), the map's other keys are not reported: without
 * the word nobody knows which belong there. */
void scree_input_unknown(struct scree_input *input, const struct scree_node *node, const char *kind,
                         const char *word, const char *const *known);

/* Read a list of two words of a NULL-ended list, such as two materials (`kind`), into their places
 * in it; collects mistakes. False if something is wrong. */
bool scree_input_pair(struct scree_input *input, const struct scree_node *node, const char *key,
                      const char *kind, const char *const *known, int found[2]);

/* Is there a map? If there is something else, collects "<what>: expected a map (<example>)". */
bool scree_input_is_map(struct scree_input *input, const struct scree_node *node, const char *what,
                        const char *example);

/* How often something wrong was met. Who wants to know whether a part of the input is sound asks
 * before and after reading it: the number grows with every mistake, also with one that was reported
 * before (while parsing, or by another reader) and has been met again. */
int scree_input_n_errors(const struct scree_input *input);

/* Add an error for every key that nobody read. Call after all modules have read. Returns
 * SCREE_INPUT if anything was wrong. */
enum scree_status scree_input_finish(struct scree_input *input);
/* All collected mistakes, sorted by place, one a line. */
void scree_input_print_errors(const struct scree_input *input, FILE *stream);

/* The tree as YAML with every default filled in (marked by a comment). */
void scree_input_write_effective(const struct scree_input *input, FILE *stream);
/* The text of scree_input_write_effective(), to be freed by free(); NULL: no memory. */
char *scree_input_effective_text(const struct scree_input *input);

/* Navigation. Items of a list by position; entries of a map by position, with their keys. */
enum scree_node_kind scree_node_kind(const struct scree_node *node);
int scree_node_count(const struct scree_node *node);
const struct scree_node *scree_node_item(const struct scree_node *node, int position);
const char *scree_node_key(const struct scree_node *node, int position);
const struct scree_node *scree_node_find(const struct scree_node *map, const char *key);
const char *scree_node_text(const struct scree_node *scalar); /* "" if not a scalar */
int scree_node_line(const struct scree_node *node);
/* A module that walks a map by itself marks what it has dealt with. */
void scree_node_mark_used(const struct scree_node *node);
/* Mark a node and all below it. */
void scree_node_mark_all_used(const struct scree_node *node);

/* Read one scalar node as a real in SI units of dimension `unit`; collects mistakes. */
bool scree_input_real(struct scree_input *input, const struct scree_node *node, const char *unit,
                      double *value);

/* The keys `every` and `steps` of one map, of which one may be given. */
struct scree_interval {
    double every;  /* s of simulated time; NAN: not given */
    int64_t steps; /* INT64_MIN: not given */
};
/* In steps of dt (s), at least 1 and not always whole: its moments are the steps nearest to whole
 * multiples of it, so that they do not drift from those of the time that was given. `fallback` if
 * none is given. Collects a mistake if both are. */
double scree_input_interval(struct scree_input *input, const struct scree_node *node,
                            const char *what, const struct scree_interval *given, double dt,
                            double fallback);
/* An interval counted in steps of another dt: of a time (s), or if that is NAN so many steps. */
double scree_interval_steps(double every, double dt, double steps);
/* Moments of such an interval, from the step `since` on: the first after `step` (INT64_MAX if the
 * interval is 0: never), and whether `step` is one. */
int64_t scree_interval_next(double interval, int64_t step, int64_t since);
bool scree_interval_is_due(double interval, int64_t step, int64_t since);

/* "0.5 mm" with wanted unit "m" -> 5e-4. Beyond 1e100 nothing is read. On failure returns false and
 * explains in `why`. */
bool scree_units_parse(const char *text, const char *unit, double *value, char *why,
                       size_t why_size);
/* Closest word of a NULL-ended list, or NULL if none is close enough to be meant. */
const char *scree_suggest(const char *word, const char *const *known);

#endif
