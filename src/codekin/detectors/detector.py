"""Detector: what all models share, the file that a trained one is kept in, and their table."""

from __future__ import annotations

import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError, suggestion
from codekin.opening import UnreadableFileError, read_arrays, read_json
from codekin.parameter_words import assignments, parameter_word, typed_values
from codekin.whole_files import whole_file, whole_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from codekin.corpora.corpus import Corpus
    from codekin.corpora.snippets import Snippet
    from codekin.detectors.prepared import Prepared

__all__ = [
    "ArrayDetector",
    "Detector",
    "Fitted",
    "LabelledPlaces",
    "TrainingProgress",
    "detector",
    "detector_classes",
    "detector_names",
    "load_detector",
    "parse_detector",
]

FORMAT = 1
_ABOUT, _WEIGHTS = "model.json", "weights.npz"
_AGAIN = "copy the whole folder again, or train the detector again"
_LARGEST = 2**53
_SHOWN = 300
"""Characters of a library's message that an error shows."""
_KIND = "codekin-detector"

_BUILT_IN = {
    "linear": "linear:Linear",
    "mlp": "mlp:Mlp",
    "svm": "svm:Svm",
    "tbccd": "tbccd:Tbccd",
    "astnn": "astnn:Astnn",
    "faast": "faast:Faast",
    "transformer": "transformer:Transformer",
    "measure": "measure_detector:MeasureDetector",
    "blend": "blend:Blend",
}
"""The class of each detector. Modules are imported on first use."""

_BLOCK = 512
"""Snippets that are compared with all others at a time."""

PRESETS = ("default", "paper")
WORDS_OF_ALL = "words were taken from all code, test included: not comparable"

Places = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float32]
Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class LabelledPlaces:
    """Labelled pairs of one side, by the places of their snippets.

    Attributes
    ----------
    first, second : int32 arrays
    label : bool array
        Whether they are clones.
    """

    first: Places
    second: Places
    label: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True)
class Fitted:
    """How a detector was fitted.

    Attributes
    ----------
    pairs, validation_pairs : int
    epochs : int
        Passes over the pairs; 0 where nothing is trained.
    best : int
        The epoch that was kept.
    losses : tuple of float
        Per epoch.
    validation : tuple of float
        The average precision on validation, per epoch.
    test : tuple of float
        The same on test, only where the epoch was chosen by it, which makes the result not
        comparable.
    seconds : float
        Of fitting, without preparing snippets.
    notes : tuple of str
        What a reader must know, such as a preset that makes the result not comparable.
    """

    pairs: int
    validation_pairs: int
    epochs: int = 0
    best: int = 0
    losses: tuple[float, ...] = ()
    validation: tuple[float, ...] = ()
    test: tuple[float, ...] = ()
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrainingProgress:
    """Where training is.

    Attributes
    ----------
    epoch, epochs : int
    done, pairs : int
        Pairs of this epoch.
    loss : float
        The mean of this epoch so far.
    validation : float
        The average precision on validation of the epoch before; nan in the first.
    """

    epoch: int
    epochs: int
    done: int
    pairs: int
    loss: float
    validation: float


Progress = Callable[[TrainingProgress], None]


