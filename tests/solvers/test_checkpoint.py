"""A run that is killed and resumed ends with the bytes of one that was not."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import astuple, replace

import numpy as np
import pytest

from hsiclearn import Objective, SupervisedHSIC, solve
from hsiclearn._solvers import SOLVERS, Settings, SpectralSolver, checkpoint, minimise
from hsiclearn.exceptions import CheckpointError
from hsiclearn.gamma import ClassTable, Dense, LowRank
from hsiclearn.kernels import Custom, Gaussian, Linear
from problems import ring, standardised


class PowerCutError(Exception):
    """Stands for whatever ends a process."""


class AfterSteps:
    """A report that cuts the power once so many lines have been written."""

    def __init__(self, steps):
        self.left = steps

    def __call__(self, record):
        self.left -= 1
        if self.left <= 0:
            raise PowerCutError


def wine(q=3):
    X, y, median = standardised("wine")
    return X, ClassTable.centered(y), Gaussian(0.3 * median), q


def indefinite():
    """Random starts on random weights: spectral, Newton, rejected and escape steps."""
    rng = np.random.default_rng(3)
    X, G = rng.standard_normal((60, 6)), rng.standard_normal((60, 60))
    return X, Dense(G + G.T), Gaussian(1.5), 2


def many_rows():
    """More rows than the screen of starts takes: two stages."""
    X, y, _ = ring(450)
    return X, ClassTable.centered(y), Gaussian(1.0), 2


def wide():
    """More features than rows: solved in a reduced basis."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    X = rng.standard_normal((40, 200)) + np.eye(3, 200)[y] * 3
    return X, ClassTable.centered(y), Gaussian(8.0), 3


def many_features():
    """So many that eigenvectors are improved from W, not computed anew."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 230)
    X = rng.standard_normal((230, 210)) + np.eye(3, 210)[y] * 2
    return X, ClassTable.centered(y), Gaussian(4.0), 3


def linear():
    X, y, _ = standardised("wine")
    return X, ClassTable.centered(y), Linear(), 2


def saddle():
    """Eigenvectors of Phi that are not the lowest: stationary, and to be left."""
    X, gamma, _, _ = linear()
    return np.linalg.eigh(-X.T @ gamma.apply(X))[1][:, [0, 4]]


PROBLEMS = {
    "saddle": (linear, {"init": saddle(), "tol": 1e-12}),
    "many features": (many_features, {}),
    "wine": (wine, {}),
    "indefinite": (indefinite, {"init": "random", "random_state": 3}),
    "several starts": (indefinite, {"n_init": 5}),
    "screened starts": (many_rows, {"n_init": 5}),
    "wide": (wide, {}),
    "tiled": (many_rows, {"engine": "tiled"}),
    "budget": (wine, {"max_iter": 3}),
}


def bits(result):
    history = [replace(record, seconds=0.0) for record in result.history]
    certificate = np.array(astuple(result.certificate)[:8], dtype=float)
    return (
        result.W.tobytes(),
        np.float64(result.cost).tobytes(),
        result.status,
        repr([tuple(map(str, astuple(record))) for record in history]),
        result.eigenvalues.tobytes(),
        certificate.tobytes(),
        result.start,
    )


def killed(problem, settings, steps):
    """Run until the power is cut; whether it came to that."""
    try:
        minimise(*problem, replace(settings, callback=AfterSteps(steps)))
    except PowerCutError:
        return True
    return False


@pytest.mark.parametrize("name", PROBLEMS)
def test_killed_after_any_step_the_bytes_are_the_same(name, tmp_path):
    build, options = PROBLEMS[name]
    settings = Settings(checkpoint=tmp_path / "fit.npz", **options)
    problem = build()
    whole = minimise(*problem, replace(settings, checkpoint=None))
    kills = 0
    for steps in (1, 2, 3, 4, 5, 8, 13, 21):
        if killed(problem, settings, steps):
            kills += 1
            resumed = minimise(*problem, replace(settings, resume=True))
            assert bits(resumed) == bits(whole)
    assert kills >= 3


def test_killed_again_and_again(tmp_path):
    settings = Settings(checkpoint=tmp_path / "fit.npz", resume=True, n_init=5)
    problem = many_rows()
    whole = minimise(*problem, Settings(n_init=5))
    attempts = 1
    while killed(problem, settings, 2):
        attempts += 1
        assert attempts < 100
    assert attempts >= 5
    assert bits(minimise(*problem, settings)) == bits(whole)


def test_seconds_go_on_counting(tmp_path):
    settings = Settings(checkpoint=tmp_path / "fit.npz")
    assert killed(wine(), settings, 3)
    result = minimise(*wine(), replace(settings, resume=True))
    seconds = [record.seconds for record in result.history]
    assert seconds == sorted(seconds)


def test_a_checkpoint_changes_nothing_and_a_finished_one_returns_at_once(tmp_path):
    problem, path = wine(), tmp_path / "fit.npz"
    plain = solve(*problem)
    assert bits(solve(*problem, checkpoint=str(path))) == bits(plain)
    steps = []
    settings = Settings(checkpoint=path, resume=True, callback=steps.append)
    assert bits(minimise(*problem, settings)) == bits(plain)
    assert steps == []
    assert os.listdir(tmp_path) == ["fit.npz"]


def test_without_resume_a_file_is_overwritten(tmp_path):
    path = tmp_path / "fit.npz"
    path.write_text("anything")
    solve(*wine(), checkpoint=path)
    solve(*indefinite(), checkpoint=path)
    assert bits(solve(*indefinite(), checkpoint=path, resume=True)) == bits(solve(*indefinite()))


def test_a_missing_file_starts_afresh(tmp_path):
    result = solve(*wine(), checkpoint=tmp_path / "fit.npz", resume=True)
    assert bits(result) == bits(solve(*wine()))
    assert (tmp_path / "fit.npz").exists()


KILLED = """
import os, signal, sys
from hsiclearn._solvers import Settings, minimise
from solvers.test_checkpoint import wine

