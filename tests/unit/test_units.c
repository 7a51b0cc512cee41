/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers with units, and what is said about those that are wrong. */
#include <math.h>

#include "scree/input.h"
#include "unit.h"

#define PI 3.14159265358979323846

static void expect_value(const char *text, const char *unit, double expected)
{
    double value = NAN;
    char why[400] = "";
    bool good = scree_units_parse(text, unit, &value, why, sizeof why);
    cr_expect(good, "'%s' as '%s': %s", text, unit, why);
    cr_expect(value == expected, "'%s' as '%s' is %.17g, not %.17g", text, unit, value, expected);
}

static void expect_refusal(const char *text, const char *unit, const char *expected)
{
    double value = 42;
    char why[400] = "";
    cr_expect(!scree_units_parse(text, unit, &value, why, sizeof why), "'%s' -> %g", text, value);
    cr_expect_str_eq(why, expected, "'%s' as '%s': \n'%s' not\n'%s'", text, unit, why, expected);
    cr_expect_eq(value, 42);
}

Test(units, bare_numbers_are_si)
{
    expect_value("5", "N/m", 5);
    expect_value("-0.25", "m", -0.25);
    expect_value("+.5", "", 0.5);
    expect_value("5.", "1", 5);
    expect_value("1e-3", "s", 1e-3);
    expect_value(" 1E+3 ", "s", 1e3);
    expect_value("0", "kg", 0);
    expect_value("0e99999", "kg", 0);
}

Test(units, prefixes_scale_without_rounding_twice)
{
    expect_value("0.5 mm", "m", 5e-4);
    expect_value("0.1mm", "m", 1e-4);
    expect_value("3 um", "m", 3e-6);
    expect_value("3 \xc2\xb5m", "m", 3e-6);
    expect_value("3 \xce\xbcm", "m", 3e-6);
    expect_value("7 nm", "m", 7e-9);
    expect_value("7 cm", "m", 0.07);
    expect_value("1 kPa", "Pa", 1e3);
    expect_value("1.1 MPa", "Pa", 1.1e6);
    expect_value("70 GPa", "Pa", 7e10);
    expect_value("2 bar", "Pa", 2e5);
    expect_value("1.3 g", "kg", 1.3e-3);
    expect_value("1.3 kg", "kg", 1.3);
    expect_value("0.3 mg", "kg", 0.3e-6);
    expect_value("1e3 ms", "s", 1);
    expect_value("5 us", "s", 5e-6);
    expect_value("5 kJ", "J", 5e3);
    expect_value("5 mW", "W", 5e-3);
    expect_value("5 kHz", "1/s", 5e3);
}

Test(units, products_and_quotients)
{
    expect_value("2.5 g/cm^3", "kg/m^3", 2500);
    expect_value("2500 kg m^-3", "kg/m^3", 2500);
    expect_value("100 N/m", "N/m", 100);
    expect_value("100 kg s^-2", "N/m", 100);
    expect_value("100 kg/s^2", "N/m", 100);
    expect_value("1 N s/m", "kg/s", 1);
    expect_value("1 N*s / m", "kg/s", 1);
    expect_value("9.81 m/s^2", "m/s^2", 9.81);
    expect_value("9.81 m/s/s", "m/s^2", 9.81);
    expect_value("5 1/s", "1/s", 5);
    expect_value("5/s", "1/s", 5);
    expect_value("5 /s", "1/s", 5);
    expect_value("1 J/m^2", "N/m", 1);
    expect_value("4 mm^2", "m^2", 4e-6);
    expect_value("36 km/h", "m/s", 36e3 / 3600);
    expect_value("2 min", "s", 120);
    expect_value("2 h", "s", 7200);
    expect_value("5 m^+1", "m", 5);
}

Test(units, angles)
{
    expect_value("90 deg", "rad", 90 * (PI / 180));
    expect_value("0.5 rad", "rad", 0.5);
    expect_value("0.5", "rad", 0.5);
    expect_value("2 rev", "rad", 2 * (2 * PI));
    expect_value("10 rpm", "rad/s", 10 * (2 * PI / 60));
    expect_value("0.01 rev/s", "rad/s", 0.01 * (2 * PI));
    expect_value("3 1/s", "rad/s", 3);
    expect_value("3 deg/s", "rad/s", 3 * (PI / 180));
    expect_value("3 N m/rad", "N m", 3);
    expect_refusal("5 Hz", "rad/s",
                   "expected an angular speed such as 5 rad/s; Hz is ambiguous here: write rev/s, "
                   "rad/s or 1/s");
    expect_refusal("5 rpm", "1/s", "expected a rate such as 5/s, got an angular speed");
    expect_refusal("5 %", "rad", "expected an angle such as 5 rad, got a percentage");
    expect_refusal("5 s", "rad", "expected an angle such as 5 rad, got a time");
}

