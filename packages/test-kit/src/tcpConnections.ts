import { createHook } from "node:async_hooks";

/**
 * Counts every TCP connection that this process begins to open, wherever in it: a promise that none was opened must not
 * rest on the error that came back.
 */
export function countTcpConnections(): { count(): number; stop(): void } {
  const state = { count: 0 };
  const hook = createHook({
    init(_id, type) {
      if (type === "TCPCONNECTWRAP") state.count++;
    },
  }).enable();
  return { count: () => state.count, stop: () => void hook.disable() };
}
