import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Returns a port of this machine on which no process listens now. The port is below those that the system gives to
 * outgoing connections (from 32,768 on Linux), so that no connection of a concurrent test takes it first.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    // Of all addresses: a server of a test may listen on ::1 alone, or on every address.
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
