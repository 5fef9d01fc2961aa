import { TimeLimitError } from "../errors/networkErrors.ts";

/**
 * Runs something that may not answer, for at most `milliseconds`. The signal aborts then; work that does not
 * listen to it is left behind.
 *
 * @throws {TimeLimitError} naming what did not answer.
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
