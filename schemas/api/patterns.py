"""Patterns that every reader of the OpenAPI document takes alike.

A class like `\\S` is not one of them: Python counts U+001C to U+001F as blanks, ECMA-262 (the
dialect that JSON Schema names) does not but counts U+FEFF, and Rust's regex does neither. Such
characters are written out.
"""

# One character at least that Python's `str.isspace` does not hold for, which is what the service
# strips.
SAYS_SOMETHING = r"[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
SIX_DIGITS = r"^[ \t\r\n]*[0-9]{6}[ \t\r\n]*$"
