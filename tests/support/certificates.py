"""Self-signed certificates for tests."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest


def make_certificate(cert: Path, key: Path, name: str) -> ssl.SSLContext:
    """Create a self-signed certificate for `name`; return the TLS context of a server with it."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    options = f"-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={name} -addext subjectAltName=DNS:{name}"
    command = ["openssl", "req", *options.split(), "-keyout", key, "-out", cert]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context
