"""The wheel and the sdist are whole, and what pip installs from the wheel works with both frameworks, one, or none."""

import os
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[2]
PACKAGES = ("porting", "torch_impl", "tf_impl")
FRAMEWORKS = {"torch": ("torch",), "tf": ("tensorflow", "keras")}  # what is lacking without them


def files_of(folder):
    """Return what a folder holds, but for what Python leaves there, as paths from the root."""
    found = (file for file in (ROOT / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(ROOT).as_posix() for file in found}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both in a process of its own, from the tree as it is; return the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def test_the_wheel_has_the_three_packages_and_nothing_else(built):
    with ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        (metadata,) = (wheel.read(name) for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    assert names == set().union(*map(files_of, PACKAGES))
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    said = message_from_bytes(metadata)
    assert said["Name"] == "gradport"
    assert said["Author"] == "the gradport authors"
    assert said["License-Expression"] == "MIT"
    assert said.get_payload().startswith("# gradport")
    assert {"torch", "tensorflow", "tensorflow-cpu", "report", "distributed"} <= set(said.get_all("Provides-Extra"))


def test_the_sdist_has_what_a_checkout_has(built):
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CITATION.cff"} <= names
    assert set().union(*map(files_of, (*PACKAGES, "tests", "docs"))) - names == ignored()


def test_who_cites_it_names_what_is_installed():
    said = dict(line.split(": ", 1) for line in (ROOT / "CITATION.cff").read_text().splitlines() if ": " in line)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {name: said[name] for name in ("title", "version", "license")} == {
        "title": project["name"],
        "version": project["version"],
        "license": project["license"],
    }
    assert said["abstract"].strip('"') == project["description"]
    assert said["  - name"].strip('"').lower() == project["authors"][0]["name"]


def ignored():
    """Return what only a build of the site leaves in the tree."""
    return {file for file in files_of("docs") if file.endswith(".myst")}


@pytest.fixture(scope="module")
def site(built, tmp_path_factory):
    """Install the wheel into a folder."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder, built[0]]
    subprocess.run(pip, check=True, capture_output=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("there", "code"), [(("torch",), 0), (("tf",), 0), ((), 5)])
def test_what_is_installed_checks_what_is_there(site, tmp_path, there, code):
    lacking = [module for key, modules in FRAMEWORKS.items() if key not in there for module in modules]
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({lacking}))\n")
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{site}"}
    where = [sys.executable, "-c", "import porting; print(porting.__file__)"]
    assert subprocess.run(where, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout.startswith(
        str(site)
    )
    words = ["check", "sin_squared", "-k", "linear", "--dtype", "float64", "-q"]
    command = [sys.executable, site / "bin" / "porting", *words]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stdout + run.stderr
    assert "fault of porting" not in run.stderr
