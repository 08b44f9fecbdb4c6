"""How listings age, measured on lists of one area from different times."""