left = 4
def report(record):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

minimise(*wine(), Settings(checkpoint=sys.argv[1], callback=report))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_process_killed_by_the_system(tmp_path):
    path = tmp_path / "fit.npz"
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)],
        env={**os.environ, "PYTHONPATH": tests},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    header, _ = parts(path)
    assert len(header["entries"][0]["history"]) == 4
    resumed = solve(*wine(), checkpoint=path, resume=True)
    assert bits(resumed) == bits(solve(*wine()))


def parts(path):
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return json.loads(str(arrays.pop("header"))), arrays


def test_the_file_says_which_stage_and_start_it_is_in(tmp_path):
    path = tmp_path / "fit.npz"
    settings = Settings(checkpoint=path, n_init=3)
    assert killed(many_rows(), settings, 10**6) is False
    stages = [(e["stage"], e["start"], e["status"]) for e in parts(path)[0]["entries"]]
    assert [stage for stage, _, _ in stages[:3]] == ["400 rows, dense engine"] * 3
    assert [start for _, start, _ in stages[:3]] == ["phi-zero", "second-moments", "phi-identity"]
    assert all(stage.startswith("450 rows") for stage, _, _ in stages[3:])
    assert {status for _, _, status in stages} == {"CONVERGED"}


def other(change):
    X, gamma, kernel, q = wine()
    if change == "X":
        X = X.copy()
        X[17, 3] += 1e-3
    elif change == "rows":
        X, gamma = X[:-1], gamma.take(np.arange(len(X) - 1))
    elif change == "gamma":
        codes = gamma.codes.copy()
        codes[5] = (codes[5] + 1) % 3
        gamma = ClassTable(codes, gamma.table)
    elif change == "kernel":
        kernel = Gaussian(np.nextafter(kernel.bandwidth, np.inf))
    elif change == "n_components":
        q = 2
    return X, gamma, kernel, q


@pytest.mark.parametrize("change", ["X", "rows", "gamma", "kernel", "n_components"])
def test_another_problem_is_refused(change, tmp_path):
    path = tmp_path / "fit.npz"
    assert killed(wine(), Settings(checkpoint=path), 3)
    before = path.read_bytes()
    name = "X" if change == "rows" else change
    with pytest.raises(CheckpointError, match=f"Differing: {name} was .*, is .*resume=False"):
        solve(*other(change), checkpoint=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "options",
    [
        {"tol": 1e-7},
        {"max_iter": 50},
        {"n_init": 2},
        {"init": "random"},
        {"init": np.eye(13, 3)},
        {"random_state": 1},
        {"random_state": None},
        {"engine": "tiled"},
    ],
    ids=str,
)
def test_other_settings_are_refused(options, tmp_path):
    path = tmp_path / "fit.npz"
    assert killed(wine(), Settings(checkpoint=path), 3)
    with pytest.raises(CheckpointError, match=f"Differing: .*{next(iter(options))} was"):
        solve(*wine(), checkpoint=path, resume=True, **options)


