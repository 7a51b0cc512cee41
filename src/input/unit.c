/* SPDX-License-Identifier: BSD-3-Clause
 * Unit expressions: "kg/m^3", "N s/m", "g cm^-3" as powers of SI base units. */
#include <ctype.h>
#include <string.h>

#include "input_impl.h"

#define PI 3.14159265358979323846

enum { MAX_UNIT = 64, MAX_SYMBOL = 16, MAX_POWER = 9 };

struct symbol {
    const char *name;
    bool takes_prefix;
    struct scree_unit unit;
};

static const struct symbol symbols[] = {
    {"m", true, {.metre = 1, .factor = 1, .n_symbols = 1}},
    {"g", true, {.kilogram = 1, .ten = -3, .factor = 1, .n_symbols = 1}},
    {"s", true, {.second = 1, .factor = 1, .n_symbols = 1}},
    {"min", false, {.second = 1, .factor = 60, .n_symbols = 1}},
    {"h", false, {.second = 1, .factor = 3600, .n_symbols = 1}},
    {"rad", false, {.radian = 1, .factor = 1, .n_symbols = 1}},
    {"deg", false, {.radian = 1, .factor = PI / 180, .turns = true, .n_symbols = 1}},
    {"rev", false, {.radian = 1, .factor = 2 * PI, .turns = true, .n_symbols = 1}},
    {"rpm",
     false,
     {.radian = 1, .second = -1, .factor = 2 * PI / 60, .turns = true, .n_symbols = 1}},
    {"Hz", true, {.second = -1, .factor = 1, .hertz = true, .n_symbols = 1}},
    {"N", true, {.metre = 1, .kilogram = 1, .second = -2, .factor = 1, .n_symbols = 1}},
    {"Pa", true, {.metre = -1, .kilogram = 1, .second = -2, .factor = 1, .n_symbols = 1}},
    {"bar",
     false,
     {.metre = -1, .kilogram = 1, .second = -2, .ten = 5, .factor = 1, .n_symbols = 1}},
    {"J", true, {.metre = 2, .kilogram = 1, .second = -2, .factor = 1, .n_symbols = 1}},
    {"W", true, {.metre = 2, .kilogram = 1, .second = -3, .factor = 1, .n_symbols = 1}},
    {"%", false, {.ten = -2, .factor = 1, .percent = true}},
    {"1", false, {.factor = 1}},
};
enum { N_SYMBOLS = sizeof symbols / sizeof symbols[0] };

static const struct {
    const char *name;
    int ten;
} prefixes[] = {{"G", 9},  {"M", 6},         {"k", 3},         {"c", -2}, {"m", -3},
                {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"n", -9}};

static const struct symbol *find_symbol(const char *name)
{
    for (int i = 0; i < N_SYMBOLS; i++)
        if (strcmp(symbols[i].name, name) == 0) return &symbols[i];
    return NULL;
}

/* A symbol or prefix + symbol; whole symbols first, so that "min" is minutes. */
static bool look_up(const char *name, struct scree_unit *unit)
{
    const struct symbol *symbol = find_symbol(name);
    if (symbol != NULL) {
        *unit = symbol->unit;
        return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i].name);
        if (strncmp(name, prefixes[i].name, length) != 0) continue;
        symbol = find_symbol(name + length);
        if (symbol == NULL || !symbol->takes_prefix) continue;
        *unit = symbol->unit;
        unit->ten += prefixes[i].ten;
        return true;
    }
    return false;
}

