"""The command as a process: pipes, missing packages, interruption."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(sys.executable).with_name("hsiclearn")
FIT = ("fit", "flowers.csv", "--target", "kind", "--drop", "name,colour")
WITHOUT = "import sys; sys.modules[{!r}] = None; sys.argv = ['hsiclearn', *{!r}]; "
RUN = "from hsiclearn._cli import main; main()"


def process(folder, *command):
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_pipes_get_the_answer_and_lines(flowers, tmp_path):
    """On stderr nothing but a note and what a slow machine takes two seconds for."""
    done = process(tmp_path, SCRIPT, *FIT)
    assert done.returncode == 0
    assert all(re.match(r"\d+ s  \w|note: \w", line) for line in done.stderr.splitlines())
    for control in ("\r", "\x1b"):
        assert control not in done.stdout + done.stderr
    assert process(tmp_path, SCRIPT, *FIT, "--quiet").stderr == ""


def test_a_reader_that_leaves_is_no_error(flowers, tmp_path):
    model = ("--model", "m.hsic", "--quiet")
    assert process(tmp_path, SCRIPT, *FIT, *model).returncode == 0
    done = process(tmp_path, "sh", "-c", f"{SCRIPT} transform m.hsic flowers.csv | true")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [("polars", FIT, "cli"), ("matplotlib", (*FIT, "--report", "r.html"), "plot")],
)
def test_a_missing_package_is_one_line(flowers, tmp_path, package, arguments, extra):
    code = WITHOUT.format(package, arguments) + RUN
    done = process(tmp_path, sys.executable, "-c", code)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"pip install 'hsic-learn[{extra}]'" in done.stderr


def test_an_interruption_is_one_line(flowers, tmp_path):
    interrupt = (
        "import sys, os, signal, hsiclearn._cli.fit as fit\n"
        "fit.open_table = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT)\n"
        f"sys.argv = ['hsiclearn', *{FIT!r}]\n"
    )
    done = process(tmp_path, sys.executable, "-c", interrupt + RUN)
    assert done.returncode == 130
    assert done.stderr == "hsiclearn: stopped\n"
    assert os.listdir(tmp_path) == ["flowers.csv"]


@pytest.mark.parametrize("imports", [1, 200, 600])
def test_an_interruption_while_modules_are_loaded_is_one_line(tmp_path, imports):
    interrupt = (
        "import os, signal, sys\n"
        "from hsiclearn._cli import main\n"
        f"left = {imports}\n"
        "def hook(event, arguments):\n"
        "    global left\n"
        "    left -= event == 'import'\n"
        "    if left == 0:\n"
        "        left = -1\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.addaudithook(hook)\n"
        "main()\n"
    )
    done = process(tmp_path, sys.executable, "-c", interrupt, "--version")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "hsiclearn: stopped\n"


def test_the_command_is_there_before_what_takes_long_to_load(tmp_path):
    code = "import sys, hsiclearn._cli; print(sys.modules.keys() & {'numpy', 'scipy', 'sklearn'})"
    assert process(tmp_path, sys.executable, "-c", code).stdout == "set()\n"


@pytest.mark.parametrize(
    ("closing", "code", "stderr"),
    [
        (">&-", 0, ""),
        (">&- 2>&- <&-", 0, ""),
        ("> /dev/full", 1, "hsiclearn: cannot write the answer: No space left on device\n"),
        ("| true", 0, ""),  # the code of true
    ],
)
def test_streams_that_are_closed_are_no_traceback(tmp_path, closing, code, stderr):
    done = process(tmp_path, "sh", "-c", f"{SCRIPT} --version {closing}")
    assert (done.returncode, done.stdout, done.stderr) == (code, "", stderr)


def test_a_fit_without_stdout_writes_its_files(flowers, tmp_path):
    line = f"{SCRIPT} {' '.join(FIT)} --model m.hsic --quiet >&-"
    done = process(tmp_path, "sh", "-c", line)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(os.listdir(tmp_path)) == ["flowers.csv", "m.hsic"]
