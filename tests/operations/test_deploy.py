"""What lies under `deploy`: syntax, and that each path, option, port and metric in it exists."""

import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
from prometheus_client.parser import text_string_to_metric_families

from casinowar.cli import casinowar
from casinowar.cli.serve import database_place
from casinowar.house.settings_file import load_tables
from casinowar.web.http.certificate import Certificate
from casinowar.web.peers.peers import HAND_OVER_S
from casinowar.web.run import GOODBYE_S
from tests.operations.certificates import make_pair
from tests.support.commandline import run
from tests.support.live_server import HOUSE, Caller, running
from tests.support.postgres import Cluster

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SERVERS = "casinowar@.service"
PORTS = ("8080", "8081")
UNITS = sorted(file.name for pattern in ("*.service", "*.timer") for file in DEPLOY.glob(pattern))


def unit(name: str) -> configparser.ConfigParser:
    """A unit with its lines joined; a key that comes again is told apart by a number."""
    lines, seen = [], dict[str, int]()
    for line in (DEPLOY / name).read_text("utf-8").replace("\\\n", " ").splitlines():
        key = line.partition("=")[0]
        if "=" in line and not line.startswith("#"):
            seen[key] = seen.get(key, 0) + 1
            line = line if seen[key] == 1 else line.replace(key, f"{key}.{seen[key]}", 1)
        if line.startswith("["):
            seen.clear()
        lines.append(line)
    parsed = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read_string("\n".join(lines))
    return parsed


DROP_INS = {
    "casinowar.service": "casinowar-database.conf",
    "casinowar-backup.service": "casinowar-backup-database.conf",
}
"""What each unit needs besides where the house is in PostgreSQL."""


def command_lines() -> dict[str, list[str]]:
    """Every call of `casinowar` in these files, as its words behind the program."""
    image = (DEPLOY / "Containerfile").read_text("utf-8")
    cmd = re.search(r"^CMD (\[.*\])$", image, re.MULTILINE)
    assert cmd
    found = {"Containerfile": json.loads(cmd[1])}
    for name in ("casinowar.service", SERVERS, "casinowar-backup.service"):
        start = unit(name)["Service"]["ExecStart"].replace("%i", PORTS[0]).replace("%%", "%")
        words = shlex.split(start)
        words = shlex.split(words[-1].replace("$(", "").replace(")", "")) if "-c" in words else words
        begin = next(number for number, word in enumerate(words) if word.endswith("/casinowar"))
        found[name] = words[begin + 1 :]
    return found


def command_of(words: list[str]) -> tuple[click.Command, list[str]]:
    command: click.Command = casinowar
    while isinstance(command, click.Group):
        command, words = command.commands[words[0]], words[1:]
    return command, words


@pytest.mark.parametrize("name", ["Containerfile", "casinowar.service", SERVERS, "casinowar-backup.service"])
def test_each_call_of_the_program_is_one_that_it_takes(name: str) -> None:
    command, words = command_of(command_lines()[name])
    parsed = command.make_context("casinowar", list(words), **casinowar.context_settings).params
    known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known
    assert parsed.get("opens", False) is False, "there is nobody to look at a browser"


def test_a_flag_that_does_not_exist_is_found() -> None:
    with pytest.raises(click.UsageError, match="No such option"):
        command_of(["serve", "--behind-ssl"])[0].make_context("serve", ["--behind-ssl"], **casinowar.context_settings)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong_with_a_unit(tmp_path: Path, name: str) -> None:
    """With a program of that name in a place that is there."""
    program = tmp_path / "casinowar"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    environment = tmp_path / "database.env"
    environment.write_text((DEPLOY / "database.env").read_text("utf-8"))
    for other in UNITS:
        text = (DEPLOY / other).read_text("utf-8").replace("/opt/casinowar/bin/casinowar", str(program))
        (tmp_path / other).write_text(text.replace(f"/etc/casinowar/{environment.name}", str(environment)))
    for unit_name, conf in DROP_INS.items():
        text = (DEPLOY / conf).read_text("utf-8").replace(f"/etc/casinowar/{environment.name}", str(environment))
        (tmp_path / f"{unit_name}.d").mkdir()
        (tmp_path / f"{unit_name}.d" / "database.conf").write_text(text)
    begun = str(tmp_path / name).replace("@.", f"@{PORTS[0]}.")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", begun], capture_output=True, text=True, timeout=60)
    told = [line for line in done.stderr.splitlines() if "casinowar" in line]
    assert told == []


