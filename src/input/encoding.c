/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes that are no UTF-8 text, found before libyaml sees them so that they have a place. */
#include <string.h>

#include "input_impl.h"

/* Length of the sequence at `s` (0 if it is not UTF-8) and its code point. */
static size_t decode(const unsigned char *s, size_t n_left, unsigned long *code)
{
    static const unsigned long smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : 4;
    if (length == 4 && s[0] >> 3 != 30) return 0;
    if (length > n_left) return 0;
    *code = length == 1 ? s[0] : s[0] & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; k++) {
        if (s[k] >> 6 != 2) return 0;
        *code = *code << 6 | (s[k] & 0x3f);
    }
    if (*code < smallest[length] || *code > 0x10ffff) return 0;
    return *code >= 0xd800 && *code <= 0xdfff ? 0 : length;
}

static bool is_allowed(unsigned long code)
{
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0x7f && !(code > 0x7f && code < 0xa0 && code != 0x85) && code != 0xfffe &&
           code != 0xffff;
}

bool scree_input_check_bytes(const char *bytes, size_t n_bytes, struct scree_place *place,
                             const char **why)
{
    place->line = place->column = 1;
    for (size_t i = 0; i < n_bytes;) {
        unsigned long code = 0;
        size_t length = decode((const unsigned char *)bytes + i, n_bytes - i, &code);
        *why = length == 0 ? "the text is not UTF-8"
               : code == 0 ? "a NUL byte stands in the text"
                           : "a control character stands in the text";
        if (length == 0 || !is_allowed(code)) return false;
        i += length;
        /* "\r\n" is one break; a lone "\r" is one, too. */
        bool breaks = code == '\n' || (code == '\r' && !(i < n_bytes && bytes[i] == '\n'));
        place->line += breaks;
        place->column = breaks ? 1 : place->column + 1;
    }
    return true;
}
