"""The shape of the code, read from its own files: who imports whom, who owns which table."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "memory": {"memory"},
    "agency": {"agency", "memory"},
    "adapters": {"adapters"},
    "bot": {"bot", "agency", "memory", "adapters"},
}
"""The import law between packages."""

FLOORS = ("engine", "acts", "roof")
ENGINE = "errors texts models engine"
ACTS = (
    "codes joining access withdrawals commands news reception "
    "rows standing earshot context agency_context speaking lifecycle intake listener wakes chains "
    "mentions attendance budgeting costs responses questions approving presses reminding waiting "
    "timed tools web files progress health notices inbox nods reasons leftovers timekeeping "
    "behind turns"
)
ROOF = (
    "setup derived alarms toolbox views house app plays inspection reading overview operations "
    "serve cli __main__ platforms signals parts fittings operating safekeeping footing privacy"
)
BOT = {
    name: floor
    for floor, names in zip(FLOORS, (ENGINE, ACTS, ROOF), strict=True)
    for name in names.split()
}
"""The floor of every module and subpackage of `bot/`; imports run down only."""

LONGEST = 450  # lines a file; from 350 on, split it by noun
TIMEKEEPER = "bot/app.py"
"""The one file that may read a clock, sleep or throw dice: all others are handed those."""
TIMED = re.compile(
    r"(datetime\.)?(datetime|date)\.(now|utcnow|today)|asyncio\.sleep|uuid\.uuid[14]|random\..+"
    r"|time\.(time|time_ns|monotonic|monotonic_ns|perf_counter|perf_counter_ns|sleep)"
)
DATA_ONLY = {"tzdata"}
"""Dependencies that are read and not imported."""
IMPORTED_AS = {"pillow": "PIL", "python-telegram-bot": "telegram"}
"""Dependencies whose module has another name."""
WRITES = re.compile(
    r"\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)"
)
TOUCHES = re.compile(r"\b(?:INTO|UPDATE|FROM|JOIN)\s+(\w+)")
CREATES = re.compile(r"CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)")


@cache
def sources() -> list[Path]:
    return sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))


def statements_files() -> list[Path]:
    """The files of named statements; those of the tables are in `schema/`."""
    found = (path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.sql"))
    return sorted(path for path in found if path.parent.name != "schema")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    return named(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def modules() -> dict[str, Path]:
    return {module(path): path for path in sources()}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(node: ast.stmt, known: dict[str, Path]) -> Iterator[str]:
    """Our modules that one statement imports."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        inside = [f"{base}.{alias.name}" for alias in node.names]
        names = [name if name in known else base for name in inside]
    else:
        return
    yield from (name for name in names if name.partition(".")[0] in MAY_IMPORT)


@cache
def imports(path: Path) -> set[str]:
    known = modules()
    return {name for node in ast.walk(tree(path)) for name in imported(node, known)}  # type: ignore[arg-type]


@cache
def tables() -> dict[str, str]:
    """Every table and the package whose schema makes it."""
    return {
        table: path.relative_to(ROOT).parts[0]
        for package in MAY_IMPORT
        for path in (ROOT / package / "schema").glob("*.sql")
        for table in CREATES.findall(path.read_text(encoding="utf-8"))
    }


def statements(path: Path) -> str:
    return re.sub(r"--.*", "", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sources(), ids=named)
def test_imports_keep_the_law_between_packages(path: Path) -> None:
    package = module(path).partition(".")[0]
    wrong = {name for name in imports(path) if name.partition(".")[0] not in MAY_IMPORT[package]}
    assert not wrong, f"{package}/ may import {sorted(MAY_IMPORT[package])}, not {sorted(wrong)}"


@pytest.mark.parametrize("path", sources(), ids=named)
def test_our_modules_are_imported_at_the_top_only(path: Path) -> None:
    known = modules()
    top = {id(node) for node in tree(path).body}
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and id(node) not in top:
            assert not set(imported(node, known)), f"line {node.lineno}: move it to the top"
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"line {node.lineno}: write the whole name, not a relative one"
        used = getattr(node, "id", None) or getattr(node, "attr", None)
        assert used != "TYPE_CHECKING", "hand in what would point upward instead"