def environment() -> dict[str, str]:
    """The variables of the example, those that are commented out after those that are not."""
    lines = (DEPLOY / "database.env").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"#?([A-Z_]+)=(.*)", line) for line in lines]
    return {one[0]: one[2] for one in reversed(found) if one}


@pytest.mark.parametrize("name", DROP_INS)
def test_a_unit_over_a_database_begins_after_it_and_has_its_url_from_a_file(name: str) -> None:
    conf = unit(DROP_INS[name])
    assert conf["Unit"]["After"] == "postgresql.service"
    assert conf["Service"]["EnvironmentFile"] == "/etc/casinowar/database.env"
    assert conf["Service"].get("PrivateNetwork", "no") == "no", "the database may be elsewhere"
    assert f"/etc/systemd/system/{name}.d/" in (DEPLOY / DROP_INS[name]).read_text("utf-8")
    words = command_lines()[name]
    assert "--database" not in words, "everybody can read the words of a command"
    command, _ = command_of(words)
    assert "CASINOWAR_DATABASE" in {one.envvar for one in command.params}
    unix, tcp = [value for line, value in environment().items() if "CASINOWAR_DATABASE" in line]
    for url in (unix, tcp):
        assert isinstance(database_place(url, click.Context(command)), str)
    assert {one.partition("=")[0].lstrip("#") for one in environment()} == {"CASINOWAR_DATABASE", "PGPASSWORD"}


def test_the_password_may_come_in_a_variable_of_its_own_or_a_file(
    database: str, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As PostgreSQL's own programs have it."""
    access = cluster.data / "pg_hba.conf"
    access.write_text("local all locked scram-sha-256\n" + access.read_text())
    cluster.run("CREATE ROLE locked LOGIN SUPERUSER PASSWORD 'from elsewhere'", "SELECT pg_reload_conf()")
    monkeypatch.setenv("CASINOWAR_DATABASE", database.replace("casinowar@", "locked@"))
    for given in ("", "seKRet"):
        monkeypatch.setenv("PGPASSWORD", given)
        refused = run("admin", "accounts").error
        assert "locked@" in refused
        assert "seKRet" not in refused
    monkeypatch.setenv("PGPASSWORD", "from elsewhere")
    assert run("admin", "accounts", "--json").out == "[]\n"
    monkeypatch.delenv("PGPASSWORD")
    (tmp_path / "pass").write_text("*:*:*:locked:from elsewhere\n")
    (tmp_path / "pass").chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "pass"))
    assert run("admin", "accounts", "--json").out == "[]\n"


def test_the_image_can_speak_to_a_database() -> None:
    assert re.search(r"^asyncpg==", (ROOT / "server.lock").read_text("utf-8"), re.MULTILINE)
    assert "--env-file database.env" in (DEPLOY / "Containerfile").read_text("utf-8")


