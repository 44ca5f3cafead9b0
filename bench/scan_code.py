"""Real code for the scanner's benchmark, from the package registries at exact versions.

Usage: ``python bench/scan_code.py CODE``. Every package is unpacked to
``CODE/SET/LANGUAGE/NAME-VERSION`` and stays there; a package that is there already is not fetched
again. The sets ``tuning``, ``reporting`` and ``acceptance`` share no repository: thresholds are
chosen on the first, and results come from the others. The last has more than a million lines, for
measurements of time and memory. Needs ``apt-get`` with sources enabled (``Types: deb deb-src``),
``dpkg-source``, ``pip`` and ``npm``. Nothing is installed, and nothing is run but the build backend
of an sdist, which ``pip download`` asks for metadata.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

# The version of a Debian source package says for which release it was made: bookworm.
PACKAGES = {
    "tuning": {
        "c": (
            "debian libuv1 1.44.2-1+deb12u1",
            "debian lua5.4 5.4.4-3+deb12u1",
            "debian zlib 1:1.2.13.dfsg-1",
        ),
        "java": (
            "debian libcommons-lang3-java 3.12.0-2+deb12u1",
            "debian jsoup 1.15.3-1",
        ),
        "go": (
            "debian golang-github-spf13-cobra 1.6.1-1",
            "debian golang-github-pelletier-go-toml 1.9.4-1",
            "debian golang-golang-x-tools 1:0.5.0+ds-1",
        ),
        "python": ("pypi werkzeug 3.1.9", "pypi click 8.5.1", "pypi docutils 0.23"),
        "javascript": ("npm webpack 5.112.2", "npm mongoose 9.12.0"),
        "typescript": ("npm rxjs 7.8.2", "npm ajv 8.20.0", "npm @reduxjs/toolkit 2.14.0"),
    },
    "reporting": {
        "c": (
            "debian libevent 2.1.12-stable-8+deb12u1",
            "debian jansson 2.14-2",
            "debian nghttp2 1.52.0-1+deb12u3",
        ),
        "java": (
            "debian commons-io 2.11.0-2",
            "debian libcommons-collections4-java 4.2-1",
            "debian libcommons-compress-java 1.22-1",
        ),
        "go": (
            "debian golang-github-yuin-goldmark 1.5.4-1",
            "debian golang-github-spf13-viper 1.10.1-1",
            "debian golang-github-urfave-cli-v2 2.3.0-2",
            "debian golang-golang-x-net 1:0.7.0+dfsg-1",
        ),
        "python": (
            "pypi networkx 3.6.1",
            "pypi jinja2 3.1.6",
            "pypi rich 15.0.0",
        ),
        "javascript": ("npm eslint 10.14.0", "npm knex 3.3.0"),
        "typescript": (
            "npm @libp2p/kad-dht 16.4.5",
            "npm mobx 7.1.3",
            "npm chevrotain 11.2.0",
            "npm @noble/curves 2.4.0",
        ),
    },
    "acceptance": {
        "c": (
            "debian redis 5:7.0.15-1~deb12u10",
            "debian tmux 3.3a-3",
            "debian git 1:2.39.5-0+deb12u3",
        ),
        "java": (
            "debian jetty9 9.4.57-1.1~deb12u1",
            "debian ant 1.10.13-1",
            "debian jackson-databind 2.14.0-1+deb12u1",
        ),
        "go": (
            "debian prometheus 2.42.0+ds-5+deb12u1",
            "debian rclone 1.60.1+dfsg-2",
            "debian etcd 3.4.23-4",
        ),
        "python": ("pypi django 5.2.19", "pypi sqlalchemy 2.1.8", "pypi twisted 26.10.0"),
        "javascript": ("npm three 0.187.0", "npm svelte 5.57.3", "npm fastify 5.12.8"),
        "typescript": (
            "npm viem 2.57.13",
            "npm effect 4.1.0",
            "npm zod 4.6.7",
            "npm @tanstack/query-core 5.107.1",
        ),
    },
    "held-out": {
        "c": (
            "debian curl 7.88.1-10+deb12u15",
            "debian nginx 1.22.1-9+deb12u10",
            "debian rsync 3.5.0+ds1-0+deb12u1",
        ),
        "java": (
            "debian tomcat10 10.1.60-1~deb12u1",
            "debian libcommons-math3-java 3.6.1-3",
            "debian guava-libraries 31.1-1",
        ),
        "go": (
            "debian golang-github-gin-gonic-gin 1.8.1-1",
            "debian hugo 0.111.3-1",
            "debian golang-google-grpc 1.33.3-2",
        ),
        "python": ("pypi scrapy 2.19.0", "pypi aiohttp 3.14.5", "pypi sympy 1.14.0"),
        "javascript": ("npm mocha 12.0.3", "npm jsdom 31.0.1", "npm pm2 7.0.4"),
        "typescript": (
            "npm ethers 6.17.0",
            "npm @tanstack/table-core 9.3.1",
            "npm @tanstack/router-core 1.171.39",
        ),
    },
    "unseen": {
        "c": (
            "debian dnsmasq 2.90-4~deb12u2",
            "debian libxml2 2.9.14+dfsg-1.3~deb12u4",
            "debian screen 4.9.0-4",
        ),
        "java": (
            "debian maven 3.8.7-1",
            "debian libpdfbox2-java 2.0.27-2",
            "debian netty 1:4.1.48-7+deb12u2",
        ),
        "go": (
            "debian gh 2.23.0+dfsg1-1",
            "debian restic 0.14.0-1",
            "debian golang-github-gorilla-mux 1.8.0-1",
        ),
        "python": ("pypi flask 3.1.3", "pypi requests 2.34.2", "pypi dask 2026.8.0"),
        "javascript": (
            "npm nodemailer 10.6.0",
            "npm leaflet 1.9.4",
            "npm koa 3.2.1",
            "npm ws 8.23.0",
        ),
        "typescript": (
            "npm immer 11.2.10",
            "npm @trpc/server 11.25.2",
            "npm @tiptap/core 3.34.0",
            "npm fabric 7.4.0",
        ),
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", type=Path, metavar="CODE")
    parser.add_argument("--list", action="store_true", help="print the packages and end")
    options = parser.parse_args()
    failed = 0
    for part, languages in PACKAGES.items():
        for language, packages in languages.items():
            for package in packages:
                registry, name, version = package.split()
                if options.list:
                    print(part, language, registry, name, version)
                    continue
                target = folder_of(options.code, part, language, package)
                if target.is_dir():
                    continue
                try:
                    fetch(registry, name, version, target)
                    print(f"{target}: unpacked")
                except (OSError, subprocess.CalledProcessError) as error:
                    failed += 1
                    print(f"{target}: {error}", file=sys.stderr)
    raise SystemExit(1 if failed else 0)


def folder_of(code: Path, part: str, language: str, package: str) -> Path:
    """Where a package of a set is unpacked.

    Examples
    --------
    >>> str(folder_of(Path("code"), "tuning", "typescript", "npm @reduxjs/toolkit 2.14.0"))
    'code/tuning/typescript/reduxjs-toolkit-2.14.0'
    """
    _, name, version = package.split()
    plain = f"{name}-{version}".removeprefix("@").replace("/", "-").replace(":", "-")
    return code / part / language / plain


def fetch(registry: str, name: str, version: str, target: Path) -> None:
    """Fetch a package and unpack it; the folder appears only when it is complete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        folder = Path(temporary)
        {"debian": _from_debian, "pypi": _from_pypi, "npm": _from_npm}[registry](
            name, version, folder
        )
        unpacked = folder / "unpacked"
        inner = list(unpacked.iterdir())
        whole = inner[0] if len(inner) == 1 and inner[0].is_dir() else unpacked
        shutil.move(str(whole), target)


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-500:]}")


def _from_debian(name: str, version: str, folder: Path) -> None:
    _run(folder, "apt-get", "source", "--download-only", f"{name}={version}")
    described = next(folder.glob("*.dsc"))
    _run(folder, "dpkg-source", "--no-check", "-x", described.name, "unpacked")


def _from_pypi(name: str, version: str, folder: Path) -> None:
    _run(
        folder,
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"),
        *("--dest", ".", f"{name}=={version}"),
    )
    _unpack(folder)


def _from_npm(name: str, version: str, folder: Path) -> None:
    _run(folder, "npm", "pack", "--ignore-scripts", "--silent", f"{name}@{version}")
    _unpack(folder)


def _unpack(folder: Path) -> None:
    archive = next(path for path in folder.iterdir() if path.is_file())
    target = folder / "unpacked"
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(target)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(target, filter="data")


if __name__ == "__main__":
    main()