static bool explain_unknown(const char *name, char *why, size_t why_size)
{
    char stem[MAX_SYMBOL + 1] = "";
    size_t length = strcspn(name, "0123456789");
    struct scree_unit unit;
    memcpy(stem, name, length);
    const char *known[N_SYMBOLS + 1] = {NULL};
    for (int i = 0; i < N_SYMBOLS; i++) known[i] = symbols[i].name;
    const char *closest = scree_suggest(name, known);
    if (name[length] != '\0' && look_up(stem, &unit))
        snprintf(why, why_size, "unknown unit '%s'; did you mean '%s^%s'?", name, stem,
                 name + length);
    else if (strcmp(name, "step") == 0 || strcmp(name, "steps") == 0)
        snprintf(why, why_size,
                 "unknown unit '%s' (numbers of steps have keys of their own: 'steps')", name);
    else if (closest != NULL)
        snprintf(why, why_size, "unknown unit '%s'; did you mean '%s'?", name, closest);
    else
        snprintf(why, why_size, "unknown unit '%s'", name);
    return false;
}

/* Multiply `unit` by `part` to the given power. */
static void multiply(struct scree_unit *unit, const struct scree_unit *part, int power)
{
    unit->metre += power * part->metre;
    unit->kilogram += power * part->kilogram;
    unit->second += power * part->second;
    unit->radian += power * part->radian;
    unit->ten += power * part->ten;
    for (int k = 0; k < power; k++) unit->factor *= part->factor;
    for (int k = 0; k > power; k--) unit->factor /= part->factor;
    unit->turns = unit->turns || part->turns;
    unit->hertz = unit->hertz || part->hertz;
    unit->percent = unit->percent || part->percent;
    unit->n_symbols += part->n_symbols;
}

/* "^-3" -> -3; nothing -> 1; 0 if it cannot be read. */
static int read_power(const char **text)
{
    const char *c = *text;
    if (*c != '^') return 1;
    c++;
    int sign = *c == '-' ? -1 : 1;
    if (*c == '-' || *c == '+') c++;
    int power = isdigit((unsigned char)c[0]) ? c[0] - '0' : 0;
    if (isdigit((unsigned char)c[0])) c++;
    if (isdigit((unsigned char)c[0]) || *c == '.') power = 0;
    *text = c;
    return sign * power;
}

/* One symbol with its power, counted as 1/... if `below`. */
static bool read_factor(const char **text, bool below, struct scree_unit *unit, char *why,
                        size_t why_size)
{
    char name[MAX_SYMBOL + 1] = "";
    size_t length = strcspn(*text, " ^/*");
    struct scree_unit part;
    if (length == 0 || length > MAX_SYMBOL) {
        const char *rest = **text == '\0' ? "its end" : *text;
        snprintf(why, why_size, "the unit lacks a symbol at %s", rest);
        if (length > 0) snprintf(why, why_size, "unknown unit '%.*s'", (int)length, *text);
        return false;
    }
    memcpy(name, *text, length);
    if (!look_up(name, &part)) return explain_unknown(name, why, why_size);
    *text += length;
    int power = read_power(text);
    if (power == 0) {
        snprintf(why, why_size, "the power of '%s' is not a whole number from -%d to %d", name,
                 MAX_POWER, MAX_POWER);
        return false;
    }
    multiply(unit, &part, below ? -power : power);
    return true;
}

/* "kg/m s" may mean two things; refuse instead of picking one. */
static bool refuse_ambiguous(const char *text, char *why, size_t why_size)
{
    snprintf(why, why_size, "the unit '%s' is ambiguous: write a/b/c or powers such as m^-1", text);
    return false;
}

bool scree_units_parse_unit(const char *text, struct scree_unit *unit, char *why, size_t why_size)
{
    *unit = (struct scree_unit){.factor = 1};
    if (strlen(text) > MAX_UNIT) {
        snprintf(why, why_size, "the unit is longer than %d letters", MAX_UNIT);
        return false;
    }
    bool divided = false;
    const char *c = text + strspn(text, " ");
    for (bool first = true; *c != '\0'; first = false) {
        bool below = *c == '/';
        if (!below && divided) return refuse_ambiguous(text, why, why_size);
        divided = divided || below;
        if (below || (!first && *c == '*')) c += 1 + strspn(c + 1, " ");
        if (!read_factor(&c, below, unit, why, why_size)) return false;
        c += strspn(c, " ");
    }
    return true;
}
