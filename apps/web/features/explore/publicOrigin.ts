/** The origin at which people reach this site, without a slash at its end. */
export function publicOrigin(): string {
  return (process.env.PUBLIC_URL ?? "http://localhost:3000").replace(/\/$/, "");
}
