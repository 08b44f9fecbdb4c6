/** Reads that are tried again after 429 and 503, as `Retry-After` says. */

const RETRIED = new Set([429, 503]);
// Whoever is asked for a longer wait had better hear of it than wait.
const LONGEST_WAIT_SECONDS = 30;

export interface RetryOptions {
  /** How often a read is tried again; 2 unless set. */
  retries?: number;
  /** Sends a request; the platform's `fetch` unless set. */
  fetch?: (request: Request) => Promise<Response>;
  /** Waits; a timer unless set. */
  sleep?: (seconds: number) => Promise<unknown>;
}

/** A `fetch` that repeats GET. Requests that write are sent once. */
export function retrying(options: RetryOptions): (request: Request) => Promise<Response> {
  const { retries = 2, fetch: send = fetch, sleep = wait } = options;
  return async (request) => {
    for (let left = request.method === "GET" ? retries : 0; ; left -= 1) {
      const answer = await send(request.clone());
      if (!RETRIED.has(answer.status) || left <= 0) {
        return answer;
      }
      await answer.body?.cancel();
      await sleep(Math.min(secondsOf(answer), LONGEST_WAIT_SECONDS));
    }
  };
}

function secondsOf(answer: Response): number {
  const text = answer.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Number(text) : 1;
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
