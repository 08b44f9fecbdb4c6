"""How listings age: measured on lists of one area made at different times."""
