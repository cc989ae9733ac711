"""Pictures and movies of recorded motion, drawn by our own rasteriser: no GL and no screen needed."""
