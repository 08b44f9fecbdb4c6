/** Lists that come in pages, one entry after the other. */

import { read, type Larder, type Place } from "./index.js";
import type { paths } from "./schema.js";

type BulkQuery = NonNullable<paths["/api/resources/bulk"]["get"]["parameters"]["query"]>;
/** What every place must match; `limit` is the size of a page. */
export type PlaceQuery = Omit<BulkQuery, "cursor" | "page" | "format">;

interface TablePage<Row> {
  contents: Row[];
  last_page: boolean;
}
interface TableList<Row> {
  get: { responses: { 200: { content: { "application/json": TablePage<Row> } } } };
}
/** Address of a list of HSDS rows, such as `/hsds/v3/services`. */
export type TablePath = {
  [Path in keyof paths]: paths[Path] extends TableList<unknown> ? Path : never;
}[keyof paths];
/** A row of an HSDS list. */
export type Row<Path extends TablePath> = paths[Path] extends TableList<infer Found> ? Found : never;

/** Every place of the directory in order of id. */
export async function* eachPlace(larder: Larder, query: PlaceQuery = {}): AsyncGenerator<Place> {
  let cursor: number | undefined;
  do {
    const sent = larder.GET("/api/resources/bulk", { params: { query: { ...query, cursor } } });
    const page = await read(sent);
    yield* page.resources;
    cursor = page.next_cursor === null ? undefined : Number(page.next_cursor);
  } while (cursor !== undefined);
}

/** Every row of an HSDS table in order of id. */
export async function* eachRow<Path extends TablePath>(
  larder: Larder,
  path: Path,
  query: Record<string, string | number | boolean> = {},
): AsyncGenerator<Row<Path>> {
  // All lists of rows take `page`; one signature for a path that is known only as one of them.
  const get = larder.GET as (
    path: Path,
    options: { params: { query: Record<string, unknown> } },
  ) => Promise<{ data?: TablePage<Row<Path>>; error?: unknown; response: Response }>;
  for (let page = 1; ; page += 1) {
    const found = await read(get(path, { params: { query: { per_page: 1000, ...query, page } } }));
    yield* found.contents;
    if (found.last_page) {
      return;
    }
  }
}
