"""Thousands of sounds by a plan (docs/sweeps.md): the program `contatto sweep`, on this machine or, shard by shard, on
the workers of a Dask cluster. Dask chooses who makes which shard, makes those of a lost worker again elsewhere and
carries what was made; nothing of that is done here."""

import csv
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
from collections import namedtuple
from pathlib import Path

import numpy as np

from ._library import Error

Sweep = namedtuple("Sweep", "table columns samples folder")
Column = namedtuple("Column", "unit meaning")
SOME_FAILED = 3  # exit code: all is made, and some sounds are rows that say why there are none
SHARDS_PER_WORKER = 4  # so that the last ones end at about the same time


def sweep(plan, client=None, folder=None, shards=None, jobs=None, sounds=False, shared=False, portable=False, program=None):
    """The sounds of a plan, the same bytes wherever they are made: a Sweep of

    table    a structured array, a row per sound in the plan's order: table["pitch_hz"]
    columns  {name: (unit, meaning)}
    samples  with sounds=True a list, per row float32 (frames,) or (frames, channels); of a sound that failed None
    folder   where the data set is; None when none was given

    plan      a file, or a dict as it would be in one; only a file can name scenes and gestures beside it
    client    a Dask distributed Client; None: this machine alone
    folder    the data set as `contatto sweep -o` makes it. An interrupted call goes on when it is made again
    shards    in how many parts the client gets it; None: four for each of its workers
    jobs      sounds at once; None: one per core, on a client one per task
    shared    True: workers see `folder` under the same name, and write there; nothing is carried
    portable  the same bytes on every processor: for workers whose processors differ
    program   None: $CONTATTO, or `contatto` in the path, on every machine
    """
    if shared and (client is None or folder is None):
        raise Error("shared: wants a client, and a folder that all its workers see")
    with tempfile.TemporaryDirectory(prefix="contatto-sweep-") as scratch:
        flags = ["--portable"] if portable else []
        place = Path(folder) if folder is not None else Path(scratch, "set")
        plan_file = _plan_file(plan, Path(scratch))
        _refuse_other(plan_file, place)
        if client is None or _complete(place):
            _make(program, [str(plan_file), *_jobs(jobs), *flags], place)
        else:
            parts = place.parent / (place.name + ".shards")
            count = _shard_count(client, program, plan_file, shards)
            _run_shards(client, program, plan_file, parts, count, [*_jobs(jobs or 1), *flags], shared)
            _make(program, ["--merge", *(str(_part(parts, shard, count)) for shard in range(1, count + 1))], place)
            shutil.rmtree(parts)
        return _read(place, sounds)._replace(folder=None if folder is None else str(folder))


# ---- the program ----


def _jobs(jobs):
    return [] if jobs is None else ["--jobs", str(jobs)]


def _complete(place):
    """The list of hashes is written last."""
    return (Path(place) / "SHA256SUMS").exists()


