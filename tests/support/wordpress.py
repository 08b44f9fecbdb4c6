"""Runs WordPress: Debian's unpacked package, PHP, and a private MariaDB on a socket."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.support.server import free_port

ADMINISTRATOR, READER = ("admin", "a long password of 2026"), ("reader", "another password of 2026")
# WordPress, the packages to which it links, and a theme.
_PACKAGES = ("wordpress", "php-getid3", "libjs-underscore", "wordpress-theme-twentytwentythree")
_PROGRAMS = {
    "php": "php-cli",
    "mariadbd": "mariadb-server-core",
    "mariadb-install-db": "mariadb-server-core",
    "my_print_defaults": "mariadb-client-core",
}
_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))


def _program(name: str) -> str:
    program = shutil.which(name, path=_PATH)
    assert program is not None
    return program


def missing_wordpress() -> str | None:
    """Return why no WordPress can run here; None if one can."""
    for name, package in _PROGRAMS.items():
        if shutil.which(name, path=_PATH) is None:
            return f"no {name}: apt-get install {package}"
    modules = subprocess.run([_program("php"), "-m"], capture_output=True, text=True, check=True)
    if "mysqli" not in modules.stdout.split():
        return "PHP without mysqli: apt-get install php-mysql"
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        return "no apt-get and dpkg to fetch and unpack Debian's WordPress with"
    return None


def unpack_wordpress(folder: Path) -> str | None:
    """Unpack WordPress into a new folder; return an error message, if any."""
    packages = folder.with_name(f"{folder.name}-packages")
    packages.mkdir()
    process = subprocess.run(
        ["apt-get", "download", *_PACKAGES],
        cwd=packages,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if process.returncode:
        return f"Debian's WordPress could not be fetched: {process.stderr.strip().splitlines()[-1]}"
    for file in packages.glob("*.deb"):
        subprocess.run(["dpkg", "-x", file.name, "root"], cwd=packages, check=True)
    # The package links to files of others: copy them, so that the folder is complete.
    shutil.copytree(packages / "root/usr/share/wordpress", folder, ignore_dangling_symlinks=True)
    shutil.rmtree(packages)
    return None


@contextmanager
def mariadb_server(folder: Path) -> Iterator[Path]:
    """Run a private server without a network port; yield its socket. `folder` must be short because
    names of sockets are limited.
    """
    as_user = f"--user={'root' if os.geteuid() == 0 else os.environ.get('USER', 'nobody')}"
    data, socket = folder / "db", folder / "s"
    common = [f"--datadir={data}", as_user]
    subprocess.run(
        [
            _program("mariadb-install-db"),
            "--no-defaults",
            *common,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        ],
        check=True,
        capture_output=True,
    )
    log = (folder / "db.log").open("w")
    process = subprocess.Popen(
        [
            _program("mariadbd"),
            "--no-defaults",
            *common,
            f"--socket={socket}",
            "--skip-networking",
            f"--pid-file={folder}/pid",
            "--innodb-flush-log-at-trx-commit=0",
            "--innodb-buffer-pool-size=32M",
        ],
        stdout=subprocess.DEVNULL,
        stderr=log,
    )
    try:
        _wait(socket.exists, process, folder / "db.log")
        yield socket
    finally:
        process.terminate()
        process.wait(timeout=60)
        log.close()


def _wait(is_there: Any, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        if is_there():
            return
        time.sleep(0.1)
    raise RuntimeError(f"a server did not start:\n{log.read_text()}")


class WordPress:
    """A running site, and PHP inside it."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.log = folder / "debug.log"

    def php(self, code: str, **values: Any) -> Any:
        """Run PHP inside WordPress with the values as `$v`; return its result by JSON."""
        program = (
            "define('WP_INSTALLING', getenv('INSTALLING') === '1');"
            f"require {json.dumps(str(self.folder / 'wp-load.php'))};"
            "$v = json_decode(stream_get_contents(STDIN), true);"
            f"$said = (function ($v) {{ {code} }})($v);"
            'echo "\\n--said--", json_encode($said);'
        )
        environment = {**os.environ, "INSTALLING": "1" if "wp_install(" in code else "0"}
        process = subprocess.run(
            [_program("php"), "-r", program],
            input=json.dumps(values),
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        _, output, errors = process.stdout.rpartition("\n--said--")
        if process.returncode or not output:
            raise RuntimeError(f"PHP failed:\n{process.stdout}\n{process.stderr}")
        return json.loads(errors)

    def page(self, content: str, **more: Any) -> str:
        """Publish a page; return its address."""
        post = {
            "post_type": "page",
            "post_status": "publish",
            "post_title": "Help",
            "post_content": content,
            **more,
        }
        number = self.php("return wp_insert_post(wp_slash($v['post']), true);", post=post)
        return f"{self.address}/?page_id={number}"

    def read(self, url: str) -> str:
        """Return the text of a page as a reader gets it."""
        answer = httpx.get(url, timeout=60, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer.text

    def sign_in(self, user: tuple[str, str]) -> httpx.Client:
        """Return a browser session of a user."""
        client = httpx.Client(base_url=self.address, timeout=60, follow_redirects=True)
        client.get("/wp-login.php")
        form = {"log": user[0], "pwd": user[1], "wp-submit": "Log In", "testcookie": "1"}
        answer = client.post("/wp-login.php", data=form)
        assert "wp-admin" in str(answer.url), answer.text
        return client

    def complaints(self, word: str) -> list[str]:
        """Return PHP's messages with a word."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if word in line]


@contextmanager
def running_wordpress(folder: Path, socket: Path) -> Iterator[WordPress]:
    """Install WordPress into an empty database and serve it from an unpacked folder."""
    port = free_port()
    site = WordPress(folder, f"http://127.0.0.1:{port}")
    _configure(site, socket)
    site.php(
        "require_once ABSPATH . 'wp-admin/includes/upgrade.php';"
        "add_filter('pre_wp_mail', '__return_true');"
        "wp_install('Test', $v['admin'][0], 'admin@example.org', true, '', wp_slash($v['admin'][1]));"
        "wp_create_user($v['reader'][0], $v['reader'][1], 'reader@example.org'); return true;",
        admin=ADMINISTRATOR,
        reader=READER,
    )
    log = (folder / "server.log").open("w")
    process = subprocess.Popen(
        [_program("php"), "-S", f"127.0.0.1:{port}", "-t", str(folder)],
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PHP_CLI_SERVER_WORKERS": "3"},
        start_new_session=True,
    )
    try:
        _wait(lambda: _answers(site.address), process, folder / "server.log")
        yield site
    finally:
        # End the whole group: PHP's workers are separate processes, and a busy one ignores SIGTERM.

        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=20)
        log.close()


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=30).status_code == 200
    except httpx.TransportError:
        return False


def _configure(site: WordPress, socket: Path) -> None:
    """Write a configuration in place of Debian's. Requests go to loopback only."""
    connection = f"new mysqli('localhost', 'root', '', '', 0, {json.dumps(str(socket))})"
    script = f"mysqli_report(MYSQLI_REPORT_STRICT | MYSQLI_REPORT_ERROR); ({connection})->query('CREATE DATABASE site CHARACTER SET utf8mb4');"
    subprocess.run([_program("php"), "-r", script], check=True, capture_output=True)
    values = {
        "DB_NAME": "site",
        "DB_USER": "root",
        "DB_PASSWORD": "",
        "DB_HOST": f"localhost:{socket}",
        "DB_CHARSET": "utf8mb4",
        "WP_HOME": site.address,
        "WP_SITEURL": site.address,
        "WP_DEBUG": True,
        "WP_DEBUG_DISPLAY": False,
        "WP_DEBUG_LOG": str(site.log),
        "DISABLE_WP_CRON": True,
        "WP_HTTP_BLOCK_EXTERNAL": True,
        "WP_ACCESSIBLE_HOSTS": "127.0.0.1",
        "AUTOMATIC_UPDATER_DISABLED": True,
        **{
            f"{name}_{kind}": f"{name} {kind} of a test"
            for name in ("AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE")
            for kind in ("KEY", "SALT")
        },
    }
    lines = [f"define({json.dumps(name)}, {json.dumps(value)});" for name, value in values.items()]
    lines += [
        "$table_prefix = 'wp_';",
        "defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');",
        "require_once ABSPATH . 'wp-settings.php';",
    ]
    (site.folder / "wp-config.php").write_text("<?php\n" + "\n".join(lines) + "\n")
    languages = site.folder / "wp-content/languages"
    languages.mkdir(exist_ok=True)
