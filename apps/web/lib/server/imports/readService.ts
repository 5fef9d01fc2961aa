import { parentPort } from "node:worker_threads";
import {
  type CreateGuardedFetchOptions,
  createGuardedFetch,
  type DiscoverOptions,
  type Discovery,
  discoverService,
} from "@app-registry/outbound";

/** Outcome and duration of a request, which the process counts. */
export type OutboundAnswer = Parameters<NonNullable<CreateGuardedFetchOptions["onAnswer"]>>;

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
  const guardedFetch = createGuardedFetch({
    // Allow more time locally: the stack requests itself, and its server compiles a route at the first request.
    ...(allowLoopback ? { allowLoopback, timeout: 30_000 } : {}),
    onAnswer: (...answer) => parentPort?.postMessage(answer satisfies OutboundAnswer),
  });
  try {
    return await discoverService(input, { ...options, guardedFetch });
  } finally {
    await guardedFetch.close();
  }
}
