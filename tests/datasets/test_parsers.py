"""The published formats, on a few lines made by hand."""

import io
import tarfile

import numpy as np
import pytest

from hsiclearn.datasets import cancer, car, face

GREY = np.arange(960) % 250


def picture(kind, values=GREY, size=b"32 30", highest=b"255"):
    header = kind + b"\n# made by hand\n" + size + b"\n" + highest + b"\n"
    if kind == b"P5":
        return header + bytes(values.tolist())
    return header + " ".join(map(str, values)).encode() + b"\n"


def tar(files):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        folder = tarfile.TarInfo("faces_4/tammo")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return raw.getvalue()


def test_cancer_drops_the_number_and_rows_with_a_gap():
    raw = (
        b"1000025,5,1,1,1,2,1,3,1,1,2\r\n1057013,8,4,5,1,2,?,7,3,1,4\n"
        b"1017122,8,10,10,8,7,10,9,7,1,4\n"
    )
    assert cancer.parse(raw) == [
        ["5", "1", "1", "1", "2", "1", "3", "1", "1", "2"],
        ["8", "10", "10", "8", "7", "10", "9", "7", "1", "4"],
    ]


def test_car_words_become_codes():
    raw = b"vhigh,low,2,4,small,high,unacc\nmed,high,5more,more,big,low,vgood\n\n"
    assert car.parse(raw) == [list("3001020"), list("1232203")]


@pytest.mark.parametrize("raw", [b"vhigh,low,2,4\n", b"vhigh,low,2,4,small,high,fine\n", b"\xff"])
def test_car_refuses_other_lines(raw):
    with pytest.raises(ValueError, match=r"zip|not in tuple|decode"):
        car.parse(raw)


@pytest.mark.parametrize("kind", [b"P5", b"P2"])
def test_pgm(kind):
    assert face.read_pgm(picture(kind)) == GREY.tolist()


def test_pgm_pixels_that_look_like_blanks():
    blanks = np.full(960, ord("\n"))
    assert face.read_pgm(picture(b"P5", blanks)) == blanks.tolist()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"<html>", "must begin with a PGM header"),
        (b"P6\n32 30\n255\n", "must begin with a PGM header"),
        (picture(b"P5", size=b"30 32"), "Got 30 x 32"),
        (picture(b"P5")[:-1], "with 959 values"),
        (picture(b"P2", highest=b"65535"), "up to 65535"),
    ],
)
def test_pgm_refuses(raw, message):
    with pytest.raises(ValueError, match=message):
        face.read_pgm(raw)


def test_faces_are_sorted_by_name_and_bad_ones_left_out():
    dark, light = np.zeros(960, int), np.full(960, 9)
    raw = tar(
        {
            "faces_4/tammo/tammo_up_sad_open_4.pgm": picture(b"P5", light),
            "faces_4/tammo/tammo_left_sad_open_4.bad": b"glitch",
            "faces_4/tammo/tammo_left_sad_open_2.pgm": b"another size",
            "faces_4/an2i/an2i_straight_happy_sunglasses_4.pgm": picture(b"P2"),
            "faces_4/tammo/tammo_left_sad_sunglasses_4.pgm": picture(b"P5", dark),
        }
    )
    rows = face.parse(raw)
    assert [row[-4:] for row in rows] == [
        ["tammo", "up", "sad", "open"],
        ["an2i", "straight", "happy", "sunglasses"],
        ["tammo", "left", "sad", "sunglasses"],
    ]
    X, labels = face.decode(np.array(rows))
    np.testing.assert_array_equal(X, [GREY, dark, light])
    np.testing.assert_array_equal(labels, [[0, 2], [19, 0], [19, 3]])
