import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a server on a free port of loopback. `close` also ends its open connections. */
export async function listen(server: Server, host = "127.0.0.1") {
  // After the default of five seconds, a busy machine may send a request on a connection that is just being closed.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, origin: `http://${host}:${port}`, close };
}
