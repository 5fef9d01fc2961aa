import { openIndex, type IndexState as Progress } from "@app-registry/index/openIndex";
import { watchLag } from "@app-registry/server/connections";
import { metrics } from "@app-registry/server/metrics";
import { type Readiness, serveOperations } from "@app-registry/server/operations";
import { createPublicClient } from "viem";
import { environment } from "../../environment.ts";
import { createRpcTransport } from "../document.ts";

const readLag = watchLag(
  createPublicClient({ transport: createRpcTransport({ timeout: 1_000, retryCount: 0 }) }),
);

type IndexState = Progress & { lag: number | null };

async function indexState(): Promise<IndexState> {
  const state = await index.read(async (_session, read) => read);
  return { ...state, lag: state.block === undefined ? null : await readLag(state.block) };
}

/** Serves health endpoints and metrics on their own port. */
export async function startOperations(): Promise<void> {
  await serveOperations(environment, {
    readiness: () => indexState().then(toReadiness, databaseAway),
    async metrics() {
      const state = await indexState().catch(() => undefined);
      metrics().index({ isReady: false, block: undefined, lag: null, ...state });
      return metrics().text();
    },
  });
}

/** Returns ready also for an index that lags behind its chain, because its answers name their block. */
function toReadiness(state: IndexState): Readiness {
  if (!state.isReady) {
    const message = `The index is being built. Indexed up to block ${state.block ?? "none"}.`;
    return { isReady: false, problems: [{ code: "index-building", message }] };
  }
  const { lag } = state;
  const limit = environment.indexLagLimit;
  if (lag === null) {
    const message = "The chain's RPC endpoint is not responding.";
    return { isReady: true, problems: [{ code: "chain-unavailable", message }] };
  }
  if (lag <= limit) return { isReady: true, problems: [] };
  const message = `The index is ${lag} blocks behind the chain; the limit is ${limit}.`;
  return { isReady: true, problems: [{ code: "index-behind", message }] };
}

const databaseAway = (): Readiness => ({
  isReady: false,
  problems: [{ code: "database-unavailable", message: "The index's database is unavailable." }],
});

const { chainId, databaseSchema: schema, databaseUrl } = environment;

/** Index that this process fills, whose progress its health and metrics report. */
const index = openIndex({ databaseUrl, schema, chainId });
