/** The client against the service at `LARDER_URL`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { createLarder, eachPlace, eachRow, Problem, read, type Schedule } from "../src/index.js";

const url = process.env["LARDER_URL"] ?? "http://127.0.0.1:8000";
const larder = createLarder(url);
const zip = "10002";

test("a search is typed down to the hours of a place", async () => {
  const query = { zip, mode: "free" as const, type: ["food_pantry" as const, "soup_kitchen" as const] };
  const found = await read(larder.GET("/api/resources/search", { params: { query } }));
  assert.ok(found.resources.length > 0);
  for (const place of found.resources) {
    const miles: number | null = place.distance_miles;
    const hours: Schedule[] = place.hours;
    assert.ok(miles === null || miles >= 0);
    assert.ok(Array.isArray(hours));
    assert.ok(query.type.some((type) => type === place.resource_type));
  }
  const first = found.resources[0];
  assert.ok(first);
  const path = { resource_id: first.id };
  const place = await read(larder.GET("/api/resources/{resource_id}", { params: { path } }));
  assert.equal(place.name, first.name);
  assert.ok(place.freshness.en);
});

test("pages are gone through to the end", async () => {
  const ids: number[] = [];
  for await (const place of eachPlace(larder, { limit: 2 })) {
    ids.push(place.id);
  }
  assert.ok(ids.length > 2);
  assert.deepEqual(ids, [...new Set(ids)].sort((a, b) => a - b));
});

test("rows of HSDS have the members of their table", async () => {
  const rows = new Map<string, string>();
  for await (const service of eachRow(larder, "/hsds/v3/services", { per_page: 2 })) {
    const name: string | undefined = "name" in service ? service.name : undefined;
    rows.set(service.id, name ?? "");
  }
  assert.ok(rows.size > 2);
});

test("a text answer is read as text", async () => {
  const query = { format: "csv" as const, limit: 2 };
  const sent = larder.GET("/api/resources/bulk", { params: { query }, parseAs: "text" });
  const text: string = await read(sent);
  assert.ok(text.startsWith("id,"));
});

test("what cannot be answered is a problem", async () => {
  const query = { zip: "00000" };
  const sent = read(larder.GET("/api/resources/search", { params: { query } }));
  await assert.rejects(sent, (problem: unknown) => {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.status, problem.kind], [404, "unknown-place"]);
    assert.equal(problem.errors[0]?.field, "zip");
    return true;
  });
});

/** A client whose first answers are refusals; what it waited for, and how often it sent. */
function refused(...refusals: Response[]) {
  const seen = { waits: [] as number[], sent: 0 };
  const client = createLarder(url, {
    fetch: (request) => {
      seen.sent += 1;
      const next = refusals.shift();
      return next ? Promise.resolve(next) : fetch(request);
    },
    sleep: (seconds) => Promise.resolve(seen.waits.push(seconds)),
  });
  return { client, seen };
}

test("a read is tried again after a refusal, as Retry-After says", async () => {
  const { client, seen } = refused(
    new Response("{}", { status: 503, headers: { "Retry-After": "3" } }),
    new Response("{}", { status: 429 }),
  );
  const counts = await read(client.GET("/api/resources/counts", { params: { query: { zip } } }));
  assert.ok(counts.free >= 0);
  assert.deepEqual(seen, { waits: [3, 1], sent: 3 });
});

test("a request that writes is sent once", async () => {
  const { client, seen } = refused(new Response("{}", { status: 503 }));
  const body = { claim_token: "no-such-token-no-such-token-no-such-token-0" };
  await assert.rejects(read(client.POST("/api/pantry/withdraw", { body })), Problem);
  assert.deepEqual(seen, { waits: [], sent: 1 });
});
