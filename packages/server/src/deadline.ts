import { TimeLimitError } from "@app-registry/sdk";

/** Settles as the promise does, or as `late` says when that takes more than `milliseconds`. */
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

/** A moment that several questions share: each settles as its promise does, or rejects with a TimeLimitError then. */
export type Deadline = <T>(promise: Promise<T>) => Promise<T>;

/** A deadline `milliseconds` from now. */
export function createDeadline(milliseconds: number): Deadline {
  const end = Date.now() + milliseconds;
  return (promise) =>
    withTimeout(promise, end - Date.now(), () => {
      throw new TimeLimitError("What was asked");
    });
}
