import { TimeLimitError } from "@app-registry/sdk";

/** A moment that several questions share. */
export type Deadline = {
  /** Settles as the promise does, or rejects with a TimeLimitError at the deadline. */
  inTime<T>(promise: Promise<T>): Promise<T>;
  /** Ends the timer. */
  end(): void;
};

/** A deadline `milliseconds` from now. */
export function createDeadline(milliseconds: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError("What was asked")), milliseconds);
  });
  late.catch(() => undefined);
  return {
    inTime: (promise) => Promise.race([promise, late]),
    end: () => clearTimeout(timer),
  };
}
