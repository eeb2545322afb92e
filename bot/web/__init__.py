"""The web chat's rooms over our database."""
