"""The examples of docs/how_to do what their pages say."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import naive
from hsiclearn import Objective, Status, SupervisedHSIC, solve
from hsiclearn._engines import policy
from hsiclearn._linalg import sine_of_largest_angle
from hsiclearn._selection import RULES
from hsiclearn._solvers import run
from hsiclearn.gamma import ClassTable
from hsiclearn.kernels import Gaussian, check_derivatives
from naive import assert_close
from registry import GAMMAS, KERNELS, TWO_CLASSES, UNSORTED, H, V, W, X, Z, one_hot, orthonormal

CODE = Path(__file__).parents[1] / "docs" / "how_to" / "code"


def example(name):
    spec = importlib.util.spec_from_file_location(f"how_to_{name}", CODE / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_the_pages_show_is_there():
    """Each ``literalinclude`` names a file, and an object in it."""
    for page in sorted([*CODE.parent.glob("*.md"), CODE.parents[1] / "gpu.md"]):
        shown = re.findall(r"literalinclude\} (\S+)\n((?::.*\n)*)", page.read_text())
        for path, options in shown:
            source = (page.parent / path).read_text()
            for name in re.findall(r":pyobject: (\w+)", options):
                assert re.search(rf"^(class|def) {name}\b", source, re.M), (page, name)
            for start in re.findall(r":start-at: (.+)", options):
                assert start in source, (page, start)


def test_the_kernel_has_the_derivatives_it_says():
    kernel = example("logarithmic").Logarithmic(2.0)
    check_derivatives(kernel, np.linspace(0.0, 20.0, 50))
    assert not kernel.grows_with_distance


def test_the_paradigm_is_the_matrix_it_says():
    gamma = example("nuisance").nuisance_gamma(UNSORTED, TWO_CLASSES, mu=0.5)
    y, z = one_hot(UNSORTED), one_hot(TWO_CLASSES)
    np.testing.assert_allclose(gamma.to_dense(), H @ (y @ y.T - 0.5 * z @ z.T) @ H, atol=1e-13)


@pytest.mark.parametrize("kernel_name", ["gaussian", "sum-mixed-signed", "relative-gaussian"])
def test_the_engine_computes_the_written_out_sums(kernel_name):
    gamma, dense = GAMMAS["classes-unsorted"]
    engine = example("written_out").WrittenOutEngine(X, gamma, KERNELS[kernel_name])
    right = naive.everything(X, dense, KERNELS[kernel_name], W, V, Z)
    assert_close(np.array(engine.total(W)), right["total"], 1e-12, right["size"])
    assert_close(engine.contract(W)[1], right["contract"], 1e-12)
    assert_close(engine.apply(W, V, Z), right["apply along Z"], 1e-12)
    assert_close(engine.hessian_blocks(W), right["hessian_blocks"], 1e-12)


def test_an_engine_needs_one_file_and_one_line_in_the_policy(monkeypatch):
    """With its name in the table it is solved with; nothing else was touched."""
    engine = example("written_out").WrittenOutEngine
    monkeypatch.setitem(policy.ENGINES, engine.name, engine)
    gamma, kernel = ClassTable.centered(UNSORTED), Gaussian(2.0)
    result = solve(X, gamma, kernel, 2, engine="written-out")
    assert result.engine == "written-out"
    assert result.certificate.verified
    assert_close(result.W, solve(X, gamma, kernel, 2, engine="dense").W, 1e-6)


def test_the_solver_ends_where_the_spectral_one_does():
    gamma, kernel = ClassTable.centered(UNSORTED), Gaussian(2.0)
    expected = solve(X, gamma, kernel, 1, n_init=4)
    solver = example("gradient").GradientSolver(Objective(X, gamma, kernel), 1e-6)
    outcome = run(solver, orthonormal(4, 1, seed=0), max_iter=500)
    assert outcome.status is Status.CONVERGED
    assert sine_of_largest_angle(expected.W, outcome.point.W) <= 1e-4


@pytest.mark.parametrize("n_components", [2, "eigengap", "auto"])
def test_the_rule_needs_no_more_than_its_line_in_the_table(monkeypatch, n_components):
    codes = np.arange(60) % 3
    rows = np.random.default_rng(0).standard_normal((60, 4)) + 8.0 * np.eye(3, 4)[codes]
    with pytest.raises(ValueError, match="'bandwidth' parameter of SupervisedHSIC must be"):
        SupervisedHSIC(2, bandwidth="nearest").fit(rows, codes)
    monkeypatch.setitem(RULES["bandwidth"], "nearest", example("nearest").Nearest)
    model = SupervisedHSIC(n_components, bandwidth="nearest").fit(rows, codes)
    apart = np.linalg.norm(rows[:, None] - rows, axis=2)
    nearest = np.median(np.sort(apart, axis=1)[:, 7])
    assert model.bandwidth_ == pytest.approx(nearest, rel=1e-12)
    assert model.certificate_.verified


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask's, of pandas
def test_tensors_are_fitted_where_they_are():
    pytest.importorskip("torch", reason="torch is an optional extra")
    page = example("device")
    X, y = page.make_rows("cpu")
    model = page.fit(X, y)
    assert page.project(model, X).shape == (3000, 2)
    host = page.fit_array(X.numpy(), y.numpy())
    np.testing.assert_allclose(host.components_, model.components_.numpy(), atol=1e-5)
    assert page.depends(X[:300], y[:300]).pvalue < 0.05


@pytest.mark.long
def test_the_cluster_fits_what_memory_does(tmp_path, capsys):
    """The page from its beginning to its end: threads are the workers."""
    page = example("cluster")
    folder, target = tmp_path / "plane", tmp_path / "rows"
    with page.start() as client, client.cluster:
        rows, y = page.make_rows()
        model = page.fit(rows, y, tmp_path / "fit.npz")
        page.write_directions(model, rows, folder)
        names = [f"x{j}" for j in range(rows.shape[1])]
        frame = page.dd.from_dask_array(rows, columns=names)
        frame.assign(y=page.dd.from_dask_array(y)).to_parquet(target)
        again = page.fit(*page.read_rows(target), tmp_path / "again.npz")
        X, Y = rows.compute(), y.compute()
    assert "4 chunks of Dask's, kept in memory" in capsys.readouterr().out
    theirs = SupervisedHSIC(2, bandwidth="median", engine="nystrom").fit(X, Y)
    assert_close(model.components_, theirs.components_, 1e-4)
    assert_close(again.components_, model.components_, 1e-4)
    written = page.dd.read_parquet(folder).compute()
    assert_close(written.to_numpy(), model.transform(X), 1e-5)
    assert page.save_and_load(model, tmp_path / "model.hsic").shape == (3, 2)
