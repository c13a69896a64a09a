"""Runs programs, each of which prints what the comment in its last line says; one that fails has the error there."""

import contextlib
import io
import json
import sys

programs = json.load(open(sys.argv[1]))
try:
    exec(programs[0].splitlines()[0])
except ImportError as error:
    print(f"skipped, {error}")
    sys.exit()
for program in programs:
    expected = program.rstrip().split("\n")[-1].split("  # ")[1].split(": without names")[0]
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(program, {})
        found = output.getvalue()
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    if found.strip() != expected.strip():
        print(f"{program}expected {expected}\nfound {found}")
        sys.exit(1)
print(f"{len(programs)} programs")