def test_no_circle_of_imports() -> None:
    known = modules()
    graph = {name: imports(path) & set(known) - {name} for name, path in known.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " → ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for below in sorted(graph[name]):
                visit(below, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def floor(name: str) -> int:
    part = name.split(".")[1]
    assert part in BOT, f"bot.{part} has no floor: place it in BOT, in {Path(__file__).name}"
    return FLOORS.index(BOT[part])


@pytest.mark.parametrize(
    "path",
    [
        p
        for p in sources()
        if p.parts[-2:] != ("bot", "__init__.py") and module(p).startswith("bot.")
    ],
    ids=named,
)
def test_imports_in_bot_run_down(path: Path) -> None:
    own = floor(module(path))
    above = {n for n in imports(path) if n.startswith("bot.") and floor(n) > own}
    assert not above, f"{named(path)} is on the floor {FLOORS[own]!r}, below {sorted(above)}"


def test_floors_are_given_to_modules_that_exist() -> None:
    there = {name.split(".")[1] for name in modules() if name.startswith("bot.")}
    assert set(BOT) <= there, f"take out of BOT: {sorted(set(BOT) - there)}"


@pytest.mark.parametrize(
    "path",
    [*sources(), *statements_files(), *sorted((ROOT / "tests").rglob("*.py"))],
    ids=named,
)
def test_files_stay_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST, f"{lines} lines; split it by noun"


@pytest.mark.parametrize("path", sources(), ids=named)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(tree(path)), "a module opens with one sentence: its line in the tree"


def dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize("path", [p for p in sources() if named(p) != TIMEKEEPER], ids=named)
def test_clock_sleep_and_dice_are_handed_in(path: Path) -> None:
    for node in ast.walk(tree(path)):
        used = [dotted(node)] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.ImportFrom):
            used = [f"{node.module}.{alias.name}" for alias in node.names]
        if isinstance(node, ast.Import):
            used = ["random.random"] if any(a.name == "random" for a in node.names) else []
        timed = [name for name in used if TIMED.fullmatch(name)]
        assert not timed, f"line {getattr(node, 'lineno', '?')}: take {timed} by the constructor"


def test_every_table_is_written_by_one_owner_and_read_in_its_package() -> None:
    made = tables()
    writers: dict[str, set[str]] = {}
    for path in statements_files():
        text = statements(path)
        for table in set(WRITES.findall(text)) & set(made):
            writers.setdefault(table, set()).add(named(path))
        foreign = {
            table
            for table in set(TOUCHES.findall(text)) & set(made)
            if made[table] != path.relative_to(ROOT).parts[0]
        }
        assert not foreign, f"{named(path)} touches tables of another package: {sorted(foreign)}"
    shared = {table: sorted(owners) for table, owners in writers.items() if len(owners) > 1}
    assert not shared, f"written by more than one owner: {shared}"


@pytest.mark.parametrize("path", sources(), ids=named)
def test_tables_are_named_in_sql_files_only(path: Path) -> None:
    made = tables()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = set(TOUCHES.findall(node.value)) & set(made)
            assert not found, f"line {node.lineno}: move it to {path.with_suffix('.sql').name}"


@pytest.mark.parametrize("path", statements_files(), ids=named)
def test_statements_lie_beside_their_owner_and_are_used(path: Path) -> None:
    owner = path.with_suffix(".py")
    assert owner.exists(), f"{named(path)} lies beside no {owner.name}"
    names = re.findall(r"^-- (\w+) --$", path.read_text(encoding="utf-8"), re.M)
    code = owner.read_text(encoding="utf-8")
    unused = [name for name in names if f'"{name}"' not in code]
    assert not unused, f"no longer used: {unused}"


def test_migrations_are_numbered_without_repeats() -> None:
    for package in MAY_IMPORT:
        numbers = sorted(path.name[:4] for path in (ROOT / package / "schema").glob("*.sql"))
        assert all(number.isdigit() for number in numbers)
        assert all(one < next_one for one, next_one in pairwise(numbers)), f"{package}: {numbers}"


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("*.py")), ids=named)
def test_tests_use_real_parts(path: Path) -> None:
    for node in ast.walk(tree(path)):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        assert not any(name.startswith("unittest.mock") for name in names), "write a whole fake"


def test_every_dependency_is_used_and_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    reasons = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
    used = {
        name.partition(".")[0]
        for path in sources()
        for node in ast.walk(tree(path))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    for line in project["dependencies"]:
        name = re.split(r"[<>=~!; \[]", line)[0]
        assert f"| `{name}` |" in reasons, f"{name} has no line of reason in docs/decisions.md"
        package = IMPORTED_AS.get(name, name.replace("-py", "").replace("-", "_"))
        assert name in DATA_ONLY or package in used, f"{name} is imported nowhere: take it out"
