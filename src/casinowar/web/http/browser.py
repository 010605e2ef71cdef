"""Opening the page in a browser with windows, and never in one that would take the terminal."""

import os
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Mapping

GRAPHICAL = "x-www-browser:firefox:chromium:chromium-browser:google-chrome:microsoft-edge:brave-browser:epiphany"
"""What xdg-open may choose from where there is no desktop; its own list ends with text browsers."""


def has_screen(environment: Mapping[str, str], platform: str) -> bool:
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_page(address: str) -> bool:
    """Start a browser with the page, and say whether one was started."""
    if not has_screen(os.environ, sys.platform):
        return False
    if sys.platform in ("darwin", "win32"):
        return webbrowser.open(address)
    names = ["xdg-open", *GRAPHICAL.split(":")]
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        return False
    subprocess.Popen(
        [found, address],
        env={**os.environ, "BROWSER": GRAPHICAL},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return True
