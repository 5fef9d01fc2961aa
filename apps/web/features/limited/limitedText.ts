/** A wait in words, never shorter than it is. */
export function waitText(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const start = "Too many requests. ";

/** What a form is answered when its client is over the limit. */
export function limitedText(seconds: number): string {
  return `${start}You can go on in ${waitText(seconds)}.`;
}

/** When to come again, out of an error that holds {@link limitedText}; undefined for another error. */
export function readLimitedText(message: string): string | undefined {
  return message.startsWith(start) ? message.slice(start.length) : undefined;
}
