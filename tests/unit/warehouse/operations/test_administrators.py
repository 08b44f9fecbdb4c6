"""Administrators in the store: codes, passkeys, sessions; on both databases."""

import contextlib
import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.authenticator import Authenticator, encode
from tests.support.cases import cases
from warehouse.operations import administrators, audit, passkeys
from warehouse.operations.administrators import SignInError

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
PARTY = passkeys.RelyingParty("larder.example", "https://larder.example", "Open Larder")
BROWSER = "form token"


@pytest.fixture
def code(store):
    return administrators.invite(store, "ann", NOW)[0]


def owner_of(store, code, at=NOW):
    with store.write() as db:
        return administrators.use_code(db, code, at)


@pytest.fixture
def ann(store, code):
    return owner_of(store, code)


def asked(store, purpose, at=NOW, browser=BROWSER, owner=None, party=PARTY):
    """Return challenge and request."""
    with store.write() as db:
        challenge = passkeys.new_challenge(db, purpose, browser, at)
        if purpose == "get":
            return challenge, passkeys.request_options(party, challenge)
        return challenge, passkeys.creation_options(db, party, owner, challenge)


def add(store, owner, device, at=NOW, label="phone", **changes):
    challenge, options = asked(store, "create", owner=owner)
    reply = passkeys.Reply(BROWSER, challenge, device.create(options))._replace(**changes)
    with store.write() as db:
        passkeys.add_passkey(db, PARTY, owner, reply, label, at)


def sign(store, device, at=NOW, **more):
    challenge, options = asked(store, "get", at, **more)
    return passkeys.Reply(BROWSER, challenge, device.get(options))


def sign_in(store, reply, at=NOW):
    with store.write() as db:
        return passkeys.owner_of_passkey(db, PARTY, reply, at)


@pytest.fixture
def phone(store, ann):
    device = Authenticator(PARTY.origin, PARTY.host)
    add(store, ann, device)
    return device


# ---------------------------------------------------------------- codes


@pytest.mark.parametrize("name", ["a b", "", "x" * 61, "1st"])
def test_names_have_rules(store, name):
    with pytest.raises(ValueError, match="a name has"):
        administrators.invite(store, name, NOW)


def test_a_code_counts_once_however_it_is_typed(store, code):
    typed = f" {code.lower().replace('-', ' ')} "
    assert owner_of(store, typed).name == "ann"
    with pytest.raises(SignInError):
        owner_of(store, code)


@cases("fault", {name: name for name in ("expired", "replaced", "disabled", "unknown", "empty")})
def test_codes_that_open_nothing(store, code, fault):
    at = NOW
    if fault == "expired":
        at += administrators.CODE_FOR
    elif fault == "replaced":
        administrators.invite(store, "ann", NOW)
    elif fault == "disabled":
        administrators.disable(store, "ann", NOW)
    else:
        code = {"unknown": "AAAA-" * 6, "empty": ""}[fault]
    with pytest.raises(SignInError):
        owner_of(store, code, at)


# ---------------------------------------------------------------- passkeys


def test_a_passkey_signs_in_again_and_again(store, phone):
    for day in range(3):
        at = NOW + timedelta(days=day)
        assert sign_in(store, sign(store, phone, at), at).name == "ann"
    with store.read() as db:
        (row,) = passkeys.passkeys_of(db)
    assert (row.label, row.sign_count, row.used_at) == ("phone", phone.count, at)


def test_requests_demand_a_discoverable_key_and_its_user(store, ann, phone):
    _, options = asked(store, "create", owner=ann)
    body = json.loads(options)
    assert body["authenticatorSelection"]["residentKey"] == "required"
    assert body["authenticatorSelection"]["userVerification"] == "required"
    assert [key["id"] for key in body["excludeCredentials"]] == [encode(phone.key_id)]
    assert "ann" not in body["user"]["id"]
    body = json.loads(asked(store, "get")[1])
    assert body["userVerification"] == "required"
    assert not body.get("allowCredentials")


@cases(
    "falsified",
    {
        "wrong origin": {"origin": "https://larder.example.evil.example"},
        "no https": {"origin": "http://larder.example"},
        "another service": {"host": "evil.example"},
        "user not verified": {"is_verified": False},
        "counter goes back": {"count": 0},
        "unknown key": {"key_id": b"k" * 32},
        "another user": {"handle": encode(b"h" * 32)},
    },
)
def test_a_false_passkey_opens_nothing(store, phone, falsified):
    sign_in(store, sign(store, phone))
    for name, value in falsified.items():
        setattr(phone, name, value)
    with pytest.raises(SignInError):
        sign_in(store, sign(store, phone))


@cases(
    "browser, seconds, purpose",
    {
        "another browser's": ("another", 0, "get"),
        "too old": (BROWSER, passkeys.CHALLENGE_SECONDS + 1, "get"),
        "of the future": (BROWSER, -60, "get"),
        "of another purpose": (BROWSER, 0, "create"),
    },
)
def test_a_challenge_counts_for_its_browser_purpose_and_time(
    store, ann, phone, browser, seconds, purpose
):
    challenge, options = asked(store, purpose, browser=browser, owner=ann)
    reply = passkeys.Reply(BROWSER, challenge, phone.get(options))
    with pytest.raises(SignInError):
        sign_in(store, reply, NOW + timedelta(seconds=seconds))


@cases("challenge", {"none": "", "of strangers": "1.2.3", "words": "now.x.y", "not ASCII": "é.é.é"})
def test_an_unknown_challenge_is_refused(store, phone, challenge):
    with pytest.raises(SignInError):
        sign_in(store, sign(store, phone)._replace(challenge=challenge))


