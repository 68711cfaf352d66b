"""Makes the package from the tree it lies in: declarations from include/, the shared libraries from build/ (or
$CONTATTO_BUILD), the built-in scenes from scenes/. No compiling: the library is built before. What setuptools
leaves lying about goes to a folder that is removed, so that the tree stays as it is."""

import atexit
import shutil
import sys
import tempfile
from os import environ
from pathlib import Path

import cffi
from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70
    from wheel.bdist_wheel import bdist_wheel

sys.dont_write_bytecode = True
here = Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import headers  # noqa: E402  (beside this file)

root = here.parent
libraries = ("libcontatto.so", "libcontatto_measure.so")


def built(library):
    place = Path(environ.get("CONTATTO_BUILD", root / "build")) / library
    if not place.exists():
        sys.exit(f"{place} is not there: build the library first (./run --build-only), or set CONTATTO_BUILD")
    return place


def write_declarations(folder):
    ffi = cffi.FFI()
    ffi.cdef(headers.declarations(root / "include"))
    ffi.set_source("contatto._declarations", None)
    ffi.emit_python_code(str(folder / "_declarations.py"))
    lines = [f"{name} = {value!r}\n" for name, value in headers.defines(root / "include").items()]
    (folder / "_defines.py").write_text('"""Numbers and texts of the headers."""\n\n' + "".join(lines))


class BuildPackage(build_py):
    def run(self):
        super().run()
        folder = Path(self.build_lib) / "contatto"
        (folder / "scenes").mkdir(parents=True, exist_ok=True)
        write_declarations(folder)
        for library in libraries:
            shutil.copyfile(built(library), folder / library)
        for scene in sorted((root / "scenes").glob("*.json")):
            shutil.copy(scene, folder / "scenes")


class PlatformWheel(bdist_wheel):
    """The library inside is of one machine, but of no version of Python: py3-none-linux_x86_64."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


scratch = tempfile.mkdtemp(prefix="contatto-python-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
setup(
    version=headers.defines(root / "include")["CT_VERSION"],
    packages=["contatto"],
    distclass=WithLibrary,
    cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