@pytest.mark.parametrize("has_tls", [True, False])
def test_the_image_is_healthy_for_as_long_as_the_server_is_ready(tmp_path: Path, has_tls: bool) -> None:
    found = re.search(r"^HEALTHCHECK .* CMD (\[.*\])$", (DEPLOY / "Containerfile").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    _, *words = json.loads(found[1])
    pair = make_pair(tmp_path)
    certificate = Certificate(pair.cert, pair.key) if has_tls else None
    with running(tmp_path / "house", HOUSE, certificate=certificate) as live:
        asked = [sys.executable, *(word.replace(":8080/", f":{live.port}/") for word in words)]
        assert subprocess.run(asked, capture_output=True, check=False).returncode == 0
        live.server.is_leaving = True
        assert subprocess.run(asked, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize("name", ["casinowar.service", SERVERS])
def test_the_unit_lets_the_server_write_only_where_it_is_told_to(name: str) -> None:
    service = unit(name)["Service"]
    words = shlex.split(service["ExecStart"])
    given = dict(pairwise(words))
    assert given["--data"] == f"/var/lib/{service['StateDirectory']}"
    assert Path(given["--log-file"]).parent == Path("/var/log") / service["LogsDirectory"]
    assert Path(given["--tables"]).parent == Path("/etc") / service["ConfigurationDirectory"]
    for key, value in {
        "ProtectSystem": "strict",
        "NoNewPrivileges": "yes",
        "DynamicUser": "yes",
        "UMask": "0077",
    }.items():
        assert service[key] == value
    assert service["CapabilityBoundingSet"] == ""


def test_each_of_several_servers_is_as_a_lone_one_but_for_its_port_its_log_and_the_database() -> None:
    """Both ask for the same rights, so that a change of one is a change of both."""
    lone, one = unit("casinowar.service"), unit(SERVERS)
    told = shlex.split(one["Service"]["ExecStart"])
    given = dict(pairwise(told))
    assert given["--port"] == "%i"
    assert "%i" in given["--log-file"], "two servers cannot put one file aside"
    assert "--database" not in told, "everybody can read the words of a command"
    assert one["Service"]["EnvironmentFile"] == unit(DROP_INS["casinowar.service"])["Service"]["EnvironmentFile"]
    assert one["Unit"]["Conflicts"] == "casinowar.service", "which has the port of the first"
    for parsed in (lone, one):
        parsed["Service"].pop("ExecStart")
        assert parsed["Unit"]["StartLimitIntervalSec"] == "0", "a database may be away for longer than five starts"
        assert parsed["Service"]["Restart"] == "always"
    one["Service"].pop("EnvironmentFile")
    assert dict(one["Service"]) == dict(lone["Service"])
    assert int(one["Service"]["TimeoutStopSec"]) > HAND_OVER_S + GOODBYE_S


def upstream(name: str) -> list[str]:
    """The servers of nginx's upstream, each with its settings."""
    block = re.search(r"^upstream casinowar \{$(.*?)^\}$", (DEPLOY / name).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert block is not None
    return re.findall(r"^\s*server (.*);$", block[1], re.MULTILINE)


def test_nginx_has_an_upstream_for_one_server_and_one_for_two_that_take_turns() -> None:
    """It needs no stickiness; whoever is stopped must be tried again at once, or a rolling upgrade leaves nobody."""
    assert upstream("nginx.conf") == [f"127.0.0.1:{PORTS[0]}"]
    assert upstream("nginx-servers.conf") == [f"127.0.0.1:{port} max_fails=0" for port in PORTS]
    blocks(text := (DEPLOY / "nginx-servers.conf").read_text("utf-8"))
    assert not re.search(r"^\s*(ip_hash|hash|sticky)", text, re.MULTILINE)
    begun = re.search(r"systemctl enable --now (.*)", (DEPLOY / SERVERS).read_text("utf-8"))
    assert begun is not None
    assert begun[1].split() == [f"casinowar@{port}" for port in PORTS]


def test_proxies_call_the_port_that_the_server_has_and_tell_who_calls() -> None:
    port = shlex.split(unit("casinowar.service")["Service"]["ExecStart"])
    where = f"{port[port.index('--host') + 1]}:{port[port.index('--port') + 1]}"
    assert "--behind-tls" in port
    for name in ("nginx.conf", "Caddyfile"):
        text = (DEPLOY / name).read_text("utf-8")
        assert where in text
        assert "X-Forwarded-For" in text
        assert "X-Forwarded-Proto https" in text
        assert "/metrics" in text, "which is not for the world"
    nginx = (DEPLOY / "nginx.conf").read_text("utf-8")
    assert "$proxy_add_x_forwarded_for" not in nginx, "what a client says of itself would be believed"
    assert re.search(r"proxy_set_header Upgrade \$http_upgrade;", nginx)


def blocks(text: str) -> None:
    """Raise where braces do not match, or a directive of nginx has no end."""
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        bare = re.sub(r"#.*", "", line).strip()
        depth += bare.count("{") - bare.count("}")
        assert depth >= 0, number
        assert not bare or bare[-1] in "{};", f"{number}: {line}"
    assert depth == 0


def test_nginx_has_whole_directives(tmp_path: Path) -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    blocks(text)
    with pytest.raises(AssertionError):
        blocks(text.replace("proxy_buffering off;", "proxy_buffering off"))
    program = shutil.which("nginx")
    if program is None:
        return
    pair = make_pair(tmp_path)
    text = text.replace("/etc/casinowar/tls/fullchain.pem", str(pair.cert))
    text = text.replace("/etc/casinowar/tls/privkey.pem", str(pair.key)).replace("listen [::]", "#listen [::]")
    text = text.replace("listen 80", "listen 127.0.0.1:0").replace("listen 443", "listen 127.0.0.1:0")
    whole = f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n"
    (tmp_path / "nginx.conf").write_text(whole)
    done = subprocess.run([program, "-t", "-p", str(tmp_path), "-c", "nginx.conf"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_tables_of_the_example_are_a_house() -> None:
    house = load_tables(DEPLOY / "tables.toml")
    assert [table.name for table in house.tables] == ["nz", "wa"]
    assert tomllib.loads((DEPLOY / "tables.toml").read_text())["retention"] == {"visits": 90, "logs": 30}


def test_an_image_takes_along_nothing_that_git_leaves_out() -> None:
    """Else an environment of this machine, and the page as it was built once, would be copied in."""
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split()}
    left_out = {line.removeprefix("**/") for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()}
    assert ignored | {".git"} <= left_out


def test_the_image_copies_files_that_are_there_and_runs_as_nobody_in_particular() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    assert (ROOT / "server.lock").exists()
    assert (ROOT / "web/build.py").exists()
    assert re.search(r"^USER casinowar$", text, re.MULTILINE)
    assert text.index("USER casinowar") < text.index("ENTRYPOINT")
    assert "--require-hashes" in text
    assert "STOPSIGNAL SIGTERM" in text
    assert "/readyz" in text
    assert [line.split()[0] for line in text.splitlines() if line[:4] == "FROM"] == ["FROM", "FROM"]


def test_each_file_is_in_the_list_of_them() -> None:
    listed = (DEPLOY / "README.md").read_text("utf-8")
    names = {file.name for file in DEPLOY.iterdir()} - {"README.md"}
    assert set(re.findall(r"`([\w.@-]+\.\w+|Containerfile|Caddyfile)`", listed)) >= names


# The dashboard and the alarms.

LEFT_OUT = {
    "process_virtual_memory_bytes": "says little: what is resident is on a panel",
    "process_start_time_seconds": "Prometheus itself tells when a target has begun again",
}
"""Metrics on no panel, each with a reason; moments at which a counter was made are left out all together."""

NAME = re.compile(r"\b(?:casinowar|process)_[a-z_]+\b")
ENDS = ("_bucket", "_sum", "_count")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of all samples that a running server gives, which speaks TLS and at which something was refused."""
    folder = tmp_path_factory.mktemp("house")
    pair = make_pair(folder)
    with running(folder / "house", HOUSE) as live:
        from casinowar.web.machine_metrics import _Files

        live.server.metrics.registry.register(_Files(None, Certificate(pair.cert, pair.key)))
        guest = Caller(live).guest()
        guest.command("nz", {"do": "sit", "box": 1})
        guest.command("nz", {"do": "sit", "box": 99})
        socket = guest.socket()
        socket.send({"type": "nonsense"})
        socket.next()
        live.call(lambda: live.server.hub.end_all("draining"))
        socket.close()
        until = time.monotonic() + 20
        while "casinowar_sockets_dropped_total{" not in (text := guest.ask("GET", "/metrics").body.decode()):
            assert time.monotonic() < until
            time.sleep(0.02)
    families = list(text_string_to_metric_families(text))
    return {sample.name for family in families for sample in family.samples}


def expressions(panels: list[dict[str, Any]]) -> list[str]:
    return [target["expr"] for panel in panels for target in panel.get("targets", [])]


def board() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    return read


def test_each_metric_that_a_panel_or_an_alarm_asks_for_is_there(samples: set[str]) -> None:
    asked = {name for text in expressions(board()["panels"]) for name in NAME.findall(text)}
    assert len(asked) > 15
    assert asked - samples == set()
    alarms = re.findall(r"expr: (.*)", (DEPLOY / "alarms.yml").read_text("utf-8"))
    assert len(alarms) == 8
    assert {name for text in alarms for name in NAME.findall(text)} - samples == set()


def test_each_alarm_says_in_a_label_whether_it_wakes_somebody() -> None:
    """Alertmanager reads labels and no comments."""
    found = re.findall(
        r"- alert: (\w+)\n(?:(?! +- alert).*\n)*? +labels: \{severity: (page|ticket)\}\n",
        (DEPLOY / "alarms.yml").read_text("utf-8"),
    )
    assert len(found) == 8
    assert {name.removeprefix("Casinowar") for name, severity in found if severity == "page"} == {
        "OutOfService", "Imbalance", "Gone", "DiskNearlyFull",
    }  # fmt: skip


def test_a_house_in_a_database_gives_what_alarms_ask_for_but_for_its_disk(tmp_path: Path, database: str) -> None:
    with running(tmp_path, HOUSE, database=database) as live:
        text = Caller(live).ask("GET", "/metrics").body.decode()
    there = {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
    asked = set(NAME.findall("".join(re.findall(r"expr: (.*)", (DEPLOY / "alarms.yml").read_text("utf-8")))))
    missing = asked - there - {"casinowar_certificate_end_seconds"}
    assert missing == {"casinowar_store_bytes", "casinowar_disk_free_bytes"}


OF_THE_HOUSE = {"casinowar_trial_balance"}
"""What each of several servers tells of the whole house; all other figures are of the server that tells them."""


def faults_over_servers(expression: str, legend: str) -> list[str]:
    """What is wrong with a question where several servers answer it."""
    asked = set(NAME.findall(expression))
    sums, found = re.findall(r"\bsum\b.*", expression), list[str]()
    if sums and any(name in sums[0] for name in OF_THE_HOUSE):
        found.append("it counts the house once for each server")
    if asked & OF_THE_HOUSE and not expression.startswith("max("):
        found.append("it tells the same of the house for each server")
    if asked - OF_THE_HOUSE and not re.search(r"\b(sum|max|min)\b", expression) and "{{instance}}" not in legend:
        found.append("it does not tell the servers apart")
    return found


def test_panels_and_alarms_are_right_for_several_servers() -> None:
    """The disk alone is a lone server's: a house in a folder has one."""
    for panel in board()["panels"]:
        for target in panel.get("targets", []):
            if panel["title"] != "Disk":
                assert faults_over_servers(target["expr"], target["legendFormat"]) == [], panel["title"]
    for text in re.findall(r"expr: (.*)", (DEPLOY / "alarms.yml").read_text("utf-8")):
        assert faults_over_servers(text, "{{instance}}") == [], text
        assert " by (le) " not in text, "one slow server would be lost among the others"
    for wrong in ("sum(casinowar_trial_balance)", "casinowar_trial_balance != 0", "process_open_fds"):
        assert faults_over_servers(wrong, "open")


def test_each_metric_is_on_a_panel_or_is_left_out_with_a_reason(samples: set[str]) -> None:
    asked = {name for text in expressions(board()["panels"]) for name in NAME.findall(text)}
    shown = asked | {name.removesuffix("_bucket") + end for name in asked if name.endswith("_bucket") for end in ENDS}
    rest = {name for name in samples - shown if not name.endswith("_created")}
    assert rest == set(LEFT_OUT)


def test_panels_lie_beside_each_other_and_ask_whole_questions() -> None:
    panels = board()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells
    for text in expressions(panels):
        assert text.count("(") == text.count(")")
        counters = re.findall(r"(\w+_total)", text)
        assert all(re.search(rf"(rate|increase)\({one}\[", text) for one in counters), f"a counter by itself: {text}"
