/** Client of an Open Larder directory: every address and answer typed, from the API description. */

import createClient, { type Client } from "openapi-fetch";

import { Problem, type ProblemDetails } from "./problem.js";
import { retrying, type RetryOptions } from "./retries.js";
import type { components, paths } from "./schema.js";

export { Problem } from "./problem.js";
export { eachPlace, eachRow, type PlaceQuery } from "./pages.js";
export type { components, paths } from "./schema.js";

/** A shape of the API description by its name: `Shape<"ActiveDisasters">`. */
export type Shape<Name extends keyof components["schemas"]> = components["schemas"][Name];
export type Place = Shape<"ResourceRecord">;
export type FoundPlace = Shape<"FoundRecord">;
export type PlaceDetail = Shape<"ResourceDetail">;
export type PlaceList = Shape<"ResourceList">;
export type Schedule = Shape<"Schedule">;

type Json = "application/json" | "application/geo+json" | "application/problem+json";
/** `GET(path, { params })` and `POST(path, { body })` for every address of the service. */
export type Larder = Client<paths, Json>;

export interface LarderOptions extends RetryOptions {
  /** Sent with every request, such as `Authorization`. */
  headers?: Record<string, string>;
}

/** A client of the service at an address. Lists such as `type` are sent as one parameter. */
export function createLarder(baseUrl: string, options: LarderOptions = {}): Larder {
  return createClient<paths, Json>({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: options.headers,
    fetch: retrying(options),
    querySerializer: { array: { style: "form", explode: false } },
  });
}

/** The answer to a request: `await read(larder.GET(...))`. Rejects with a `Problem`. */
export async function read<T>(
  sent: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await sent;
  if (!response.ok || data === undefined || data === null) {
    throw new Problem(response.status, problemOf(error));
  }
  return data;
}

function problemOf(error: unknown): ProblemDetails {
  return typeof error === "object" && error !== null ? error : { detail: String(error ?? "") };
}
