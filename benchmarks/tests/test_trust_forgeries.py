"""Forged files: the same seed makes the same bytes, checksums agree, and what is wrong is seen."""

import numpy as np
import pytest

from hsiclearn._persistence.archive import read_archive
from hsiclearn_benchmarks.trust import PARTS
from hsiclearn_benchmarks.trust.forge import FORGERIES, Archive, forge
from hsiclearn_benchmarks.trust.forge_targets import Target, checkpoints, models
from hsiclearn_benchmarks.trust.forgeries import verdict_on
from hsiclearn_benchmarks.trust.given import Given


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    return models(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return checkpoints(tmp_path_factory.mktemp("checkpoints"))[0].archive


def test_all_is_counted_and_nothing_found():
    part = PARTS["forgeries"](Given(scale=0.002))
    assert part.title.startswith("Forgeries: 200 files")
    files, findings, _, memory = part.goals
    assert files.is_met
    assert findings.is_met, part.notes
    assert memory.is_met


def test_a_file_that_is_packed_again_is_read(targets):
    for target in targets:
        target.path.write_bytes(target.archive.packed())
        assert verdict_on(target).outcome == "loaded"
        assert Archive.of(target.archive.packed()) == target.archive


@pytest.mark.parametrize("how", FORGERIES)
@pytest.mark.parametrize("which", ["model", "checkpoint"])
def test_the_same_seed_makes_the_same_bytes(how, which, targets, checkpoint):
    archive = checkpoint if which == "checkpoint" else targets[-1].archive
    one, other, third = (forge(archive, np.random.default_rng(seed), how) for seed in (1, 1, 2))
    assert one == other
    assert one[0] == how
    assert one[1] != third[1]
    assert one[1] != archive.packed()


@pytest.mark.parametrize(
    ("behaves", "finding"),
    [
        (lambda path: {}["key"], "KeyError"),
        (lambda path: np.float64(1e300) * 1e300, "RuntimeWarning"),
        (lambda path: np.nan, "not finite"),
    ],
)
def test_what_is_no_refusal_is_a_finding(behaves, finding, targets, tmp_path):
    target = Target("one", targets[0].archive, tmp_path / "one", behaves, lambda value: [value])
    verdict = verdict_on(target, weigh=True)
    assert verdict.outcome == "finding"
    assert finding in verdict.finding
    assert verdict.peak is not None


def test_forgeries_get_past_the_checksums(targets):
    """Else nothing behind these would be tried."""
    target = targets[0]
    for seed in range(20):
        _, content = forge(target.archive, np.random.default_rng(seed), "values moved")
        target.path.write_bytes(content)
        documents, arrays = read_archive(target.path)
        assert len(arrays) == len(target.archive.arrays)
        assert "model" in documents
