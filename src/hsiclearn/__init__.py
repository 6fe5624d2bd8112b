"""hsic-learn."""
from .solvers import solve
from .objective import Objective
from .certificate import certify
