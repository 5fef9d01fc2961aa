import { createServer } from "node:net";

/**
 * The first free TCP port from `preferred` on, within the next 50.
 * @throws When none of them is free.
 */
export async function findFreePort(preferred: number): Promise<number> {
  for (let port = preferred; port < preferred + 50; port++) {
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${preferred} and ${preferred + 49}: end what listens there.`);
}

async function isFree(port: number): Promise<boolean> {
  // A server on another address of the port would shadow ours for some clients.
  for (const host of ["127.0.0.1", "::1", "0.0.0.0", "::"]) {
    if (!(await canListen(port, host))) return false;
  }
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
    server.listen({ port, host, exclusive: true, ipv6Only: host === "::" }, () =>
      server.close(() => resolve(true)),
    );
  });
}
