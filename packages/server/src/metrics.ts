import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { formatEther } from "viem";
import type { Health } from "./health.ts";

/**
 * Histogram buckets, in seconds. A page takes a tenth of a second, a request to an external host up to five seconds.
 */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Prometheus metrics of a process. All names begin with `app_registry_`, and labels have few values. */
export type Metrics = {
  registry: Registry;
  /** Counts an HTTP request. `route` is a pattern, never a path, because clients choose paths. */
  request(route: string, status: number, seconds: number): void;
  /** Counts an attestation that verify-and-attest reported, by status. */
  attestation(schema: string, outcome: string): void;
  /** Counts a request of verify-and-attest that was rejected or failed, by problem code. */
  refusal(reason: string): void;
  /** Counts a request that was rejected by a rate limit. */
  limited(limit: string): void;
  /** Counts a request to an external host, by status class or error code. */
  outbound(outcome: string, seconds: number): void;
  /** Counts a request to a chain's RPC: `answered`, `error` (the RPC returned an error) or `unreachable`. */
  rpc(outcome: string, seconds: number): void;
  jobs(queue: string, counts: { due: number; overdue: number; failing: number }): void;
  /** Sets the state of this process's index. */
  index(state: { isReady: boolean; block: number | undefined; lag: number | null }): void;
  health(health: Health): void;
  /** Returns all metrics in Prometheus's text format. */
  text(): Promise<string>;
};

const shared = globalThis as { [key: symbol]: Metrics | undefined };
const METRICS = Symbol.for("app-registry.metrics");

/**
 * Returns the metrics of this process, one instance even across bundles: Next.js bundles the startup separately from
 * the routes, so each has its own instance of every module.
 */
export function metrics(): Metrics {
  shared[METRICS] ??= createMetrics();
  return shared[METRICS];
}

function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `app_registry_${name}_total`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => {
    const made = new Gauge({ name: `app_registry_${name}`, help, labelNames, registers });
    // Remove the initial 0 of a gauge without labels, because no value has been measured yet.
    if (labelNames.length === 0) made.remove();
    return made;
  };
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `app_registry_${name}_seconds`, help, buckets, registers });

  const requests = counter("http_requests", "Answered requests", ["route", "status"]);
  const requestSeconds = histogram("http_request", "Duration of a request");
  const attestations = counter("attestations", "Attestation requests by response status", [
    "schema",
    "outcome",
  ]);
  const refusals = counter("refusals", "Requests to attest that were rejected or failed", ["reason"]);
  const limited = counter("rate_limited", "Requests rejected by a rate limit", ["limit"]);
  const outbound = counter("outbound_requests", "Requests to third-party hosts", ["outcome"]);
  const outboundSeconds = histogram("outbound_request", "Duration of such a request");
  const rpc = counter("rpc_requests", "Requests to RPC endpoints", ["outcome"]);
  const rpcSeconds = histogram("rpc_request", "Duration of such a request");
  const lag = gauge("index_lag_blocks", "Number of blocks not indexed yet", []);
  const block = gauge("index_block", "Last block of the index", []);
  const ready = gauge("index_ready", "1 once the index has caught up with the chain", []);
  const queueJobs = gauge("queue_jobs", "Jobs of a queue; due are to be done now, overdue for a day", [
    "queue",
    "state",
  ]);
  const jobs: Metrics["jobs"] = (queue, counts) => {
    for (const state of ["due", "overdue", "failing"] as const)
      queueJobs.set({ queue, state }, counts[state]);
  };
  const setHealth = healthGauges(gauge);

  return {
    registry,
    request(route, status, seconds) {
      requests.inc({ route, status });
      requestSeconds.observe(seconds);
    },
    attestation: (schema, outcome) => attestations.inc({ schema, outcome }),
    refusal: (reason) => refusals.inc({ reason }),
    limited: (limit) => limited.inc({ limit }),
    outbound(outcome, seconds) {
      outbound.inc({ outcome });
      outboundSeconds.observe(seconds);
    },
    rpc(outcome, seconds) {
      rpc.inc({ outcome });
      rpcSeconds.observe(seconds);
    },
    jobs,
    index(state) {
      ready.set(Number(state.isReady));
      set(block, state.block ?? null);
      set(lag, state.lag);
    },
    health(health) {
      set(lag, health.indexer.lag);
      if (health.issuer.revalidation) jobs("revalidation", health.issuer.revalidation);
      setHealth(health);
    },
    text: () => registry.metrics(),
  };
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => Gauge<Label>;

function healthGauges(gauge: MakeGauge): (health: Health) => void {
  const problem = gauge("health_problem", "1 while /api/health reports this problem", ["code"]);
  const authorised = gauge("issuer_authorised", "1 while the resolver lets the issuer attest", []);
  const balance = gauge("issuer_balance_native", "Balance of the issuer, in the chain's currency", []);
  const left = gauge("issuer_attestations_left", "Attestations that the balance pays for", []);
  const spent = gauge("issuer_spent_native", "Amount counted against the hourly spending cap", []);
  const cap = gauge("issuer_spending_cap_native", "The issuer's hourly spending cap", []);
  const transactions = gauge("issuer_transactions", "Transactions sent and not mined", ["state"]);
  return ({ problems, issuer: { authorised: isAuthorised, funds } }) => {
    for (const stale of [problem, transactions]) stale.reset();
    for (const { code } of problems) problem.set({ code }, 1);
    set(authorised, isAuthorised === null ? null : Number(isAuthorised));
    set(balance, funds && Number(formatEther(BigInt(funds.balance))));
    set(left, funds?.attestationsLeft ?? null);
    set(spent, funds && Number(formatEther(BigInt(funds.spent))));
    set(cap, funds && Number(formatEther(BigInt(funds.spendingCap))));
    if (funds) {
      transactions.set({ state: "open" }, funds.openTransactions);
      transactions.set({ state: "stuck" }, funds.stuckTransactions);
    }
  };
}

/** Sets a gauge, or removes it if the value is unknown, so that alerts do not use an outdated value. */
function set(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}
