/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers with units against the unit that is wanted, and what the quantities are called. */
#include <math.h>
#include <string.h>

#include "input_impl.h"

enum { MAX_SHOWN = 24 /* letters of a number repeated as an example */ };

static const struct {
    int metre, kilogram, second, radian;
    const char *name;
} quantities[] = {
    {0, 0, 0, 0, "a number"},
    {0, 0, 0, 1, "an angle"},
    {1, 0, 0, 0, "a length"},
    {2, 0, 0, 0, "an area"},
    {3, 0, 0, 0, "a volume"},
    {0, 1, 0, 0, "a mass"},
    {0, 0, 1, 0, "a time"},
    {0, 0, -1, 0, "a rate"},
    {0, 0, -1, 1, "an angular speed"},
    {0, 0, -2, 1, "an angular acceleration"},
    {1, 0, -1, 0, "a speed"},
    {1, 0, -2, 0, "an acceleration"},
    {-3, 1, 0, 0, "a density"},
    {1, 1, -1, 0, "a momentum"},
    {2, 1, 0, 0, "a moment of inertia"},
    {1, 1, -2, 0, "a force"},
    {-1, 1, -2, 0, "a pressure"},
    {-1, 1, -1, 0, "a viscosity"},
    {2, 1, -2, 0, "an energy or torque"},
    {2, 1, -3, 0, "a power"},
    {0, 1, -2, 0, "a stiffness"},
    {0, 1, -1, 0, "a damping coefficient"},
};

void scree_units_name(const struct scree_unit *unit, char *text, size_t text_size)
{
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        if (quantities[i].metre != unit->metre || quantities[i].kilogram != unit->kilogram ||
            quantities[i].second != unit->second || quantities[i].radian != unit->radian)
            continue;
        snprintf(text, text_size, "%s", quantities[i].name);
        return;
    }
    const int powers[] = {unit->kilogram, unit->metre, unit->second, unit->radian};
    static const char *const names[] = {"kg", "m", "s", "rad"};
    snprintf(text, text_size, "a value in");
    for (int k = 0; k < 4; k++) {
        size_t used = strlen(text);
        if (powers[k] == 1) snprintf(text + used, text_size - used, " %s", names[k]);
        if (powers[k] != 0 && powers[k] != 1)
            snprintf(text + used, text_size - used, " %s^%d", names[k], powers[k]);
    }
}

/* The unit of a schema row: a bug of ours if it is not plain SI. */
static struct scree_unit wanted_unit(const char *unit)
{
    struct scree_unit wanted;
    char why[160] = "not SI";
    bool parsed = scree_units_parse_unit(unit, &wanted, why, sizeof why);
    if (!parsed || wanted.ten != 0 || wanted.factor < 1 || wanted.factor > 1 || wanted.percent)
        SCREE_ABORT("schema unit '%s': %s", unit, why);
    return wanted;
}

void scree_units_expect(const char *unit, const char *number, char *text, size_t text_size)
{
    if (strcmp(unit, SCREE_UNIT_FLAT_STRESS) == 0) {
        snprintf(text, text_size, "a stress of two dimensions such as %s N/m", number);
        return;
    }
    struct scree_unit wanted = wanted_unit(unit);
    char name[80];
    scree_units_name(&wanted, name, sizeof name);
    bool bare = wanted.n_symbols == 0;
    bool inverse = strncmp(unit, "1/", 2) == 0; /* "5/s" reads better than "5 1/s" */
    snprintf(text, text_size, "%s such as %s%s%s", name, number, bare || inverse ? "" : " ",
             bare      ? ""
             : inverse ? unit + 1
                       : unit);
}

/* Angles count no dimension, yet a number of turns is not a plain number, and Hz says neither
 * turns nor radians. */
static bool agrees(const struct scree_unit *got, const struct scree_unit *wanted)
{
    if (got->metre != wanted->metre || got->kilogram != wanted->kilogram ||
        got->second != wanted->second)
        return false;
    if (wanted->n_symbols == 0) return got->n_symbols == 0;
    if (got->percent) return false;
    bool kinematic = got->metre == 0 && got->kilogram == 0;
    if (wanted->radian == 0) return got->radian == 0 || !(got->turns || kinematic);
    if (got->hertz) return false;
    return got->radian == wanted->radian || (got->radian == 0 && got->second != 0);
}

static bool explain(const char *text, size_t length, const char *unit, const struct scree_unit *got,
                    char *why, size_t why_size)
{
    char number[MAX_SHOWN + 1] = "1", expected[160], name[80];
    struct scree_unit wanted = wanted_unit(unit);
    if (length > 0 && length <= MAX_SHOWN) {
        memcpy(number, text, length);
        number[length] = '\0';
    }
    scree_units_expect(unit, number, expected, sizeof expected);
    if (got == NULL) {
        snprintf(why, why_size, "expected %s", expected);
        return false;
    }
    scree_units_name(got, name, sizeof name);
    bool is_ratio = strcmp(name, "a number") == 0;
    if (got->hertz && wanted.radian != 0 && wanted.second == got->second)
        snprintf(why, why_size, "expected %s; Hz is ambiguous here: write rev/s, rad/s or 1/s",
                 expected);
    else if (wanted.n_symbols == 0 && is_ratio)
        snprintf(why, why_size, "expected %s, without unit", expected);
    else
        snprintf(why, why_size, "expected %s, got %s", expected,
                 got->percent ? "a percentage" : name);
    return false;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Squares and cubes of what is read are numbers: volumes, distances, kinetic energies. */
static const double largest = 1e100;

bool scree_units_parse(const char *text, const char *unit, double *value, char *why,
                       size_t why_size)
{
    struct scree_unit wanted = wanted_unit(unit), got = wanted;
    char fault[200] = "", expected[200] = "";
    text = skip_blanks(text);
    size_t length = scree_units_scan_number(text);
    if (length == 0) return explain("", 0, unit, NULL, why, why_size);
    const char *rest = skip_blanks(text + length);
    if (rest[0] == ',') {
        snprintf(why, why_size, "the decimal sign is a point, not a comma");
        return false;
    }
    if (rest[0] != '\0' && !scree_units_parse_unit(rest, &got, fault, sizeof fault)) {
        explain(text, length, unit, NULL, expected, sizeof expected);
        snprintf(why, why_size, "%s%s %s", fault, strchr(fault, '?') != NULL ? "" : ";", expected);
        return false;
    }
    if (!agrees(&got, &wanted)) return explain(text, length, unit, &got, why, why_size);
    double scaled = 0;
    enum scree_number_fault number = scree_units_scale_number(text, length, got.ten, &scaled);
    scaled *= got.factor;
    if (number == SCREE_NUMBER_FINE && fabs(scaled) <= largest) {
        *value = scaled;
        return true;
    }
    snprintf(why, why_size, "%s",
             number == SCREE_NUMBER_SMALL  ? "too small for a number other than 0"
             : number == SCREE_NUMBER_NONE ? "too many digits"
                                           : "too large (allowed up to 1e100 in SI units)");
    return false;
}