@dataclass(eq=False)
class Detector(ABC):
    """A model that decides whether two snippets are clones.

    A subclass is a dataclass whose fields are its settings. Whatever fitting finds is kept in other
    attributes, and :meth:`state` and :meth:`restore` write and read them.

    Attributes
    ----------
    name, summary : str
        Of the detector.
    siamese : bool
        Whether it encodes each snippet by itself, so that it also has ``encode``.
    searches : bool
        Whether it compares all pairs of a folder fast in another way than by vectors.
    threshold : float
        Pairs with at least this score are clones; nan until it was fitted.
    languages : tuple of str
        Those of the training snippets.
    card : dict
        What is known of a trained model: the corpus, its view and level, and scores.
    nested : str
        A setting whose value is a word that may have parameters of its own. Where the word is not
        of something built in, a person has to name it again to load a saved detector.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    siamese: ClassVar[bool] = False
    searches: ClassVar[bool] = False
    nested: ClassVar[str] = ""

    threshold: float = field(default=float("nan"), init=False, repr=False)
    languages: tuple[str, ...] = field(default=(), init=False, repr=False)
    fitted: Fitted | None = field(default=None, init=False, repr=False)
    card: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    named_again: bool = field(default=False, init=False, repr=False)
    """Whether a person named the nested word of a saved detector."""

    @abstractmethod
    def fit(
        self, corpus: Corpus, *, workers: int | None = None, progress: Progress | None = None
    ) -> Fitted:
        """Learn from the pairs of a corpus.

        Parameters
        ----------
        corpus : Corpus
            With sides and labelled pairs; the sides train and validation are used, and with
            ``preset=paper`` also the side test.
        workers : int, optional
            Worker processes that read snippets.
        progress : callable, optional

        Raises
        ------
        CodekinError
            If a side has no pairs, or only pairs of one label.
        """

    @abstractmethod
    def score_pairs(
        self,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
        *,
        workers: int | None = None,
    ) -> Scores:
        """How likely each pair is a clone, from 0 to 1; nan where a snippet cannot be read.

        Parameters
        ----------
        snippets : sequence of Snippet
        first, second : int32 arrays
            The places of the two snippets of each pair.
        workers : int, optional
            Worker processes that read snippets.
        """

    def encode(
        self, snippets: Sequence[Snippet], *, workers: int | None = None
    ) -> npt.NDArray[np.float32]:
        """A vector per snippet; only of siamese detectors."""
        raise CodekinError(f"{self.name}: needs both snippets of a pair, so it cannot encode one")

    def compare_vectors(
        self, first: npt.NDArray[np.float32], second: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        """How likely each of some snippets is a clone of each of others, by their vectors.

        Parameters
        ----------
        first, second : float32 arrays
            Of :meth:`encode`.

        Returns
        -------
        float32 array
            A row per vector of `first`, a column per vector of `second`.
        """
        raise CodekinError(f"{self.name}: needs both snippets of a pair, not vectors")

    def compare_all(
        self, snippets: Sequence[Snippet], *, workers: int | None = None
    ) -> Iterator[tuple[int, Scores]]:
        """How likely every two snippets are clones, in blocks of rows.

        Only of detectors that encode each snippet by itself, or that say that they search.

        Parameters
        ----------
        snippets : sequence of Snippet
        workers : int, optional
            Worker processes that read snippets.

        Yields
        ------
        (int, float32 array)
            The first snippet of a block, and a row per snippet of it with a column per snippet.
        """
        vectors = self.encode(snippets, workers=workers)
        for start in range(0, len(vectors), _BLOCK):
            yield start, self.compare_vectors(vectors[start : start + _BLOCK], vectors)

    @abstractmethod
    def state(self) -> tuple[dict[str, Any], Arrays]:
        """What fitting found: a JSON document, and arrays of numbers."""

    @abstractmethod
    def restore(self, document: Mapping[str, Any], arrays: Arrays) -> None:
        """Take over what :meth:`state` returned."""

    def check_choices(self, **known: Iterable[str]) -> None:
        """Refuse settings that are none of the words that they may be."""
        for setting, words in known.items():
            given = getattr(self, setting)
            if given not in words:
                raise CodekinError(
                    f"{self.name}: unknown {setting} {given!r}{suggestion(given, words)} "
                    f"(known: {', '.join(words)})"
                )

    def check_least(self, **least: int) -> None:
        """Refuse settings that are smaller than the least they may be."""
        for setting, value in least.items():
            if not getattr(self, setting) >= value:
                raise CodekinError(f"{self.name}: {setting} must be at least {value}")

    def check_built_in(self) -> None:
        """Refuse a nested word that is not of something built in."""
        assert not self.nested, "a detector with a nested word says what is built in"

    def settings(self) -> dict[str, Any]:
        """The settings as they were given."""
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self) if one.init}

    @classmethod
    def local_settings(cls) -> list[str]:
        """The settings that belong to a machine, such as its device, and not to what was learnt.

        These are the fields without `repr`. They are neither written to a saved detector nor read
        from one, and can be given when it is loaded.
        """
        return [
            setting.name for setting in dataclasses.fields(cls) if setting.init and not setting.repr
        ]

    @property
    def word(self) -> str:
        """What denotes it in a command, such as ``tbccd:epochs=4``."""
        return parameter_word(self.name, self)

    def save(self, path: str | Path) -> None:
        """Write the fitted detector to a new folder: ``model.json`` and plain arrays.

        Raises
        ------
        CodekinError
            If it was not fitted, or if there is something at the path already.
        """
        save_detector(self, Path(path))


@dataclass(eq=False)
class ArrayDetector(Detector):
    """A detector that reads prepared snippets and nothing else."""

    @abstractmethod
    def fit_prepared(
        self,
        prepared: Prepared,
        train: LabelledPlaces,
        validation: LabelledPlaces,
        *,
        test: LabelledPlaces | None = None,
        progress: Progress | None = None,
    ) -> Fitted:
        """Learn from pairs of prepared snippets.

        Parameters
        ----------
        prepared : Prepared
        train, validation : LabelledPlaces
        test : LabelledPlaces, optional
            Test pairs of the same snippets. Nothing but ``preset=paper`` reads them.
        progress : callable, optional
        """

    def take_languages(self, prepared: Prepared, train: LabelledPlaces) -> npt.NDArray[np.bool_]:
        """Keep the languages of training snippets; which of all snippets these are."""
        used = np.zeros(len(prepared), bool)
        used[train.first] = used[train.second] = True
        self.languages = tuple(sorted({prepared.languages[i] for i in np.flatnonzero(used)}))
        return used

    @abstractmethod
    def score_prepared(self, prepared: Prepared, first: Places, second: Places) -> Scores:
        """How likely each pair of prepared snippets is a clone; nan where one is empty.

        Parameters
        ----------
        prepared : Prepared
        first, second : int32 arrays
        """

    def fit(
        self, corpus: Corpus, *, workers: int | None = None, progress: Progress | None = None
    ) -> Fitted:
        """Learn from the pairs of a corpus; see :meth:`Detector.fit`."""
        from codekin.detectors.preparing import prepare_snippets

        sides = labelled(corpus, "train"), labelled(corpus, "validation")
        prepared = prepare_snippets(corpus.snippets, workers=workers)
        test = pairs_of_side(corpus, "test")
        return self.fit_prepared(prepared, *sides, test=test, progress=progress)

    def score_pairs(
        self,
        snippets: Sequence[Snippet],
        first: Places,
        second: Places,
        *,
        workers: int | None = None,
    ) -> Scores:
        """How likely each pair is a clone; see :meth:`Detector.score_pairs`."""
        from codekin.detectors.preparing import prepare_snippets

        used, first, second = used_snippets(snippets, first, second)
        return self.score_prepared(prepare_snippets(used, workers=workers), first, second)


def save_detector(one: Detector, path: Path) -> None:
    """Write a fitted detector to a new folder; all of it appears at once, or nothing does."""
    from codekin._version import __version__  # which needs codekin to be installed

    if one.fitted is None:
        raise CodekinError(f"{one.name}: was not fitted, so there is nothing to save")
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise CodekinError(f"{path}: exists already, and nothing is overwritten; name another")
    document, arrays = one.state()
    about = {
        "kind": _KIND,
        "format": FORMAT,
        "codekin": __version__,
        "detector": one.name,
        "settings": _kept_settings(type(one), one.settings()),
        "threshold": one.threshold,
        "languages": list(one.languages),
        "fitted": dataclasses.asdict(one.fitted),
        "card": one.card,
        "state": document,
    }
    with whole_folder(path) as part:
        text = json.dumps(about, indent=1) + "\n"
        with whole_file(part / _ABOUT) as stream:
            stream.write(text.encode())
        with whole_file(part / _WEIGHTS) as stream:
            np.savez_compressed(stream, allow_pickle=False, **arrays)


def _kept_settings(kind: type[Detector], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a saved detector has; the next machine may have no GPU."""
    local = kind.local_settings()
    return {name: value for name, value in settings.items() if name not in local}


