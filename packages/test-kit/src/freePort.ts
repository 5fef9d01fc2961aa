import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of this machine that nothing listens on now. It is below those that the system gives to outgoing connections
 * (from 32,768 on Linux), so that no connection of a test beside this one takes it before a server does.
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
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
