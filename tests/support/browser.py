"""Waits in a page of a real browser."""

from typing import Any


def wait_until(page: Any, condition: str) -> None:
    """Wait until a JavaScript condition is true in a page or frame; raise after 30 seconds.

    Playwright's `wait_for_function` evaluates text at every poll, which our policy forbids.
    """
    page.evaluate(
        f"""new Promise((resolve, reject) => {{
          const end = Date.now() + 30000;
          const look = () => ({condition}) ? resolve()
            : Date.now() > end ? reject(new Error("timed out")) : setTimeout(look, 20);
          look();
        }})"""
    )
