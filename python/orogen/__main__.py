"""`python -m orogen`: the command `orogen`, which is installed with the package."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def command() -> Path:
    """The path of the command.

    Raises:
        FileNotFoundError: if the package was built without the command, as `maturin develop` does.
    """
    name = "orogen" + (sysconfig.get_config_var("EXE") or "")
    schemes = [None, sysconfig.get_preferred_scheme("user")]
    directories = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    for directory in directories:
        path = Path(directory, name)
        if path.is_file():
            return path
    raise FileNotFoundError(f"the command {name} is not installed in {' or '.join(directories)}; `cargo install orogen-cli` installs it")


def main() -> int:
    """Runs the command in place of this process; on Windows as a child process.

    Returns:
        The command's exit code.
    """
    try:
        path = command()
    except FileNotFoundError as error:
        print(f"orogen: {error}", file=sys.stderr)
        return 1
    arguments = [str(path), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.run(arguments, check=False).returncode
    os.execv(path, arguments)


if __name__ == "__main__":
    sys.exit(main())
