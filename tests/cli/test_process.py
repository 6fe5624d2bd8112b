"""The command as a process: pipes, missing packages, interruption."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hsiclearn

SCRIPT = Path(sys.executable).with_name("hsiclearn")
FIT = ("fit", "flowers.csv", "--target", "kind", "--drop", "name,colour")
FULL = "hsiclearn: cannot write the answer: No space left on device\n"

# Most of the time of a process goes by while modules are loaded. One process loads those of the
# command, of which none loads what may be missing, and forks for each job. The child has streams
# as a shell gives them, runs the command and ends as any process does.
FORKS = """
import gc, json, os, sys, warnings
# Of Python 3.12 on; the threads are those of a BLAS that has nothing to do.
warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
import hsiclearn._cli, hsiclearn._cli.app
from hsiclearn._cli import demo, fit, transform
assert not {name.partition(".")[0] for name in sys.modules} & {"matplotlib", "polars"}
gc.freeze()  # a child that ends need not look through what it inherits
results = {}
for name, (folder, stdout, first, arguments) in json.load(sys.stdin).items():
    (out, to_out), (err, to_err) = os.pipe(), os.pipe()
    if stdout == "left":
        os.close(out)
        out = None
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.dup2(to_err, 2)
        os.dup2(os.open("/dev/full", os.O_WRONLY) if stdout == "full" else to_out, 1)
        os.closerange(3, to_err + 2)
        if stdout == "closed":
            os.close(1)
            sys.stdout = sys.__stdout__ = None
        break
    os.close(to_out)
    os.close(to_err)
    texts = ["" if end is None else open(end).read() for end in (out, err)]
    results[name] = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *texts]
else:
    print(json.dumps(results))
    sys.exit()
sys.argv = ["hsiclearn", *arguments]
exec(first)
hsiclearn._cli.main()
"""
WITHOUT = "sys.modules[{!r}] = None"
INTERRUPTED = """
import signal
fit.opened_source = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT)
"""
QUICK_DEMO = """
sys.modules["matplotlib"] = None
whole = demo.make_planted
demo.make_planted = lambda kind: whole(kind, 60, 3)
demo.cross_val_score = lambda *_, **__: demo.np.ones(5)
"""
JOBS = {  # the folder, what becomes of stdout, what is run before the command, and its arguments
    "quiet": ("quiet", "pipe", "", (*FIT, "--quiet")),
    "fit": ("model", "closed", "", (*FIT, "--model", "m.hsic", "--quiet")),
    "transform": ("model", "left", "", ("transform", "m.hsic", "flowers.csv")),  # after the fit
    "polars": ("polars", "pipe", WITHOUT.format("polars"), FIT),
    "matplotlib": ("plot", "pipe", WITHOUT.format("matplotlib"), (*FIT, "--report", "r.html")),
    "demo": ("demo", "pipe", QUICK_DEMO, ("demo",)),
    "interrupted": ("interrupted", "pipe", INTERRUPTED, FIT),
    "version": ("version", "pipe", "", ("--version",)),
    "version, closed": ("version", "closed", "", ("--version",)),
    "version, full": ("version", "full", "", ("--version",)),
    "version, left": ("version", "left", "", ("--version",)),
}


def process(folder, *command):
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory, flower_table):
    """The folder of the folders; and of each job its code, and what it wrote to both streams."""
    home = tmp_path_factory.mktemp("jobs")
    for folder, *_ in JOBS.values():
        (home / folder).mkdir(exist_ok=True)
        flower_table.to_csv(home / folder / "flowers.csv", index=False)
    command = (sys.executable, "-c", FORKS)
    done = subprocess.run(
        command, input=json.dumps(JOBS), capture_output=True, text=True, cwd=home, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return home, json.loads(done.stdout)


def test_pipes_get_the_answer_and_lines(flowers, tmp_path, jobs):
    """On stderr nothing but a note and what a slow machine takes two seconds for."""
    done = process(tmp_path, SCRIPT, *FIT)
    assert done.returncode == 0
    assert all(re.match(r"\d+ s  \w|note: \w", line) for line in done.stderr.splitlines())
    for control in ("\r", "\x1b"):
        assert control not in done.stdout + done.stderr
    assert jobs[1]["quiet"] == [0, done.stdout, ""]


def test_a_reader_that_leaves_is_no_error(jobs):
    assert jobs[1]["transform"] == [1, "", ""]


@pytest.mark.parametrize(("package", "extra"), [("polars", "cli"), ("matplotlib", "plot")])
def test_a_missing_package_is_one_line(jobs, package, extra):
    code, stdout, stderr = jobs[1][package]
    assert code == 1
    assert stdout == ""
    assert stderr.count("\n") == 1
    assert f"pip install 'hsic-learn[{extra}]'" in stderr


def test_without_matplotlib_the_demo_runs_and_says_so(jobs):
    home, results = jobs
    code, stdout, stderr = results["demo"]
    assert code == 0, stderr
    assert "pip install 'hsic-learn[plot]'" in stdout
    assert "5-NN accuracy" in stdout
    assert "The answer for the wines" in stdout
    assert not (home / "demo" / "demo-output").exists()


def test_an_interruption_is_one_line(jobs):
    home, results = jobs
    assert results["interrupted"] == [130, "", "hsiclearn: stopped\n"]
    assert os.listdir(home / "interrupted") == ["flowers.csv"]


@pytest.mark.parametrize("imports", [1, 100, 600, 1800])  # of the command, then of the verb
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
    done = process(tmp_path, sys.executable, "-c", interrupt, "fit", "none.csv", "--target", "y")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "hsiclearn: stopped\n"


def test_the_command_is_there_before_what_takes_long_to_load(tmp_path):
    code = "import sys, hsiclearn._cli; print(sys.modules.keys() & {'numpy', 'scipy', 'sklearn'})"
    assert process(tmp_path, sys.executable, "-c", code).stdout == "set()\n"


@pytest.mark.parametrize(
    ("stdout", "code", "stderr"), [("closed", 0, ""), ("full", 1, FULL), ("left", 1, "")]
)
def test_a_stdout_that_takes_nothing_is_no_traceback(jobs, stdout, code, stderr):
    assert jobs[1]["version"] == [0, f"hsiclearn {hsiclearn.__version__}\n", ""]
    assert jobs[1][f"version, {stdout}"] == [code, "", stderr]


def test_streams_that_are_closed_are_no_traceback(tmp_path):
    done = process(tmp_path, "sh", "-c", f"{SCRIPT} --version >&- 2>&- <&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_fit_without_stdout_writes_its_files(jobs):
    home, results = jobs
    assert results["fit"] == [0, "", ""]
    assert sorted(os.listdir(home / "model")) == ["flowers.csv", "m.hsic"]
