import {
  createGuardedFetch,
  type DiscoverOptions,
  type Discovery,
  discoverService,
} from "@app-registry/outbound";

/** Address to read on the web. */
export type ReadServiceTask = Pick<DiscoverOptions, "kind" | "variables"> & {
  input: string;
  allowLoopback: boolean;
};

/** Program of a worker thread. Requests and parses the documents of one service. */
export default async function readService({
  input,
  allowLoopback,
  ...options
}: ReadServiceTask): Promise<Discovery> {
  // Allow more time locally: the stack requests itself, and its server compiles a route at the first request.
  const guardedFetch = createGuardedFetch(allowLoopback ? { allowLoopback, timeout: 30_000 } : {});
  try {
    return await discoverService(input, { ...options, guardedFetch });
  } finally {
    await guardedFetch.close();
  }
}
