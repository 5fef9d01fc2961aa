import { Resolver } from "node:dns/promises";

/** Function that resolves the TXT records of a name, each as its list of strings. Rejects like `node:dns`. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/**
 * Creates a resolver of TXT records with a time limit for all attempts.
 * @param options.servers Name servers, each `<ip>` or `<ip>:<port>`. Default: the system's. Use one that validates
 * DNSSEC.
 * @param options.timeout Time limit in milliseconds. Default 5,000.
 * @example
 * const resolveTxt = createTxtResolver({ timeout: 2_000 });
 */
export function createTxtResolver(
  options: { servers?: readonly string[]; timeout?: number } = {},
): ResolveTxt {
  const { servers, timeout = 5_000 } = options;
  return async (name) => {
    // Use one resolver per query, so that canceling it does not end other queries.
    const resolver = new Resolver({ timeout: Math.ceil(timeout / 3), tries: 2 });
    if (servers) resolver.setServers(servers);
    AbortSignal.timeout(timeout).addEventListener("abort", () => resolver.cancel());
    return resolver.resolveTxt(name);
  };
}
