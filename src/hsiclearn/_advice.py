"""Advice in the words of whoever reads it: a program, or the command."""

from __future__ import annotations

from typing import Any, Self


class Advice(str):
    """A problem and a remedy, as a text for programs; the command has a remedy of its own.

    Warn of it, or raise it, as of any text. The command prints ``for_command``, whose options are
    those of ``hsiclearn fit``. ``about`` is the record that the text is made from, where it has
    one.
    """

    for_command: str
    about: Any

    def __new__(cls, problem: str, remedy: str = "", command: str = "", about: Any = None) -> Self:
        """``problem remedy`` for programs, ``problem command`` for the command."""
        text = super().__new__(cls, f"{problem} {remedy}".rstrip())
        text.for_command = f"{problem} {command or remedy}".rstrip()
        text.about = about
        return text