def test_generators_in_the_same_state_are_the_same(tmp_path):
    path = tmp_path / "fit.npz"
    options = {"init": "random", "checkpoint": path}
    for make in (np.random.default_rng, np.random.RandomState):
        assert killed(indefinite(), Settings(random_state=make(3), **options), 3)
        resumed = solve(*indefinite(), random_state=make(3), resume=True, **options)
        assert bits(resumed) == bits(solve(*indefinite(), init="random", random_state=make(3)))
        mersenne = np.random.Generator(np.random.MT19937(0))  # its state holds an array
        with pytest.raises(CheckpointError, match="random_state was"):
            solve(*indefinite(), random_state=mersenne, resume=True, **options)


def test_functions_of_a_kernel_are_known_by_their_values(tmp_path):
    """Another process has other addresses, so the printed form cannot tell."""
    X, gamma, _, q = wine()

    def kernel(scale):
        return Custom(
            lambda b: np.exp(-scale * b),
            lambda b: -scale * np.exp(-scale * b),
            lambda b: scale**2 * np.exp(-scale * b),
        )

    path = tmp_path / "fit.npz"
    assert killed((X, gamma, kernel(0.1), q), Settings(checkpoint=path), 2)
    with pytest.raises(CheckpointError, match="kernel was"):
        solve(X, gamma, kernel(0.11), q, checkpoint=path, resume=True)
    resumed = solve(X, gamma, kernel(0.1), q, checkpoint=path, resume=True)
    assert bits(resumed) == bits(solve(X, gamma, kernel(0.1), q))


def test_a_gamma_written_otherwise_is_the_same_problem():
    """Fingerprints compare to nine digits: what rounds differently is no other problem."""
    from hsiclearn._solvers.checkpoint import fingerprint_of
    from hsiclearn._solvers.problem import Problem

    X, gamma, kernel, q = wine()
    one_hot = np.eye(3)[gamma.codes]

    def fingerprint(gamma):
        problem = Problem(X, gamma, kernel, q, "auto")
        return fingerprint_of(problem, Settings(), np.random.default_rng(0))

    assert fingerprint(gamma) == fingerprint(LowRank.centered(one_hot))
    assert fingerprint(gamma) != fingerprint(LowRank(one_hot))


def written(path):
    assert killed(wine(), Settings(checkpoint=path), 4)
    return path.read_bytes()


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.99])
def test_a_truncated_file_is_refused(share, tmp_path):
    path = tmp_path / "fit.npz"
    whole = written(path)
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(CheckpointError, match=r"damaged or something else.*resume=False"):
        solve(*wine(), checkpoint=path, resume=True)


def test_no_flipped_byte_goes_unnoticed(tmp_path):
    """Refused, or of no consequence; never another answer and never another error."""
    path = tmp_path / "fit.npz"
    file = checkpoint.CheckpointFile(path, {"problem": "one"})
    history = solve(*wine()).history
    state = {"W": np.eye(4, 2), "newton": True, "radius": np.nan}
    file.save([checkpoint.SavedRun("stage", "start", None, state, history)])
    whole, good, refused = path.read_bytes(), repr(file.load()), 0
    for position in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        try:
            assert repr(file.load()) == good
        except CheckpointError:
            refused += 1
    assert refused >= 0.9 * len(range(0, len(whole), 7))


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "fit.npz"
    np.savez(path, a=np.arange(3))
    for content in (path.read_bytes(), b"", b"PK\x03\x04", b"some text", b"\x93NUMPY\x01\x00"):
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match="damaged or something else"):
            solve(*wine(), checkpoint=path, resume=True)
    np.save(path.with_suffix(".npy"), np.arange(3))
    with pytest.raises(CheckpointError, match="damaged or something else"):
        solve(*wine(), checkpoint=path.with_suffix(".npy"), resume=True)


def test_pickles_are_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was opened",))

    path = tmp_path / "fit.npz"
    np.savez(path, header=np.array([Trap()], dtype=object))
    with pytest.raises(CheckpointError, match="damaged or something else"):
        solve(*wine(), checkpoint=path, resume=True)