def load_detector(path: str | Path, **settings: Any) -> Detector:
    """Read a fitted detector. Nothing in the folder is run: it has JSON and numbers.

    A folder decides about codekin's own detectors and measures only. The name of a detector that
    another package adds, and the measure of a detector where it is not built in, has to be given
    again.

    Parameters
    ----------
    path : str or Path
        The folder that it was saved to.
    **settings
        Those that belong to this machine, and are not kept with a detector: ``device`` of networks.
        Or, as they were saved, ``detector`` and ``measure``.

    Raises
    ------
    CodekinError
        If there is no detector, if another version of codekin wrote it in another format, or if a
        setting is one that was fixed by training.
    """
    return read_detector(Path(path), settings)


def read_detector(path: Path, settings: Mapping[str, Any], *, shipped: bool = False) -> Detector:
    """The detector in a folder; the files of one that comes with codekin may be links."""
    about = _about(path, shipped)
    given = dict(settings)
    name = _named_detector(path, about.get("detector"), given.pop("detector", None))
    kind = detector_class(name)
    try:
        arrays = read_arrays(path / _WEIGHTS, typed=shipped, within=None if shipped else path)
    except UnreadableFileError as error:
        raise CodekinError(f"{error}; {_AGAIN}") from None
    named = given.pop(kind.nested, None) if kind.nested else None
    local = _given_settings(name, given)
    try:
        saved = _kept_settings(kind, about["settings"])
        _check_types(kind, saved)
        if named is not None and named != saved[kind.nested]:
            raise CodekinError(
                f"{path}: {kind.nested} is {saved[kind.nested]}, and was fixed by training"
            )
        found = detector(name, **(saved | local))
        found.named_again = named is not None
        _check_numbers(arrays)
        _take_over(found, about, arrays)
    except CodekinError:
        raise
    except Exception as error:  # whatever a library makes of a damaged document
        said = " ".join(str(error).split())[:_SHOWN]
        raise CodekinError(
            f"{path}: is not a whole detector ({type(error).__name__}: {said}); train it again"
        ) from None
    return found


