"""What each language offers, read from its sources: a list of groups for each, from which reference.py makes pages."""