def rewritten(path, **changes):
    header, arrays = parts(path)
    header.update(changes)
    np.savez(path, header=np.array(json.dumps(header)), **arrays)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "must have format 1.*has format 2"),
        ({"fingerprint": None}, "Differing: X was None"),
        ({"entries": [{}]}, "damaged"),
        ({"entries": 3}, "damaged"),
    ],
)
def test_a_header_that_was_tampered_with_is_refused(changes, message, tmp_path):
    path = tmp_path / "fit.npz"
    written(path)
    rewritten(path, **changes)
    with pytest.raises(CheckpointError, match=message):
        solve(*wine(), checkpoint=path, resume=True)


def test_runs_in_another_order_are_refused(tmp_path):
    path = tmp_path / "fit.npz"
    written(path)
    entries = parts(path)[0]["entries"]
    entries[0]["start"] = "elsewhere"
    rewritten(path, entries=entries)
    with pytest.raises(CheckpointError, match=r"Run 1 is start 'phi-zero' on .*'elsewhere'"):
        solve(*wine(), checkpoint=path, resume=True)


def test_another_cost_at_the_saved_iterate_is_refused(tmp_path):
    """The last line of defence, where the fingerprint saw no difference."""
    path = tmp_path / "fit.npz"
    written(path)
    entries = parts(path)[0]["entries"]
    entries[0]["history"][-1][1] *= 1.001
    rewritten(path, entries=entries)
    with pytest.raises(CheckpointError, match="cost at the saved W is"):
        solve(*wine(), checkpoint=path, resume=True)


@pytest.mark.parametrize("place", ["savez", "fsync", "replace"])
def test_a_failing_write_leaves_the_old_file(place, tmp_path, monkeypatch):
    path = tmp_path / "fit.npz"
    before = written(path)

    def fails(*args, **kwargs):
        if place == "savez":
            args[0].write(b"half a file")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np if place == "savez" else os, place, fails)
        with pytest.raises(OSError, match="No space left"):
            solve(*wine(), checkpoint=path, resume=True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["fit.npz"]
    resumed = solve(*wine(), checkpoint=path, resume=True)
    assert bits(resumed) == bits(solve(*wine()))


def test_a_folder_that_does_not_exist_is_told_before_the_first_step(tmp_path):
    for path in (tmp_path / "none" / "fit.npz", tmp_path):
        with pytest.raises(CheckpointError, match=r"a file in a folder that exists\. Got "):
            solve(*wine(), checkpoint=path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resume": True}, "`resume` needs a file"),
        ({"resume": 1, "checkpoint": "a"}, "`resume` must be a bool"),
        ({"checkpoint": 3}, "`checkpoint` must be a path or None"),
        ({"on_interrupt": "stop"}, "`on_interrupt` must be 'raise' or 'return'"),
    ],
)
def test_bad_settings(options, message):
    with pytest.raises(ValueError, match=message):
        Settings(**options)


@pytest.mark.parametrize("solver", sorted(set(SOLVERS) - {"spectral"}))
def test_solvers_that_cannot_be_resumed_say_so(solver):
    with pytest.raises(ValueError, match=re.escape(f"one of ['spectral']. Got solver={solver!r}")):
        Settings(solver=solver, checkpoint="fit.npz")


def test_a_state_is_all_there_is():
    """Also what few runs depend on: the first cost, and one memory layout for W."""
    objective = Objective(*wine()[:3])
    solver, other_solver = SpectralSolver(objective, 1e-6), SpectralSolver(objective, 1e-6)
    solver.start(np.asfortranarray(np.eye(13, 3)))
    for _ in range(4):
        solver.step()
    state = solver.state()
    step = other_solver.restore(state)
    assert (step.moved, step.evaluations) == (False, 0)
    again = other_solver.state()
    assert state["W"].flags.c_contiguous
    assert again.pop("W").tobytes() == state.pop("W").tobytes()
    assert again == state
    assert state["radius"] > 0
    assert state["first_cost"] == abs(objective.cost(np.eye(13, 3)))


