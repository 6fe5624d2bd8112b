"""The page as a file: whole, safe, the same every time, and not too large."""

import base64
import copy
import hashlib
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

from hsiclearn import SupervisedHSIC
from hsiclearn._cli.tables import TableEncoder, as_table
from hsiclearn.exceptions import DependenceWarning, MissingExtraError
from hsiclearn.inspection import bootstrap_stability
from hsiclearn.plotting import report
from hsiclearn.plotting.page.figures import collect

EVIL = "</script><img src=x onerror=alert(1)>"
COLUMN = "<script>alert(1)</script>"


class Elements(HTMLParser):
    """Every element with its attributes, and all text outside scripts."""

    def __init__(self, page):
        super().__init__()
        self.found, self.text, self._quiet = [], [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._quiet = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._quiet = False

    def handle_data(self, data):
        if not self._quiet:
            self.text.append(data)


def page_of(case, path, **settings):
    written = report(case.model, case.X, case.y, path, **settings)
    assert written == path
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wine_page(wine, tmp_path_factory):
    return page_of(wine, tmp_path_factory.mktemp("page") / "wine.html", title="Wines")


def test_the_same_input_gives_the_same_bytes(wine, wine_page, tmp_path):
    assert page_of(wine, tmp_path / "again.html", title="Wines") == wine_page


def test_the_figures_in_the_page_are_those_collected(wine, wine_page, read_script):
    assert read_script(wine_page, "figures") == collect(wine.model, wine.X, wine.y)


def test_no_other_address_is_in_the_page(wine_page):
    assert "http:" not in wine_page
    assert "https:" not in wine_page
    for tag, attributes in Elements(wine_page).found:
        assert tag not in ("link", "iframe", "object", "base")
        source = attributes.get("src", attributes.get("href", "data:"))
        assert source.startswith("data:")


def test_the_policy_allows_this_script_and_style_alone(wine_page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', wine_page).group(1)
    policy = policy.replace("&#x27;", "'")
    assert policy.startswith("default-src 'none'; img-src data:;")
    for tag in ("script", "style"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", wine_page, re.S)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_no_element_carries_a_style_or_a_handler(wine_page):
    for _, attributes in Elements(wine_page).found:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]


@pytest.mark.usefixtures("unrendered")
def test_names_of_any_kind_are_text(line, tmp_path, read_script):
    X = pd.DataFrame(line.X, columns=[COLUMN, "b\u2028&", 'c"d$e$'])
    y = pd.Series(np.where(line.y > 0.5, EVIL, "x"), name="<b>target</b>")
    model = SupervisedHSIC(1, bandwidth=1.0).fit(X, y)
    path = report(
        model, X, y, tmp_path / "evil.html", title='"A" <i>title</i>', settings={EVIL: EVIL}
    )
    page = path.read_text(encoding="utf-8")
    elements = Elements(page)
    assert "alert" not in str(elements.found)
    assert not [tag for tag, _ in elements.found if tag in ("b", "i")]
    assert {COLUMN, EVIL, '"A" <i>title</i>'} <= set(elements.text)
    assert read_script(page, "figures")["table"]["feature_names"] == list(X.columns)
    assert EVIL in read_script(page, "page-data")["colourings"][0]["classes"]
    assert page.count("<script>") == 1


@pytest.mark.usefixtures("unrendered")
def test_a_file_that_exists_stays_unless_asked(line, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        report(None, None, None, path)  # before any work
    assert path.read_text() == "mine"
    assert page_of(line, path, overwrite=True).startswith("<!DOCTYPE html>")


def test_without_matplotlib_nothing_is_done(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"hsic-learn\[plot\]"):
        report(None, None, None, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_every_part_is_there_under_its_heading(wine_page):
    heads = re.findall(r"<h2[^>]*>(.*?)</h2>", wine_page)
    assert heads == [
        "The map",
        "What it means",
        "What the directions are made of",
        "Was the optimum verified?",
        "What it rests on",
        "To reproduce",
    ]
    images = [a for tag, a in Elements(wine_page).found if tag == "img"]
    assert len(images) == 4
    assert all(a["alt"] and a["src"].startswith("data:image/png;base64,") for a in images)


@pytest.mark.usefixtures("unrendered")
def test_many_rows_are_sampled_and_the_page_says_so(wine, tmp_path, read_script):
    page = page_of(wine, tmp_path / "some.html", max_rows=50)
    points = read_script(page, "page-data")
    assert (points["n_shown"], points["n_rows"]) == (50, 178)
    assert "The map shows 50 of 178 rows" in page


@pytest.mark.long
def test_a_hundred_thousand_rows_fit_into_ten_megabytes(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 20))
    y = (X[:, 0] > 0).astype(int)
    model = SupervisedHSIC(2, bandwidth="median").fit(X[:2000], y[:2000])
    names = [f"row {i}" for i in range(100_000)]
    path = report(model, X, y, tmp_path / "large.html", row_names=names)
    assert path.stat().st_size <= 10_000_000
    assert "of 20 columns of each row" in path.read_text(encoding="utf-8")


@pytest.mark.usefixtures("unrendered")
def test_rows_have_names_where_they_are_given(line, tmp_path, read_script):
    names = [f"patient {i}" for i in range(120)]
    points = read_script(page_of(line, tmp_path / "a.html", row_names=names), "page-data")
    assert "patient 7" in points["row_names"]["list"]
    with pytest.raises(ValueError, match="each of the 120 rows"):
        page_of(line, tmp_path / "b.html", row_names=names[1:])


@pytest.mark.usefixtures("unrendered")
def test_a_sparse_table_is_shown(line, tmp_path, read_script):
    X = sparse.csr_array(np.where(np.abs(line.X) > 0.5, line.X, 0.0))
    path = report(line.model, X, line.y, tmp_path / "sparse.html")
    points = read_script(path.read_text(encoding="utf-8"), "page-data")
    assert {column["name"] for column in points["details"]} == {"x0", "x1", "x2"}


@pytest.mark.usefixtures("unrendered")
def test_clusters_and_given_labels_are_both_colours(views, tmp_path, read_script):
    page = page_of(views, tmp_path / "views.html")
    colourings = read_script(page, "page-data")["colourings"]
    assert [c["name"] for c in colourings] == ["clusters found", "given labels"]
    assert "Clusters against “given labels”" in page


def test_stability_is_shown_where_it_is_given(line, tmp_path):
    stability = bootstrap_stability(line.model, line.X, line.y, n_resamples=3)
    page = page_of(line, tmp_path / "firm.html", stability=stability)
    assert "How firm the directions are" in page


@pytest.mark.usefixtures("unrendered")
def test_a_kernel_as_target_needs_no_colours(line, tmp_path, read_script):
    K = np.exp(-(np.subtract.outer(line.y, line.y) ** 2))
    model = SupervisedHSIC(1, target="precomputed", bandwidth=1.0, n_init=2).fit(line.X, K)
    page = report(model, line.X, K, tmp_path / "kernel.html").read_text(encoding="utf-8")
    assert read_script(page, "page-data")["colourings"] == []
    assert "a kernel of the rows" in page


@pytest.mark.usefixtures("unrendered")
def test_a_number_of_rows_must_be_one(line, tmp_path):
    with pytest.raises(ValueError, match="`max_rows` must be an integer >= 1"):
        report(line.model, line.X, line.y, tmp_path / "a.html", max_rows=0)


@pytest.mark.usefixtures("unrendered")
def test_a_table_with_names_shows_its_own_columns(tmp_path, read_script):
    rng = np.random.default_rng(0)
    frame = {"age": rng.standard_normal(90), "town": rng.choice(["x", "y"], 90)}
    table = as_table(pd.DataFrame(frame))
    y = (frame["town"] == "x").astype(int)
    model = make_pipeline(TableEncoder(), SupervisedHSIC(1, bandwidth=1.0)).fit(table, y)
    page = report(model, table, y, tmp_path / "table.html").read_text(encoding="utf-8")
    details = read_script(page, "page-data")["details"]
    assert [column["name"] for column in details] == ["town", "age"]
    assert details[0]["list"] == ["x", "y"]


@pytest.mark.usefixtures("unrendered")
def test_the_page_tells_columns_from_features(wine, tmp_path):
    assert "178 rows and 13 columns was searched" in page_of(wine, tmp_path / "a.html")
    model = make_pipeline(PCA(3), SupervisedHSIC(1, bandwidth=1.0)).fit(wine.X, wine.y)
    page = report(model, wine.X, wine.y, tmp_path / "b.html").read_text(encoding="utf-8")
    assert "13 columns, made into 3 features, was searched" in page


def test_each_component_is_shown_with_its_spread(wine, wine_page):
    (row,) = re.findall(r'<tr class="spread">(.*?)</tr>', wine_page)
    expected = wine.model.transform(wine.X).std(axis=0)
    assert re.findall(r"<td>(.*?)</td>", row)[:2] == [f"{sd:.3g}" for sd in expected]


@pytest.mark.usefixtures("unrendered")
def test_a_third_scale_is_offered_where_it_differs(wine, wine_page, line, tmp_path):
    name = "loading, as the model sees the columns"
    assert name not in wine_page  # standardised: the same as the first
    assert name in page_of(line, tmp_path / "line.html")


@pytest.mark.usefixtures("unrendered")
def test_eigenvalues_that_agree_support_no_number_of_clusters(views, tmp_path):
    model = copy.deepcopy(views.model)
    model.graph_eigenvalues_ = np.array([1.0, 1.0 - 6e-12, 1.0 - 2.7e-8])
    page = report(model, views.X, None, tmp_path / "a.html").read_text(encoding="utf-8")
    assert "the first 3 eigenvalues agree to a thousandth" in page
    model.graph_eigenvalues_ = np.array([1.0, 0.9, 0.5])
    page = report(model, views.X, None, tmp_path / "b.html").read_text(encoding="utf-8")
    assert "is 0.4, the widest before it 0.1." in page


@pytest.mark.usefixtures("unrendered")
def test_nothing_found_gets_no_green_mark(tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((200, 4)), rng.integers(0, 2, 200)
    with pytest.warns(DependenceWarning, match="No dependence found"):
        model = SupervisedHSIC(1).fit(X, y)
    page = report(model, X, y, tmp_path / "noise.html").read_text(encoding="utf-8")
    assert 'class="mark bad">✗ Found nothing that holds for other rows' in page
    assert 'class="mark good"' not in page
