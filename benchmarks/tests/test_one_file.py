"""Parts of a benchmark in one file."""

from hsiclearn_benchmarks.one_file import written

ORDER = ("overhead", "lazy")


def test_a_part_takes_the_place_of_what_was_there():
    first = written("", "### Lazy: 5 rows\n\nold", ORDER)
    both = written(first, "### Overhead: 9 rows\n\nnew", ORDER)
    assert both == "### Overhead: 9 rows\n\nnew\n\n### Lazy: 5 rows\n\nold\n"
    assert written(both, "### Lazy: 7 rows\n\nnow", ORDER).endswith(
        "new\n\n### Lazy: 7 rows\n\nnow\n"
    )
