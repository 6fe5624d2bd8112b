"""The rest of the page, and how fast it is."""

import json

import pytest

from hsiclearn.plotting.page.figures import collect


def column(page):
    return page.locator("#loadings-body th").all_inner_texts()


def test_loadings_are_sorted_by_any_column(wine, open_page):
    page = open_page(wine.path)
    loadings = collect(wine.model, wine.X, wine.y)["components"]["standardised"]
    names = list(wine.X.columns)
    heads = page.locator("#loadings thead th")
    heads.nth(2).get_by_role("button").click()
    by_size = sorted(range(13), key=lambda j: -abs(loadings[1][j]))
    assert column(page) == [names[j] for j in by_size]
    assert heads.nth(2).get_attribute("aria-sort") == "descending"
    assert heads.nth(4).get_attribute("aria-sort") == "none"
    heads.nth(0).get_by_role("button").click()
    assert column(page) == sorted(names)
    assert heads.nth(0).get_attribute("aria-sort") == "ascending"
    heads.nth(0).get_by_role("button").press("Enter")
    assert column(page) == sorted(names, reverse=True)


def test_features_are_found_by_a_part_of_their_name(wine, open_page):
    page = open_page(wine.path)
    page.locator("#loadings-filter").fill("phenol")
    assert sorted(column(page)) == ["nonflavanoid_phenols", "total_phenols"]


def test_shares_replace_loadings_on_request(wine, open_page):
    page = open_page(wine.path)
    page.locator("#loadings-scale").select_option("shares")
    cells = page.locator("#loadings-body tr td:nth-child(2)").all_inner_texts()
    assert sum(float(cell.strip(" %")) for cell in cells) == pytest.approx(100.0, abs=1.0)


def test_all_figures_are_downloaded(wine, open_page):
    page = open_page(wine.path)
    with page.expect_download() as download:
        page.locator("#download").click()
    assert download.value.suggested_filename == "figures.json"
    with open(download.value.path(), encoding="utf-8") as file:
        assert json.load(file) == collect(wine.model, wine.X, wine.y, class_names=["a", "b", "c"])


def test_without_scripts_pictures_take_the_place_of_the_map(wine, open_page):
    page = open_page(wine.path, java_script_enabled=False)
    images = page.locator("#map img, #loadings img")
    assert images.count() == 2
    for image in images.all():
        assert image.is_visible()
        assert image.bounding_box()["width"] > 200
    assert page.locator("#scatter").is_hidden()
    assert page.locator("#loadings-body tr").count() == 13


@pytest.mark.parametrize("name", ["wine", "noise", "views", "diabetes"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_in_one_direction_only(request, open_page, scheme, name):
    size = {"width": 360, "height": 740}
    path = request.getfixturevalue(name).path
    page = open_page(path, viewport=size, color_scheme=scheme, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_dark_readers_get_dark_ground_under_the_dots(wine, open_page):
    page = open_page(wine.path, color_scheme="dark")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in ground[4:-1].split(",")) < 60


def test_a_hundred_thousand_rows_are_small_and_quick(many, open_page):
    assert many.path.stat().st_size <= 10_000_000
    page = open_page(many.path)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint <= 3000
    assert page.evaluate("hsiclearnReport.drawn()") == 100_000
    at = page.evaluate("hsiclearnReport.place(99999)")
    page.mouse.move(at["x"], at["y"])
    assert page.locator("#tip").is_visible()
    page.locator("#legend button.class").first.click()
    shown = int((many.y != 0).sum())
    page.wait_for_function("count => hsiclearnReport.drawn() === count", arg=shown)
