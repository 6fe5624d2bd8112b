"""The command ``hsiclearn``."""