def _check_types(kind: type[Detector], saved: Mapping[str, Any]) -> None:
    """Refuse settings of a file that are not of the types of their defaults, or enormous."""
    for setting in dataclasses.fields(kind):
        value = saved.get(setting.name, setting.default)
        wanted = type(setting.default)
        alike = type(value) is wanted or (wanted is float and type(value) is int)
        if wanted in (bool, int, float, str) and not alike:
            raise ValueError(f"{setting.name} must be of type {wanted.__name__}, not {value!r}")
        if type(value) is int and abs(value) > _LARGEST:
            raise ValueError(f"{setting.name} is too large a number")


def _check_numbers(arrays: Arrays) -> None:
    """Refuse arrays of anything but real numbers."""
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise ValueError(f"{name} has values of type {array.dtype}, which are no real numbers")


def _take_over(found: Detector, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Give a detector what is saved of it."""
    found.threshold = float(about["threshold"])
    if not 0 <= found.threshold <= 1:
        raise ValueError(f"the threshold must be from 0 to 1, not {found.threshold}")
    found.languages = tuple(map(str, about["languages"]))
    if not all(map(str.isprintable, found.languages)):
        raise ValueError("its languages have no names")
    found.card = _checked_card(about["card"])
    listed: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in about["fitted"].items()
    }
    found.fitted = Fitted(**listed)
    found.restore(about["state"], arrays)


def _checked_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card whose level and words code can be abstracted by."""
    from codekin.rewrite.abstraction import LEVELS, Vocabulary  # which needs more than numpy

    level, words = card.get("level", "given"), dict(card.get("vocabulary", {}))
    if level not in ("given", *LEVELS):
        raise ValueError(f"its card has an unknown level {level!r}")
    if not all(isinstance(text, str) for pair in words.items() for text in pair):
        raise ValueError("its card has a vocabulary of other things than words")
    Vocabulary.from_mapping(words)
    return dict(card)


def _named_detector(path: Path, name: object, typed: object) -> str:
    """The name of a saved detector, which a person named if it is not codekin's own."""
    known = detector_names()
    if not isinstance(name, str) or name not in known:
        raise CodekinError(
            f"{path}: is a detector {name!r}, which this codekin does not have; install the "
            f"package that adds it (known: {', '.join(known)})"
        )
    if typed not in (None, name):
        raise CodekinError(f"{path}: is a detector {name!r}, and not {typed!r}")
    if name not in _BUILT_IN and typed is None:
        raise CodekinError(
            f"{path}: is a detector {name!r} of another package, and no code is loaded because a "
            f"file names it; name it again: --set detector={name}"
        )
    return name


def _given_settings(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings for a detector that is loaded, read by their types where they are words."""
    if not given:
        return {}
    made = detector_class(name)
    known = made.local_settings()
    for setting in given:
        if setting not in known:
            fixed = setting in {one.name for one in dataclasses.fields(made) if one.init}
            what = "was fixed by training" if fixed else "is not a setting"
            raise CodekinError(
                f"{name}: {setting} {what}{suggestion(setting, known)} "
                f"(can be given to a saved detector: {', '.join(known) or 'none'})"
            )
    words = {key: value for key, value in given.items() if isinstance(value, str)}
    return {**given, **typed_values(name, made, words)}


def _about(path: Path, shipped: bool) -> dict[str, Any]:
    place = path / _ABOUT
    if not (place.exists() or place.is_symlink()):
        raise CodekinError(f"{path}: {_no_detector(path)}")
    try:
        about = read_json(place, typed=shipped, within=None if shipped else path)
    except UnreadableFileError as error:
        raise CodekinError(f"{error}; {_AGAIN}") from None
    if not isinstance(about, dict) or about.get("kind") != _KIND:
        raise CodekinError(
            f"{path}: is not a detector that codekin trained, since its {_ABOUT} is something else"
        )
    if about.get("format") != FORMAT:
        raise CodekinError(
            f"{path}: is in format {about.get('format')!r} of codekin {about.get('codekin')}, and "
            f"this codekin reads {FORMAT}; train it again, or use that version"
        )
    return about


def _no_detector(path: Path) -> str:
    """Why there is no detector at a path, and what to name instead."""
    instead = "name a folder that codekin detect train wrote"
    name = str(path).partition(":")[0]
    if not path.exists():
        if name in detector_names():
            return (
                f"there is no such folder; {name} must be trained first, with codekin detect train "
                f"CORPUS --model {path} -o FOLDER"
            )
        return f"there is no such folder; {instead}"
    if not path.is_dir():
        return f"is a file, and not a detector that codekin trained; {instead}"
    return f"is not a detector that codekin trained, since it has no {_ABOUT}; {instead}"


@cache
def detector_classes() -> dict[str, str | EntryPoint | type[Detector]]:
    """The detectors by name: where built-in ones are, and the entry points of others.

    Others are entry points ``codekin.detectors``. None is loaded before it is used.
    """
    from importlib import metadata

    table: dict[str, str | EntryPoint | type[Detector]] = dict(_BUILT_IN)
    for entry in sorted(metadata.entry_points(group="codekin.detectors"), key=lambda e: e.name):
        if entry.name in table:
            raise CodekinError(
                f"{_package(entry)}: its detector {entry.name!r} has the name of another; rename "
                "it or uninstall the package"
            )
        table[entry.name] = entry
    return table


def _package(entry: EntryPoint) -> str:
    return "another package" if entry.dist is None else f"package {entry.dist.name}"


def detector_names() -> list[str]:
    """The names of all detectors, those that other packages add included.

    Examples
    --------
    >>> detector_names()[:4]
    ['linear', 'mlp', 'svm', 'tbccd']
    """
    return list(detector_classes())


def detector_class(name: str) -> type[Detector]:
    """The class of a detector.

    Raises
    ------
    CodekinError
        If there is no such detector, or a package that it needs is not installed.
    """
    table = detector_classes()
    if name not in table:
        hint = suggestion(name, table)
        every = "codekin detect models lists all" if hint else f"known: {', '.join(table)}"
        raise CodekinError(f"unknown detector {name!r}{hint} ({every})")
    known = table[name]
    if isinstance(known, type):
        return known
    if isinstance(known, str):
        return _built_in(name, *known.split(":"))
    try:
        found: type[Detector] = known.load()
    except (Exception, SystemExit) as error:  # whatever another package does
        raise CodekinError(
            f"{_package(known)}: its detector {name!r} cannot be loaded "
            f"({type(error).__name__}: {error}); fix or uninstall the package"
        ) from None
    return found


def _built_in(name: str, module: str, attribute: str) -> type[Detector]:
    try:
        found: type[Detector] = getattr(import_module(f"codekin.detectors.{module}"), attribute)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("torch", "sklearn", "transformers"):
            raise CodekinError(
                f"{name}: needs {error.name}, which is not installed; pip install "
                "'codekin[detectors]'"
            ) from None
        raise
    return found


def detector(name: str, **settings: Any) -> Detector:
    """Make a detector, not yet fitted.

    Parameters
    ----------
    name : str
        One of `detector_classes`.
    **settings
        The detector's own; see its page.
    """
    made = detector_class(name)
    fields = [one.name for one in dataclasses.fields(made) if one.init]
    for setting in settings:
        if setting not in fields:
            raise CodekinError(
                f"{name}: unknown setting {setting!r}{suggestion(setting, fields)} "
                f"(known: {', '.join(fields)})"
            )
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}
    return made(**values)


def parse_detector(word: str) -> Detector:
    """Make a detector from a word such as ``tbccd:epochs=4,width=300``.

    In ``measure:measure=bleu:order=2,smoothing=floor,sample=500``, what is not a setting of the
    detector is a parameter of the measure.
    """
    name, _, rest = word.partition(":")
    made = detector_class(name)
    fields = {one.name for one in dataclasses.fields(made) if one.init}
    given: dict[str, str] = {}
    for key, value in assignments(name, rest) if rest else ():
        inner = given.get(made.nested)
        if inner is not None and key not in fields:
            given[made.nested] = f"{inner}{',' if ':' in inner else ':'}{key}={value}"
        else:
            given[key] = value
    return detector(name, **typed_values(name, made, given))


def detector_in_file(word: str) -> Detector:
    """Make a detector that a file names, whose measure must then be one of codekin's own."""
    made = parse_detector(word)
    made.check_built_in()
    return made


def used_snippets(
    snippets: Sequence[Snippet], first: Places, second: Places
) -> tuple[list[Snippet], Places, Places]:
    """The snippets that are in pairs, and the pairs by their places among these."""
    used, inverse = np.unique(np.concatenate([first, second]), return_inverse=True)
    places: Places = inverse.reshape(-1).astype(np.int32)
    return [snippets[i] for i in used.tolist()], places[: len(first)], places[len(first) :]


def labelled(corpus: Corpus, side: str) -> LabelledPlaces:
    """The labelled pairs of a side.

    Raises
    ------
    CodekinError
        If there are none, or only of one label.
    """
    pairs = corpus.pairs
    if pairs is None or pairs.side is None:
        what = "has no pairs" if pairs is None else "is not split into sides"
        how = "codekin corpus pairs" if pairs is None else "codekin corpus split"
        raise CodekinError(
            f"{corpus.name}: {what}, and a detector learns from pairs of training "
            f"and validation; make them with {how}"
        )
    return check_labels(pairs_of_side(corpus, side), corpus.name, side)


def pairs_of_side(corpus: Corpus, side: str) -> LabelledPlaces:
    """The labelled pairs of a side, of any labels; none where the corpus has no such side."""
    pairs = corpus.pairs
    if pairs is None or pairs.side is None or side not in pairs.side[1]:
        return LabelledPlaces(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, bool))
    codes, names = pairs.side
    chosen = pairs.take((codes == names.index(side)) & (pairs.label >= 0))
    return LabelledPlaces(chosen.first, chosen.second, chosen.label == 1)


_OTHER_PAIRS = "draw others with codekin corpus pairs, or split in another way with --view"


def check_labels(pairs: LabelledPlaces, where: str, side: str) -> LabelledPlaces:
    """Refuse pairs of one label alone, from which nothing can be learnt."""
    clones = int(pairs.label.sum())
    if not len(pairs):
        raise CodekinError(f"{where}: the side {side} has no labelled pairs; {_OTHER_PAIRS}")
    if clones in (0, len(pairs)):
        only = "clones" if clones else "pairs that are not clones"
        raise CodekinError(
            f"{where}: the side {side} has {len(pairs):,} pairs, all of them {only}; a detector "
            f"needs both: {_OTHER_PAIRS}"
        )
    return pairs
