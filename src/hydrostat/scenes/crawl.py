from __future__ import annotations
from dataclasses import replace
import os, json
import numpy as np
from hydrostat.characters.worm import CHARACTER as WORM
from hydrostat.contact.friction import Friction
from hydrostat.control.behaviours.crawl import Crawl
from hydrostat.control.controllers import GoalController
from hydrostat.control.plans import Plan
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of

P = json.loads(os.environ.get("P", "{}"))
MU = P.pop("mu", 0.2); EFFORT = P.pop("effort", 3e-4); CHANGE = P.pop("change", 3e-3)

def make(friction, arch):
    def build(settings):
        world = world_of(WORM, settings, friction)
        goals = Crawl(**P).goals(world)
        ceiling = np.where(world.muscles.groups == 0, 0.0, 1.0) if arch else 1.0
        c = controller_of(GoalController(lambda m: Plan(goals, ceiling=ceiling), EFFORT, CHANGE), settings)
        return Stage(world, start_of(world, settings), c, WORM.height)
    return build
SCENE_LIST = (
    Scene("crawl-earthworm", "x", 15.0, make(Friction(MU, 10*MU), False)),
    Scene("crawl-earthworm-equal", "x", 15.0, make(Friction(MU), False)),
    Scene("crawl-inchworm", "x", 15.0, make(Friction(MU, 10*MU), True)),
)
