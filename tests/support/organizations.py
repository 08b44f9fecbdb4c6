"""The file of an invented organization that runs an instance."""

OWN = """
is_fictional: false
legal_name: Quince County Food Network, Inc.
common_name: Quince Food
ein: 12-3456789
classification: 501(c)(3)
address: 5 Oak Street
city: Quince
state: OR
zip: "97000"
phone: (503) 226-0111
email: office@quincefood.us
domain: quincefood.us
"""
