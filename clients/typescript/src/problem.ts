/** Problem details of a failed request (RFC 9457). */

import type { components } from "./schema.js";

export type ProblemDetails = Partial<components["schemas"]["Problem"]>;

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemDetails,
  ) {
    super(`${status}: ${body.detail || body.title || "no explanation"}`);
    this.name = "Problem";
  }

  /** Last part of the problem's type, such as `unknown-place`. */
  get kind(): string {
    return this.body.type?.split("/").at(-1) ?? "";
  }

  /** Each wrong input with the rule it breaks. */
  get errors(): NonNullable<ProblemDetails["errors"]> {
    return this.body.errors ?? [];
  }
}
