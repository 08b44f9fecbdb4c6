"""Waiting in a page of a real browser."""

from typing import Any


def wait_until(page: Any, condition: str) -> None:
    """Wait until a JavaScript condition holds in a page or frame; raises after 30 seconds.

    Playwright's `wait_for_function` evaluates its text again at every look, which our pages forbid.
    """
    page.evaluate(
        f"""new Promise((done, fail) => {{
          const end = Date.now() + 30000;
          const look = () => ({condition}) ? done()
            : Date.now() > end ? fail(new Error("never came true")) : setTimeout(look, 20);
          look();
        }})"""
    )
