"""The map, as a reader uses it."""

import numpy as np
import pandas as pd

from hsiclearn import SupervisedHSIC
from hsiclearn.plotting import report


def place(page, row):
    return page.evaluate("row => hsiclearnReport.place(row)", row)


def drawn(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
    return page.evaluate("() => hsiclearnReport.drawn()")


def hover(page, row):
    """Point at a row that no other covers."""
    at = place(page, row)
    page.mouse.move(at["x"], at["y"])
    return page.locator("#tip").inner_text()


def lonely_row(Z):
    """The row farthest from its nearest neighbour, on the screen's scale."""
    Z = (Z - Z.min(axis=0)) / np.ptp(Z, axis=0)
    distances = np.linalg.norm(Z[:, None] - Z[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return int(distances.min(axis=1).argmax())


def test_dots_stand_where_their_values_are_and_are_painted(wine, open_page):
    page = open_page(wine.path)
    Z = wine.model.transform(wine.X)[:, :2]
    share = (Z - Z.min(axis=0)) / np.ptp(Z, axis=0)
    plot, view = page.evaluate("hsiclearnReport.plot()"), page.evaluate("hsiclearnReport.view()")
    canvas = page.locator("#scatter").bounding_box()
    row = lonely_row(Z)
    at = place(page, row)
    across = (share[row, 0] - view["x0"]) / (view["x1"] - view["x0"])
    upright = (share[row, 1] - view["y0"]) / (view["y1"] - view["y0"])
    assert abs(at["x"] - canvas["x"] - plot["left"] - plot["width"] * across) < 0.1
    assert abs(at["y"] - canvas["y"] - plot["top"] - plot["height"] * (1 - upright)) < 0.1
    seen = page.evaluate(
        "([x, y]) => [...scatter.getContext('2d').getImageData(x, y, 1, 1).data]",
        [at["x"] - canvas["x"], at["y"] - canvas["y"]],
    )
    blue, orange, green = (0, 114, 178), (213, 94, 0), (0, 158, 115)
    wanted = (blue, orange, green)[wine.y[row]]
    assert max(abs(a - b) for a, b in zip(seen, wanted, strict=False)) < 60
    assert seen[3] > 150


def test_pointing_at_a_dot_shows_its_row(wine, open_page):
    page = open_page(wine.path)
    Z = wine.model.transform(wine.X)
    row = lonely_row(Z[:, :2])
    told = hover(page, row)
    assert f"Row {row + 1}\n" in told
    assert f"target\n{'abc'[wine.y[row]]}" in told
    assert f"{wine.X['flavanoids'][row]:g}" in told
    assert f"{abs(Z[row, 0]):.2f}"[:-1] in told
    assert "and 5 more; click for a list" in told


def test_a_click_lists_all_values_until_it_is_closed(wine, open_page):
    page = open_page(wine.path)
    at = place(page, lonely_row(wine.model.transform(wine.X)[:, :2]))
    page.mouse.click(at["x"], at["y"])
    panel = page.locator("#pinned")
    assert panel.locator("dt").count() == 1 + 3 + 13
    panel.get_by_role("button", name="close").click()
    assert panel.is_hidden()


def test_a_class_is_hidden_and_shown_by_click_and_by_key(wine, open_page):
    page = open_page(wine.path)
    button = page.locator("#legend button.class").nth(1)
    assert (drawn(page), button.get_attribute("aria-pressed")) == (178, "true")
    button.click()
    assert (drawn(page), button.get_attribute("aria-pressed")) == (178 - 71, "false")
    button.focus()
    page.keyboard.press("Enter")
    assert (drawn(page), button.get_attribute("aria-pressed")) == (178, "true")


def test_a_hidden_row_is_not_found_by_the_pointer(wine, open_page):
    page = open_page(wine.path)
    row = lonely_row(wine.model.transform(wine.X)[:, :2])
    page.locator("#legend button.class").nth(int(wine.y[row])).click()
    at = place(page, row)
    page.mouse.move(at["x"], at["y"])
    told = page.locator("#tip").inner_text() if page.locator("#tip").is_visible() else ""
    assert f"Row {row + 1}\n" not in told


def test_other_components_move_the_dots_and_rename_the_axes(wine, open_page):
    page = open_page(wine.path)
    before = place(page, 5)
    assert page.evaluate("hsiclearnReport.axes()") == ["component 1", "component 2"]
    page.locator("#axis-y").select_option("2")
    assert drawn(page) == 178
    assert page.evaluate("hsiclearnReport.axes()") == ["component 1", "component 3"]
    after = place(page, 5)
    assert after["x"] == before["x"]
    assert after["y"] != before["y"]


def test_the_wheel_zooms_and_reset_goes_back(wine, open_page):
    page = open_page(wine.path)
    whole = page.evaluate("hsiclearnReport.view()")
    box = page.locator("#scatter").bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.wheel(0, -600)
    page.wait_for_function("hsiclearnReport.drawn() < 178")
    page.locator("#zoom-reset").click()
    assert drawn(page) == 178
    assert page.evaluate("hsiclearnReport.view()") == whole


def test_a_rectangle_zooms_to_the_dots_in_it(wine, open_page):
    page = open_page(wine.path)
    at = place(page, lonely_row(wine.model.transform(wine.X)[:, :2]))
    page.mouse.move(at["x"] - 12, at["y"] - 12)
    page.mouse.down()
    page.mouse.move(at["x"] + 6, at["y"] + 6)
    page.mouse.move(at["x"] + 12, at["y"] + 12)
    assert page.locator("#box").is_visible()
    page.mouse.up()
    assert 1 <= drawn(page) < 10
    page.locator("#scatter").press("0")
    assert drawn(page) == 178


def test_shift_and_keys_move_the_view(wine, open_page):
    page = open_page(wine.path)
    start = page.evaluate("hsiclearnReport.view()")
    page.locator("#scatter").press("ArrowRight")
    assert page.evaluate("hsiclearnReport.view().x0") > start["x0"]
    page.locator("#scatter").press("+")
    moved = page.evaluate("hsiclearnReport.view()")
    assert moved["x1"] - moved["x0"] < start["x1"] - start["x0"]


def test_clusters_and_given_labels_colour_the_same_dots(views, open_page):
    page = open_page(views.path)
    assert page.locator("#legend").inner_text().startswith("clusters found")
    page.locator("#colour").select_option(label="given labels")
    assert page.locator("#legend").inner_text().startswith("given labels")
    assert drawn(page) == 200


def test_one_direction_with_a_quantity_stands_against_it(diabetes, open_page):
    page = open_page(diabetes.path)
    assert page.evaluate("hsiclearnReport.axes()") == ["component 1", "target"]
    assert page.locator("#axis-x").is_hidden()
    assert page.locator(".colourbar").is_visible()
    high, low = int(diabetes.y.argmax()), int(diabetes.y.argmin())
    assert place(page, high)["y"] < place(page, low)["y"]


def test_names_that_look_like_markup_are_shown_as_text(folder, open_page):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((100, 2)), columns=["<script>alert(1)</script>", "b"])
    evil = "</script><img src=x onerror=alert(1)>"
    y = np.where(X["b"] > 0, evil, "<b>x</b>")
    model = SupervisedHSIC(n_components=1, bandwidth=1.0).fit(X, y)
    path = report(model, X, y, folder / "evil.html", row_names=[f"<i>{i}" for i in range(100)])
    page = open_page(path)
    assert page.locator("#legend").inner_text().count(evil) == 1
    told = hover(page, 7)
    assert "<i>" in told
    assert "<script>alert(1)</script>" in told
    assert page.locator("#loadings-body").inner_text().count("<script>alert(1)</script>") == 1
    assert page.locator("img[src='x'], #legend b, #tip i").count() == 0


def test_rows_far_off_stand_at_the_edge_until_all_are_shown(folder, open_page):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = (X[:, 0] > 0).astype(int)
    model = SupervisedHSIC(n_components=2, bandwidth=1.0).fit(X, y)
    X[:2, 0] = 80.0, 120.0
    X[2, 0] = -90.0
    page = open_page(report(model, X, y, folder / "far.html"))
    assert drawn(page) == 300
    assert page.evaluate("hsiclearnReport.beyond()") == 3
    assert "3 rows lie beyond the edge" in page.locator("#view-note").inner_text()
    before = place(page, 10)["x"], place(page, 11)["x"]
    told = hover(page, 1)
    assert "Row 2\n" in told
    assert "120" in told  # its own value, not that of the edge
    page.locator("#zoom-all").click()
    assert drawn(page) == 300
    assert page.evaluate("hsiclearnReport.beyond()") == 0
    assert page.locator("#view-note").inner_text() == ""
    after = place(page, 10)["x"], place(page, 11)["x"]
    assert abs(after[0] - after[1]) < 0.2 * abs(before[0] - before[1])
    page.locator("#zoom-all").click()
    assert drawn(page) == 300
    assert place(page, 10)["x"] == before[0]
    page.locator("#scatter").press("+")
    assert drawn(page) < 300
    assert page.evaluate("hsiclearnReport.beyond()") == 0


def test_wide_tables_open_as_held_out_and_can_be_seen_as_fitted(noise, open_page):
    page = open_page(noise.path)
    assert page.locator("#zoom-all").is_hidden()
    held = place(page, 5)
    assert page.locator("#positions").input_value() == "held"
    assert drawn(page) == 48
    fold = noise.model.selection_.out_of_fold
    (k,) = np.flatnonzero(fold.rows == 5)
    assert f"{abs(fold.Z[k, 0]):.3f}"[:-1] in hover(page, 5)
    page.locator("#positions").select_option("fitted")
    assert drawn(page) == 48
    assert place(page, 5) != held


def test_the_map_comes_before_its_meaning_and_that_before_the_proof(wine, open_page):
    page = open_page(wine.path)
    tops = [
        page.locator(f"#{name}").bounding_box()["y"]
        for name in ("badge", "map", "meaning", "loadings", "certificate", "evidence", "reproduce")
    ]
    assert tops == sorted(tops)
