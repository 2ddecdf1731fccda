"""A constant that another file of the package defines is translated with it; the source is run without that file."""

import pytest

from porting.port.discover import units_of
from porting.port.extract import extract
from porting.port.one import port
from porting.port.options import Checking
from porting.runners import RUNNERS
from porting.translate.module import Translator
from porting.translate.read.source import read_source

CONSTANTS = """import torch

WIDTH = 0.5
DTYPE = torch.float64
"""
SOURCE = """import torch
import not_installed
{how}


class Boxed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (x.abs() < WIDTH) * torch.ones(1, dtype=DTYPE).to(dy)
"""
MODULE = "import constants as c"
IMPORTS = [
    "from constants import *",
    "from constants import DTYPE, WIDTH",
    "from .constants import DTYPE, WIDTH",
    MODULE,
]


@pytest.fixture(params=IMPORTS)
def path(request, tmp_path):
    (tmp_path / "constants.py").write_text(CONSTANTS)
    file = tmp_path / "boxed.py"
    text = SOURCE.format(how=request.param)
    file.write_text(
        text.replace("WIDTH)", "c.WIDTH)").replace("=DTYPE", "=c.DTYPE") if request.param == MODULE else text
    )
    return file


def test_what_a_file_beside_has_no_translation_of_is_imported(tmp_path):
    (tmp_path / "opts.py").write_text("import argparse\nwidth = [*map(float, argparse.sys.argv[1:2])] + [0.5]\n")
    file = tmp_path / "boxed.py"
    text = SOURCE.format(how="from opts import width").replace("WIDTH", "width[0]").replace("=DTYPE", "=torch.float32")
    file.write_text(text)
    assert "from opts import width" in Translator(read_source(file), "torch", "tf").translate("Boxed").text


def test_its_value_stands_in_the_translation(path):
    text = Translator(read_source(path), "torch", "tf").translate("Boxed").text
    assert "WIDTH = 0.5" in text
    assert "DTYPE = tf.float64" in text
    assert "constants" not in text


def test_it_comes_along_where_the_source_is_taken_out(path):
    translator = Translator(read_source(path), "torch", "tf")
    translator.translate("Boxed")
    needed = {one.source.path: list(one.made) for one in (translator, *translator.others.values())}
    text = extract(Translator(read_source(path), "torch", "tf"), needed)
    assert "WIDTH = 0.5" in text
    assert "DTYPE = torch.float64" in text
    assert "import constants" not in text
    assert "from" not in text


@pytest.mark.slow
@pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
def test_it_is_proven_though_its_file_does_not_import(path):
    (unit,) = units_of(path, "Boxed", "tf")
    made = port(unit, how=Checking(dtypes=["float64"]).begun())
    assert made.status == "proven", made


def test_two_names_of_one_statement_stand_there_once(tmp_path):
    (tmp_path / "constants.py").write_text("import torch\n\nLOW, WIDTH = -0.5, 0.5\nDTYPE = torch.float64\n")
    file = tmp_path / "boxed.py"
    text = SOURCE.format(how="from constants import DTYPE, LOW, WIDTH")
    file.write_text(text.replace("(x.abs() < WIDTH)", "(x < WIDTH) * (x > LOW)"))
    made = Translator(read_source(file), "torch", "tf").translate("Boxed").text
    assert made.count("LOW, WIDTH = -0.5, 0.5\n") == 1, made
    inside = tmp_path / "inside.py"
    own = "DTYPE = torch.float64\nLOW, WIDTH = -0.5, 0.5"
    inside.write_text(file.read_text().replace("from constants import DTYPE, LOW, WIDTH", own))
    made = Translator(read_source(inside), "torch", "tf").translate("Boxed").text
    assert made.count("LOW, WIDTH = -0.5, 0.5\n") == 1, made
