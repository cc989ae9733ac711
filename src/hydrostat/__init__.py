"""hydrostat: simulate and control characters that move by muscle.

Importing the package itself is free of heavy imports; take what you need from its rooms, for example
``from hydrostat.scenes import load_scene``. Units are SI, y points up.
"""

__version__ = "0.1.0"
