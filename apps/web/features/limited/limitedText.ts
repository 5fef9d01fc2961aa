/** A wait in words, never shorter than it is. */
export function waitText(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