def _call(program, arguments):
    program = program or os.environ.get("CONTATTO") or "contatto"
    try:
        return subprocess.run([program, "sweep", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        raise Error(f"{program}: {error.strerror}; sweeps want the program, in the path or as program=", "BAD_FILE") from None


def _raise_if(failed, done):
    """The program's one line becomes the Error's."""
    if failed:
        lines = done.stderr.splitlines() or [f"ended with {done.returncode}"]
        raise Error(lines[-1].removeprefix("contatto sweep: "))


def _make(program, arguments, place):
    """Into `place`, which is complete afterwards. That sounds have failed is told by the table."""
    done = _call(program, [*arguments, "-o", str(place)])
    _raise_if(done.returncode not in (0, SOME_FAILED) or not _complete(place), done)


def _tell(program, plan_file):
    """How many sounds a plan has, and which files it reads beside itself."""
    done = _call(program, [str(plan_file), "--dry-run"])
    _raise_if(done.returncode != 0, done)
    count = re.match(r"(?:.*: )?(\d+) sounds, ", done.stdout)
    return int(count[1]), re.findall(r"^reads (.+)$", done.stdout, re.MULTILINE)


def _refuse_other(plan_file, place):
    """Before the work, not after it."""
    there = place / "plan.json"
    if there.exists() and there.read_bytes() != plan_file.read_bytes():
        raise Error(f"{place}: holds the sounds of another plan; wants a new folder")


def _plan_file(plan, scratch):
    if not isinstance(plan, dict):
        return Path(plan).resolve()
    file = scratch / "plan.json"
    file.write_text(json.dumps(plan, indent=1) + "\n")
    return file


# ---- on a client ----


def _run_shards(client, program, plan_file, parts, count, flags, shared):
    from distributed import as_completed

    parts.mkdir(parents=True, exist_ok=True)
    plan = str(plan_file) if shared else client.scatter(_files(program, plan_file), broadcast=True)
    target = str(parts.resolve()) if shared else None
    for part in parts.iterdir():
        _refuse_other(plan_file, part)
    missing = [shard for shard in range(1, count + 1) if not _complete(_part(parts, shard, count))]
    futures = {client.submit(make_shard, program, plan, shard, count, flags, target, pure=False): shard for shard in missing}
    try:
        for future in as_completed(futures):
            made = future.result()
            if made is not None:
                _unpack(made, _part(parts, futures[future], count))
            future.release()  # the scheduler need not keep it
    finally:
        client.cancel(list(futures))


def _shard_count(client, program, plan_file, shards):
    """No more than there are sounds."""
    wanted = shards or SHARDS_PER_WORKER * max(1, len(client.scheduler_info()["workers"]))
    return min(wanted, _tell(program, plan_file)[0])


def _files(program, plan_file):
    """The plan and what it reads, as {name: bytes}."""
    names = _tell(program, plan_file)[1]
    return {"plan.json": plan_file.read_bytes(), **{name: (plan_file.parent / name).read_bytes() for name in names}}


def _part(parts, shard, count):
    return Path(parts) / f"{shard:05d}-of-{count}"


def make_shard(program, plan, shard, count, flags, target):
    """A worker's task: a shard in the shared folder, or, of a plan that was carried here, as {name: bytes}."""
    if target is not None:
        place = _part(target, shard, count)
        _make(program, [plan, "--shard", f"{shard}/{count}", *flags], place)
        return None
    with tempfile.TemporaryDirectory(prefix="contatto-shard-") as scratch:
        _unpack(plan, Path(scratch, "plan"))
        place = Path(scratch, "made")
        _make(program, [str(Path(scratch, "plan", "plan.json")), "--shard", f"{shard}/{count}", *flags], place)
        return _pack(place)


def _pack(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(Path(folder).rglob("*")) if file.is_file()}


def _unpack(files, folder):
    """The list of hashes comes last, as the program writes it: until then the folder is not complete."""
    for name in sorted(files, key=lambda name: (name == "SHA256SUMS", name)):
        file = Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(files[name])


# ---- what was made ----


def _read(place, sounds):
    table = np.load(place / "table.npy")
    with open(place / "columns.csv", newline="", encoding="utf-8") as file:
        columns = {row["column"]: Column(row["unit"], row["meaning"]) for row in csv.DictReader(file)}
    samples = [_read_sound(place / name) if name else None for name in table["sound"]] if sounds else None
    return Sweep(table, columns, samples, None)


def _read_sound(file):
    if file.suffix == ".wav":
        return _read_wav(file.read_bytes(), file)
    try:
        import soundfile
    except ImportError:
        raise Error(f"{file.name}: reading FLAC wants the Python package soundfile; plans can write wav", "BAD_FILE") from None
    return soundfile.read(str(file), dtype="float32")[0]


def _read_wav(data, file):
    """32-bit floats, as sweeps write them."""
    place, channels = 12, None
    while place + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        if name == b"fmt ":
            form, channels, _, _, _, bits = struct.unpack_from("<HHIIHH", data, place + 8)
            if (form, bits) != (3, 32):
                break
        elif name == b"data" and channels:
            samples = np.frombuffer(data, "<f4", size // 4, place + 8).copy()
            return samples if channels == 1 else samples.reshape(-1, channels)
        place += 8 + size + size % 2
    raise Error(f"{file}: is not a WAV file of 32-bit floats", "BAD_FILE")