def test_an_answer_to_another_challenge_is_refused(store, phone):
    with pytest.raises(SignInError):
        sign_in(store, sign(store, phone)._replace(challenge=asked(store, "get")[0]))


def test_a_replay_is_refused_though_the_key_counts_nothing(store, ann):
    device = Authenticator(PARTY.origin, PARTY.host, count=0)
    add(store, ann, device)
    device.count = -1  # like synced passkeys, which always say 0
    reply = sign(store, device)
    sign_in(store, reply)
    with pytest.raises(SignInError):
        sign_in(store, reply)


def damaged(good):
    chance = random.Random(7)
    for _ in range(150):
        at = chance.randrange(len(good))
        yield good[:at] + chance.choice(['"', "A", "{", "", "\0", "é", "null"]) + good[at + 2 :]


def test_a_damaged_signature_is_refused_wherever_it_is_damaged(store, phone):
    good = sign(store, phone)
    for bad in damaged(good.credential):
        with pytest.raises(SignInError):
            sign_in(store, good._replace(credential=bad))
    sign_in(store, good)


def test_a_damaged_new_passkey_ends_in_no_other_error(store, ann):
    challenge, options = asked(store, "create", owner=ann)
    for bad in damaged(Authenticator(PARTY.origin, PARTY.host).create(options)):
        with contextlib.suppress(SignInError), store.write() as db:
            reply = passkeys.Reply(BROWSER, challenge, bad)
            passkeys.add_passkey(db, PARTY, ann, reply, "x", NOW)
            raise SignInError  # what an authenticator does not sign may be damaged: undo it
    with store.read() as db:
        assert passkeys.passkeys_of(db, ann) == []


@cases(
    "changes",
    {
        "challenge of nobody": {"challenge": "1.2.3"},
        "another browser": {"browser": "another"},
        "no credential": {"credential": ""},
    },
)
def test_no_passkey_is_added_by_another_answer(store, ann, changes):
    with pytest.raises(SignInError):
        add(store, ann, Authenticator(PARTY.origin, PARTY.host), **changes)


@cases(
    "falsified",
    {
        "wrong origin": {"origin": "https://evil.example"},
        "another service": {"host": "evil.example"},
        "user not verified": {"is_verified": False},
    },
)
def test_no_false_passkey_is_added(store, ann, falsified):
    device = Authenticator(**{"origin": PARTY.origin, "host": PARTY.host, **falsified})
    with pytest.raises(SignInError):
        add(store, ann, device)


def test_passkeys_are_limited_and_unique(store, ann, phone):
    with pytest.raises(SignInError):
        add(store, ann, phone)
    others = [Authenticator(PARTY.origin, PARTY.host) for _ in range(passkeys.MAX_PASSKEYS)]
    for device in others[:-1]:
        add(store, ann, device, label="")
        assert sign_in(store, sign(store, device)) == ann
    with pytest.raises(SignInError):
        add(store, ann, others[-1])


def test_a_removed_passkey_opens_nothing(store, ann, phone):
    key = Authenticator(PARTY.origin, PARTY.host)
    add(store, ann, key)
    with store.write() as db:
        assert passkeys.remove_passkey(db, 1, "command line", NOW) == ann.administrator_id
        assert passkeys.remove_passkey(db, 1, "command line", NOW) is None
    with pytest.raises(SignInError):
        sign_in(store, sign(store, phone))
    assert sign_in(store, sign(store, key)) == ann
    with store.read() as db:
        actions = [row.action for row in audit.of_subject(db, "administrator ann")]
    assert actions == ["administrator added", "passkey added", "passkey added", "passkey removed"]


# ---------------------------------------------------------------- sessions


def begin(store, owner, old=None, at=NOW):
    with store.write() as db:
        return administrators.begin_session(db, owner, old, at, "passkey")


def session(store, token, at=NOW):
    with store.read() as db:
        return administrators.session_of(db, token, at)


def test_a_session_begins_is_rotated_and_ends(store, ann):
    first = begin(store, ann)
    assert session(store, first)[0].name == "ann"
    second = begin(store, ann, old=first)
    assert session(store, first) is None
    with store.write() as db:
        administrators.sign_out(db, second)
    assert session(store, second) is None


def test_one_session_of_several_is_left(store, ann):
    tokens = [begin(store, ann) for _ in range(3)]
    token_hash = session(store, tokens[1])[0].token_hash
    with store.write() as db:
        administrators.end_sessions(db, ann.administrator_id, token_hash)
    assert [session(store, token) is not None for token in tokens] == [False, True, False]


@cases(
    "steps, is_open",
    {
        "used within the half hour": ([29], True),
        "idle": ([31], False),
        "used all the time": ([25] * 28, True),
        "twelve hours are the end": ([25] * 29, False),
    },
)
def test_sessions_end_by_idleness_and_age(store, ann, steps, is_open):
    token, at, current = begin(store, ann), NOW, None
    for minutes in steps:
        at += timedelta(minutes=minutes)
        current = session(store, token, at)
        if current is None:
            break
        with store.write() as db:
            administrators.record_use(db, current[0], at)
    assert (current is not None) == is_open


def test_a_disabled_administrator_is_out_and_comes_back_without_passkeys(store, ann, phone):
    token = begin(store, ann)
    assert administrators.disable(store, "ann", NOW)
    assert session(store, token) is None
    with pytest.raises(SignInError):
        sign_in(store, sign(store, phone))
    with store.read() as db:
        assert administrators.names(db) == []
    assert not administrators.disable(store, "nobody", NOW)
    again, is_new = administrators.invite(store, "ann", NOW)
    assert not is_new
    assert owner_of(store, again) == ann
    with pytest.raises(SignInError):
        sign_in(store, sign(store, phone))
