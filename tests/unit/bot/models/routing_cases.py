"""All routing stories."""

from routing_people import STORIES as PEOPLE
from routing_plans import STORIES as PLANS
from routing_quiet import STORIES as QUIET
from routing_rephrased import STORIES as REPHRASED
from routing_twists import STORIES as TWISTS
from routing_variants import STORIES as VARIANTS
from routing_work import STORIES as WORK

ALL = (*PLANS, *QUIET, *WORK, *PEOPLE, *VARIANTS, *TWISTS, *REPHRASED)
