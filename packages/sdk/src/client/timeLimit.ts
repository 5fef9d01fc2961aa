import { TimeLimitError } from "../errors/networkErrors.ts";

/**
 * Runs a function for at most `milliseconds`. Then aborts the signal, and does not wait for work that ignores it.
 *
 * @throws {TimeLimitError} naming `what`, when time is up.
 */
export async function withTimeLimit<Result>(
  what: string,
  milliseconds: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeLimitError(what);
      reject(error);
      controller.abort(error);
    }, milliseconds);
  });
  try {
    return await Promise.race([run(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