@pytest.mark.parametrize("q", [2, "eigengap"])
def test_the_estimator_resumes(q, tmp_path, monkeypatch):
    X, y, _ = standardised("wine")
    options = {"n_components": q, "bandwidth": 2.0}
    whole = SupervisedHSIC(**options).fit(X, y)
    model = SupervisedHSIC(**options, checkpoint=tmp_path / "fit.npz", resume=True)
    save, left = checkpoint.CheckpointFile.save, 4

    def breaks(self, entries):
        nonlocal left
        save(self, entries)
        left -= 1
        if not left:
            raise PowerCutError

    monkeypatch.setattr(checkpoint.CheckpointFile, "save", breaks)
    with pytest.raises(PowerCutError):
        model.fit(X, y)
    assert not hasattr(model, "components_")
    model.fit(X, y)
    assert bits(model.result_) == bits(whole.result_)
    assert model.components_.tobytes() == whole.components_.tobytes()
    names = sorted(os.listdir(tmp_path))
    assert names == ["fit.npz"] if q == 2 else all(n.startswith("fit.q") for n in names)


def test_verbose_says_where_a_fit_goes_on(tmp_path, capsys):
    path = tmp_path / "fit.npz"
    assert killed(many_rows(), Settings(checkpoint=path, n_init=3), 4)
    assert capsys.readouterr().out == ""
    solve(*many_rows(), checkpoint=path, n_init=3, resume=True, verbose=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "400 rows, dense engine"
    assert any("goes on after step" in line for line in lines)
    assert any(line.startswith("450 rows, ") and ", after 0." in line for line in lines)


def test_durations_read_well():
    from hsiclearn._progress import duration

    assert [duration(s) for s in (0.0123, 99.9, 754.6, 7320.0)] == [
        "0.012 s",
        "99.900 s",
        "12 min 35 s",
        "2 h 02 min",
    ]


def stored(path, header, arrays):
    np.savez(path, header=np.array(json.dumps(header)), **arrays)


def test_a_run_that_did_not_converge_cannot_be_said_to_have(tmp_path):
    """Its cost is right, its columns are orthonormal: the gradient tells."""
    path = tmp_path / "fit.npz"
    written(path)
    for status in ("CONVERGED", "SETTLED", "EIGENVALUES_SETTLED"):
        entries = parts(path)[0]["entries"]
        entries[0]["status"] = status
        rewritten(path, entries=entries)
        with pytest.raises(CheckpointError, match=f"says {status}, the gradient there is"):
            solve(*wine(), checkpoint=path, resume=True)


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.eye(13, 2), r"must have shape \(13, 3\).*has shape \(13, 2\)"),
        (np.eye(12, 3), r"must have shape \(13, 3\).*has shape \(12, 3\)"),
        (2.0 * np.eye(13, 3), "not orthonormal"),
        (np.full((13, 3), np.nan), "not orthonormal"),
        (np.ones((1, 40)), "more directions than features"),
        (np.eye(13, 3, dtype=np.float32), "a run without iterates"),
    ],
    ids=["fewer", "narrower", "long", "nan", "wide", "float32"],
)
def test_directions_that_are_none_are_refused(W, message, tmp_path):
    path = tmp_path / "fit.npz"
    written(path)
    header, arrays = parts(path)
    stored(path, header, arrays | {"0.W": W})
    with pytest.raises(CheckpointError, match=message):
        solve(*wine(), checkpoint=path, resume=True)


def test_a_checkpoint_that_was_tampered_with_is_refused_or_harmless(tmp_path):
    """Any value replaced by any other: never an error of another kind, never another answer."""
    path, rng = tmp_path / "fit.npz", np.random.default_rng(0)
    written(path)
    header, arrays = parts(path)
    whole = solve(*wine()).cost
    values = ["", "CONVERGED", None, -1, 0, 1e300, float("nan"), [], {}, [[]], True]
    refused = 0
    for _ in range(60):
        forged = json.loads(json.dumps(header))
        forged.pop("fingerprint")
        holder, key = rng.choice(np.array(list(places(forged)), dtype=object))
        holder[key] = values[rng.integers(len(values))]
        stored(path, forged | {"fingerprint": header["fingerprint"]}, arrays)
        try:
            again = solve(*wine(), checkpoint=path, resume=True)
        except CheckpointError:
            refused += 1
        else:
            assert again.converged
            assert again.cost == pytest.approx(whole, rel=1e-9)
    assert refused >= 20


def places(document):
    """Every key of every object and list, all the way down."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        yield document, key
        if isinstance(value, dict | list):
            yield from places(value)


def test_a_pipe_and_a_device_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for name in ("pipe", "zeros"):
        with pytest.raises(CheckpointError, match="a device or a pipe"):
            solve(*wine(), checkpoint=tmp_path / name, resume=True)
