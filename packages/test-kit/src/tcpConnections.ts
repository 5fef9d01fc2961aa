import { createHook } from "node:async_hooks";

/**
 * Counts the TCP connections that any code of this process begins to open. A returned error alone does not prove that
 * no connection was opened.
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
