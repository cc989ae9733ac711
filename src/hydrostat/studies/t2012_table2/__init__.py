"""T2012 Table 2."""
