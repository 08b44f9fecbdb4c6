"""Certificates for tests, made on the spot."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest


def make_certificate(cert: Path, key: Path, name: str) -> ssl.SSLContext:
    """A certificate that vouches for itself and for `name`; what a server needs to show it."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    options = f"-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={name} -addext subjectAltName=DNS:{name}"
    command = ["openssl", "req", *options.split(), "-keyout", key, "-out", cert]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context
