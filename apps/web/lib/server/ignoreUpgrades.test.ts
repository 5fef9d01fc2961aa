import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { listen } from "@app-registry/test-kit/listen";
import { expect, it, onTestFinished } from "vitest";
import { ignoreUpgrades } from "./ignoreUpgrades.ts";

// @threat services: A body or list that is empty, endless, trickles or breaks off
it("ignoreUpgrades ends a connection that asks for a WebSocket, which Next would hold open", async () => {
  const server = createServer((_, response) => response.end("plain"));
  server.on("upgrade", () => undefined);
  const { origin, port, close } = await listen(server);
  onTestFinished(close);
  ignoreUpgrades();
  expect(await (await fetch(origin)).text()).toBe("plain");
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    "GET /_next/webpack-hmr HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*plain/);
});
