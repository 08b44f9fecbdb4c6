"""Parts of the MCP server without network: origins, arguments, import of the SDK."""

import re

import msgspec
import pytest

from schemas.api.mcp import AskPortal, FindFoodArguments
from serving.mcp.arguments import ToolFault, read_arguments
from serving.mcp.routes import Origins, catalog, server_card
from serving.settings import SettingError, Settings, read_settings

PUBLIC = Settings(base_url="https://larder.example.org", mcp_origins="https://app.example.org")


@pytest.mark.parametrize(
    ("origin", "is_let_in"),
    [
        (None, True),
        ("https://larder.example.org", True),
        ("https://app.example.org", True),
        ("http://app.example.org", False),
        ("https://app.example.org.evil.example", False),
        ("null", False),
        ("http://localhost:5173", True),
        ("http://localhost:5173x", False),
        ("http://localhost.evil.example", False),
        ("http://[", False),
    ],
)
def test_which_pages_may_call(origin, is_let_in):
    scope = {"headers": [(b"origin", origin.encode())] if origin else []}
    assert (Origins(PUBLIC).refusal(scope) is None) == is_let_in


def test_a_star_allows_all_origins():
    scope = {"headers": [(b"origin", b"https://any.example")]}
    assert Origins(Settings(mcp_origins="*")).refusal(scope) is None


@pytest.mark.parametrize(
    ("variable", "value", "is_taken"),
    [
        ("LARDER_MCP_PREFIX", "feedam", True),
        ("LARDER_MCP_PREFIX", "Feed-Am", False),
        ("LARDER_MCP_PREFIX", "a" * 25, False),
        ("LARDER_HOSTS", "larder.internal, 10.0.0.7,[::1]", True),
        ("LARDER_HOSTS", "*", True),
        ("LARDER_HOSTS", "https://larder.example.org", False),
        ("LARDER_HOSTS", "larder.internal:8000", False),
        ("LARDER_BASE_URL", "https://larder.example.org/food/", True),
        ("LARDER_BASE_URL", "http://[::1]:8000", True),
        ("LARDER_BASE_URL", "larder.example.org", False),
        ("LARDER_BASE_URL", "http://[", False),
        ("LARDER_ALIAS_HOSTS", "larder.workers.example", False),
        ("LARDER_MCP_ORIGINS", "https://app.example.org,http://localhost:*", True),
        ("LARDER_MCP_ORIGINS", "app.example.org", False),
        ("LARDER_MCP_ORIGINS", "https://app.example.org/page", False),
        ("LARDER_PORT", "many", False),
        ("LARDER_SIBLING_BASE_URL", "donors", False),
    ],
)
def test_settings_are_checked(variable, value, is_taken):
    if is_taken:
        read_settings({variable: value})
    else:
        with pytest.raises(SettingError, match=rf"{variable}(={re.escape(repr(value))}| needs)"):
            read_settings({variable: value})


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        ({"location": 501}, "00501"),
        ({"location": 2139.0}, "02139"),
        ({"location": "Salem, OR"}, "Salem, OR"),
        ({"location": "10002", "type": None, "limit": "7"}, "10002"),
    ],
)
def test_arguments_are_read_with_forgiveness(arguments, values):
    assert read_arguments(arguments, FindFoodArguments, "find_food_resources").location == values


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (None, "missing: `state`"),
        ({"state": True}, "`state` must be a text from 2 to 100 characters."),
        ({"state": "OR", "zip": "97301"}, "no argument `zip`"),
        ({"state": "O"}, "`state` must be a text from 2 to 100 characters."),
    ],
)
def test_faults_name_the_argument_and_the_arguments_of_the_tool(arguments, fault):
    with pytest.raises(ToolFault) as error:
        read_arguments(arguments, AskPortal, "get_state_portal")
    assert fault in str(error.value)
    assert "get_state_portal takes `state` (required)." in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"limit": 99}, "`limit` must be a whole number from 1 to 25."),
        ({"diet": "stone"}, "`diet` must be a list, each one of baby, diabetic,"),
        ({"time": "noonish"}, "`time` must be a time such as morning,"),
        ({"type": "pantry"}, "`type` must be one of community_fridge,"),
    ],
)
def test_faults_list_the_values_of_an_argument(arguments, fault):
    with pytest.raises(ToolFault, match=re.escape(fault)):
        read_arguments({"location": "10002", **arguments}, FindFoodArguments, "find_food_resources")


def test_the_card_is_valid_by_its_schema():
    card = msgspec.json.decode(msgspec.json.encode(server_card(PUBLIC)), type=dict)
    assert card["name"] == "org.example/open-larder"
    assert card["remotes"][0]["url"] == "https://larder.example.org/mcp/v1"
    assert catalog(PUBLIC).entries[0].identifier == "urn:air:larder.example.org:mcp:open-larder"
