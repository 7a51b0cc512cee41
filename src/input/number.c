/* SPDX-License-Identifier: BSD-3-Clause
 * Decimal numbers, read strictly and without rounding twice. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input_impl.h"

enum { MAX_NUMBER = 80, MAX_EXPONENT = 9999 };

static size_t count_digits(const char *text)
{
    size_t n = 0;
    while (isdigit((unsigned char)text[n])) n++;
    return n;
}

/* Length of "12.5", the part of a number in front of its exponent. */
static size_t scan_mantissa(const char *text)
{
    size_t sign = text[0] == '+' || text[0] == '-';
    size_t whole = count_digits(text + sign);
    size_t end = sign + whole;
    size_t fraction = text[end] == '.' ? count_digits(text + end + 1) : 0;
    if (whole + fraction == 0) return 0;
    return end + (text[end] == '.' ? 1 + fraction : 0);
}

size_t scree_units_scan_number(const char *text)
{
    size_t end = scan_mantissa(text);
    if (end == 0 || (text[end] != 'e' && text[end] != 'E')) return end;
    size_t sign = text[end + 1] == '+' || text[end + 1] == '-';
    size_t digits = count_digits(text + end + 1 + sign);
    return digits == 0 ? end : end + 1 + sign + digits;
}

static int exponent_of(const char *number, size_t length, size_t mantissa)
{
    if (mantissa >= length) return 0;
    long exponent = strtol(number + mantissa + 1, NULL, 10);
    if (exponent > MAX_EXPONENT) return MAX_EXPONENT;
    return exponent < -MAX_EXPONENT ? -MAX_EXPONENT : (int)exponent;
}

static bool has_digit_above_zero(const char *number, size_t mantissa)
{
    for (size_t i = 0; i < mantissa; i++)
        if (number[i] >= '1' && number[i] <= '9') return true;
    return false;
}

enum scree_number_fault scree_units_scale_number(const char *number, size_t length, int ten,
                                                 double *value)
{
    char text[MAX_NUMBER + 16];
    size_t mantissa = scan_mantissa(number);
    if (length == 0 || mantissa > MAX_NUMBER) return SCREE_NUMBER_NONE;
    memcpy(text, number, mantissa);
    int exponent = exponent_of(number, length, mantissa) + ten;
    snprintf(text + mantissa, sizeof text - mantissa, "e%d", exponent);
    *value = strtod(text, NULL);
    if (isinf(*value)) return SCREE_NUMBER_LARGE;
    if (*value == 0 && has_digit_above_zero(number, mantissa)) return SCREE_NUMBER_SMALL;
    return SCREE_NUMBER_FINE;
}

/* Copy without the underscores, which may only stand between digits. */
static bool strip_underscores(const char *text, char *plain)
{
    size_t n = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (n >= MAX_NUMBER) return false;
        if (text[i] != '_')
            plain[n++] = text[i];
        else if (i == 0 || !isdigit((unsigned char)text[i - 1]) ||
                 !isdigit((unsigned char)text[i + 1]))
            return false;
    }
    plain[n] = '\0';
    return true;
}

/* Digits with a decimal point and a power of ten, as an exact integer. Counts downwards because
 * INT64_MIN has no positive twin. */
static enum scree_number_fault read_exactly(const char *mantissa, size_t length, int exponent,
                                            int64_t *value)
{
    char digits[MAX_NUMBER + 1];
    size_t n = 0;
    const char *point = memchr(mantissa, '.', length);
    if (point != NULL) exponent -= (int)(mantissa + length - point - 1);
    for (size_t i = 0; i < length; i++)
        if (isdigit((unsigned char)mantissa[i]) && (n > 0 || mantissa[i] != '0'))
            digits[n++] = mantissa[i];
    *value = 0;
    if (n == 0) return SCREE_NUMBER_FINE;
    for (; n > 0 && exponent < 0 && digits[n - 1] == '0'; n--) exponent++;
    if (exponent < 0) return SCREE_NUMBER_FRACTION;
    if (n + (size_t)exponent > 19) return SCREE_NUMBER_LARGE;
    for (size_t i = 0; i < n + (size_t)exponent; i++) {
        int digit = i < n ? digits[i] - '0' : 0;
        if (*value < (INT64_MIN + digit) / 10) return SCREE_NUMBER_LARGE;
        *value = *value * 10 - digit;
    }
    if (mantissa[0] == '-') return SCREE_NUMBER_FINE;
    if (*value == INT64_MIN) return SCREE_NUMBER_LARGE;
    *value = -*value;
    return SCREE_NUMBER_FINE;
}

enum scree_number_fault scree_units_parse_integer(const char *text, int64_t *value)
{
    char plain[MAX_NUMBER + 1];
    *value = 0;
    if (!strip_underscores(text, plain)) return SCREE_NUMBER_NONE;
    size_t length = scree_units_scan_number(plain);
    if (length == 0 || plain[length] != '\0') return SCREE_NUMBER_NONE;
    size_t mantissa = scan_mantissa(plain);
    return read_exactly(plain, mantissa, exponent_of(plain, length, mantissa), value);
}