Test(units, plain_numbers)
{
    expect_value("5 %", "", 0.05);
    expect_value("5%", "1", 0.05);
    expect_refusal("0.5 m", "", "expected a number such as 0.5, got a length");
    expect_refusal("0.5 rad", "1", "expected a number such as 0.5, got an angle");
    expect_refusal("0.5 m/m", "", "expected a number such as 0.5, without unit");
}

Test(units, wrong_dimension_is_explained)
{
    expect_refusal("5 kg", "s", "expected a time such as 5 s, got a mass");
    expect_refusal("1 g", "m", "expected a length such as 1 m, got a mass");
    expect_refusal("1 m", "N/m", "expected a stiffness such as 1 N/m, got a length");
    expect_refusal("1 m^5 g", "Pa", "expected a pressure such as 1 Pa, got a value in kg m^5");
    expect_refusal("1 s", "m^5/s", "expected a value in m^5 s^-1 such as 1 m^5/s, got a time");
    expect_refusal("1 %", "m", "expected a length such as 1 m, got a percentage");
}

Test(units, unknown_units)
{
    expect_refusal("5 foo", "m", "unknown unit 'foo'; expected a length such as 5 m");
    expect_refusal("5 sec", "s", "unknown unit 'sec'; expected a time such as 5 s");
    expect_refusal("5 steps", "s",
                   "unknown unit 'steps' (numbers of steps have keys of their own: 'steps'); "
                   "expected a time such as 5 s");
    expect_refusal("5 Min", "s",
                   "unknown unit 'Min'; did you mean 'min'? expected a time such as 5 s");
    expect_refusal("5 m2", "m^2",
                   "unknown unit 'm2'; did you mean 'm^2'? expected an area such as 5 m^2");
    expect_refusal("5 d", "s", "unknown unit 'd'; expected a time such as 5 s");
    expect_refusal("5 kmin", "s",
                   "unknown unit 'kmin'; did you mean 'min'? expected a time such as 5 s");
    expect_refusal("5 kg/m s", "kg/m/s",
                   "the unit 'kg/m s' is ambiguous: write a/b/c or powers such as m^-1; expected "
                   "a viscosity such as 5 kg/m/s");
    expect_refusal("5 N/", "N", "the unit lacks a symbol at its end; expected a force such as 5 N");
    expect_refusal("5 N//m", "N/m",
                   "the unit lacks a symbol at /m; expected a stiffness such as 5 N/m");
    expect_refusal("5 m^1.5", "m",
                   "the power of 'm' is not a whole number from -9 to 9; expected a length such "
                   "as 5 m");
    expect_refusal("5 m^", "m",
                   "the power of 'm' is not a whole number from -9 to 9; expected a length such "
                   "as 5 m");
    expect_refusal("5 aVeryLongUnitNameIndeed", "m",
                   "unknown unit 'aVeryLongUnitNameIndeed'; expected a length such as 5 m");
}

Test(units, what_is_no_number)
{
    expect_refusal("", "m", "expected a length such as 1 m");
    expect_refusal("abc", "m", "expected a length such as 1 m");
    expect_refusal("nan", "m", "expected a length such as 1 m");
    expect_refusal("inf", "", "expected a number such as 1");
    expect_refusal("-inf", "", "expected a number such as 1");
    expect_refusal(".", "", "expected a number such as 1");
    expect_refusal("0x10", "", "unknown unit 'x10'; expected a number such as 0");
    expect_refusal("1_000", "", "unknown unit '_000'; expected a number such as 1");
    expect_refusal("0,5", "m", "the decimal sign is a point, not a comma");
    expect_refusal("1e999", "m", "too large (allowed up to 1e100 in SI units)");
    expect_refusal("1e300 Gm^9", "m^9", "too large (allowed up to 1e100 in SI units)");
    expect_refusal("1e307 h", "s", "too large (allowed up to 1e100 in SI units)");
    expect_refusal("1e-999", "m", "too small for a number other than 0");
    expect_refusal("1 m 5", "m", "unknown unit '5'; expected a length such as 1 m");
}
