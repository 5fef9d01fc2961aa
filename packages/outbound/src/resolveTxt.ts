import { Resolver } from "node:dns/promises";

/** The TXT records of a name, each as the strings that it is split into; rejects as `node:dns` does. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/**
 * Creates a resolver of TXT records with a time limit over all its tries.
 * @param options.servers Name servers to ask, `<ip>` or `<ip>:<port>`. Default: the system's. Use one that validates
 * DNSSEC.
 * @param options.timeout Milliseconds. Default 5,000.
 * @example
 * const resolveTxt = createTxtResolver({ timeout: 2_000 });
 */
export function createTxtResolver(
  options: { servers?: readonly string[]; timeout?: number } = {},
): ResolveTxt {
  const { servers, timeout = 5_000 } = options;
  return async (name) => {
    // One resolver per query, so that cancelling it ends no other query.
    const resolver = new Resolver({ timeout: Math.ceil(timeout / 3), tries: 2 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeout);
    try {
      return await resolver.resolveTxt(name);
    } finally {
      clearTimeout(timer);
    }
  };
}
