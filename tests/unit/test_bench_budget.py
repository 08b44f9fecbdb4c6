"""The budget of a request times functions by their names."""

from functools import reduce
from importlib import import_module

import pytest

from bench.budget import STAGES


@pytest.mark.parametrize(("label", "module", "name"), STAGES, ids=[label for label, *_ in STAGES])
def test_every_stage_names_a_function(label, module, name):
    assert callable(reduce(getattr, name.split("."), import_module(module)))
