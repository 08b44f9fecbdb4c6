"""The parts of the MCP server that need no network: who is let in, how arguments are read, when the SDK is loaded."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from schemas.api.mcp import AskPortal, FindFood
from serving.mcp.access import access_of
from serving.mcp.asked import ToolFault, read_arguments
from serving.mcp.documents import catalog, server_card
from serving.settings import SettingError, Settings, read_settings

PUBLIC = Settings(base_url="https://larder.example.org", mcp_hosts="10.0.0.7:*", mcp_origins="https://app.example.org")  # fmt: skip


def scope(host, origin=None):
    headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin else [])
    return {"headers": headers}


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("larder.example.org", None, None),
        ("larder.example.org", "https://larder.example.org", None),
        ("larder.example.org", "https://app.example.org", None),
        ("larder.example.org", "http://app.example.org", 403),
        ("larder.example.org", "https://app.example.org.evil.example", 403),
        ("larder.example.org", "null", 403),
        ("larder.example.org", "http://localhost:5173", None),
        ("larder.example.org:8443", None, 421),
        ("evil.example", None, 421),
        ("", None, 421),
        ("10.0.0.7:9000", None, None),
        ("10.0.0.7:9000x", None, 421),
        ("10.0.0.70:9000", None, 421),
        ("localhost:8000", None, None),
        ("[::1]:8000", None, None),
        ("localhost.evil.example", None, 421),
    ],
)
def test_who_is_let_in(host, origin, status):
    refusal = access_of(PUBLIC).refusal(scope(host, origin))
    assert (refusal[0] if refusal else None) == status


def test_a_star_lets_in_all():
    settings = Settings(mcp_hosts="*", mcp_origins="*")
    assert access_of(settings).refusal(scope("any.example", "https://any.example")) is None


@pytest.mark.parametrize(
    ("variable", "value", "is_taken"),
    [
        ("LARDER_MCP_PREFIX", "feedam", True),
        ("LARDER_MCP_PREFIX", "Feed-Am", False),
        ("LARDER_MCP_PREFIX", "a" * 25, False),
        ("LARDER_MCP_HOSTS", "larder.example.org, 10.0.0.7:*,[::1]:8000", True),
        ("LARDER_MCP_HOSTS", "*", True),
        ("LARDER_MCP_HOSTS", "https://larder.example.org", False),
        ("LARDER_MCP_ORIGINS", "https://app.example.org,http://localhost:*", True),
        ("LARDER_MCP_ORIGINS", "app.example.org", False),
        ("LARDER_MCP_ORIGINS", "https://app.example.org/page", False),
    ],
)
def test_settings_are_checked(variable, value, is_taken):
    if is_taken:
        read_settings({variable: value})
    else:
        with pytest.raises(SettingError, match=variable):
            read_settings({variable: value})


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"location": 501}, "00501"),
        ({"location": 2139.0}, "02139"),
        ({"location": "Salem, OR"}, "Salem, OR"),
        ({"location": "10002", "type": None, "limit": "7"}, "10002"),
    ],
)
def test_arguments_are_read_with_forgiveness(given, read):
    assert read_arguments(given, FindFood, "find_food_resources").location == read


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (None, "missing: `state`"),
        ({"state": True}, "Expected `str`, got `bool`"),
        ({"state": "OR", "zip": "97301"}, "no argument `zip`"),
        ({"state": "O"}, "length >= 2"),
    ],
)
def test_faults_name_the_argument_and_what_the_tool_takes(given, fault):
    with pytest.raises(ToolFault) as caught:
        read_arguments(given, AskPortal, "get_state_portal")
    assert fault in str(caught.value)
    assert "get_state_portal takes `state` (required)." in str(caught.value)


def test_the_card_keeps_to_its_schema():
    card = msgspec.json.decode(msgspec.json.encode(server_card(PUBLIC)), type=dict)
    assert card["name"] == "org.example/open-larder"
    assert card["remotes"][0]["url"] == "https://larder.example.org/mcp/v1"
    assert catalog(PUBLIC).entries[0].identifier == "urn:air:larder.example.org:mcp:open-larder"


def test_the_service_starts_without_the_sdk():
    """It takes 0.4 s to import and most instances are asked over HTTP alone."""
    code = "import sys, serving.asgi; print([m for m in ('mcp', 'mcp_types') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
