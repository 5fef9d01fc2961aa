import { withTimeLimit } from "@app-registry/sdk/internal";

/** Awaits a promise, or the result of `late` if the promise takes more than `milliseconds`. */
export async function withTimeout<T, Late>(
  promise: Promise<T>,
  milliseconds: number,
  late: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  }).then(late);
  return Promise.race([promise, timeUp]).finally(() => clearTimeout(timer));
}

/** Deadline shared by several promises. Each rejects with `TimeLimitError` when it passes. */
export type Deadline = <T>(promise: Promise<T>) => Promise<T>;

/** Creates a deadline `milliseconds` from now. */
export function createDeadline(milliseconds: number): Deadline {
  const end = Date.now() + milliseconds;
  return (promise) => withTimeLimit("The request", end - Date.now(), () => promise);
}
