import { setTimeout as sleep } from "node:timers/promises";
import { parseEther } from "viem";
import { LOCAL_CHAIN_ID } from "../../packages/sdk/src/local.ts";
import { ISSUER_INDEX, localAccount } from "../stack/accounts.ts";
import { run } from "../stack/processes.ts";
import { LAG_LIMIT, type WatchedRegistry } from "./watchedRegistry.ts";

/** What makes alerts fire, and what ends them. */
export interface Scenario {
  alerts: string[];
  cause: string;
  act(): Promise<unknown>;
  /** Absent for what can't be undone. */
  undo?(): Promise<unknown>;
}

const DAY = 86_400;
const VISITORS = 20;
const issuerAddress = localAccount(ISSUER_INDEX).address;

/** The queues' tables; a second is 1,000 in that of the issuer, which counts milliseconds. */
const REVALIDATION = { schema: "app_registry_issuer", second: 1_000 };
const DOCUMENTS = { schema: `app_registry_documents_${LOCAL_CHAIN_ID}`, second: 1 };

/** A scenario for each rule of deploy/prometheus/alerts.yml; the last can't be undone. */
export function scenariosOf(registry: WatchedRegistry): Scenario[] {
  const { chain, postgres, rpc, indexerRpc, webUrl } = registry;
  const setBalance = (value: bigint) => chain.client.setBalance({ address: issuerAddress, value });
  const heal = async () => rpc.heal();

  /** Repeats something until {@link stop}; what is asked may fail. */
  let repeating = false;
  const repeat = (milliseconds: number, act: () => Promise<unknown>) => {
    repeating = true;
    void (async () => {
      while (repeating) {
        await act().catch(() => undefined);
        await sleep(milliseconds);
      }
    })();
  };
  /** Visitors who ask again and again. */
  const visit = () => {
    for (let visitor = 0; visitor < VISITORS; visitor += 1) {
      repeat(100, async () => {
        await get(`/api/data-url/${ownDid("none")}/v/1.0.0`);
        await sleep(visitor * 50);
      });
    }
  };
  const stop = async () => {
    repeating = false;
  };

  const get = (path: string) => fetch(`${webUrl}${path}`).then((response) => response.arrayBuffer());
  const attest = (did: string) =>
    fetch(`${webUrl}/api/verify-and-attest`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        did,
        connectedAddress: localAccount(11).address,
        requiredSchemas: ["did-ownership"],
      }),
    }).then((response) => response.json());
  /** A DID of this stack's own, whose document names every test account. */
  const ownDid = (name: string) => `did:web:${new URL(webUrl).host.replace(":", "%3A")}:${name}`;
  /** Every job of a queue is due that many days from now; a minus is in the past. */
  const due =
    ({ schema, second }: typeof REVALIDATION, days: number) =>
    () =>
      postgres.query(
        `update ${schema}.queue_job set due_at = (extract(epoch from now()) + ${days * DAY}) * ${second}`,
      );
  const notDue = (queue: typeof REVALIDATION) => async () => {
    await stop();
    await sleep(1_000);
    await due(queue, 1)();
  };

  return [
    {
      alerts: ["ProcessDown", "IndexUnavailable"],
      cause: "the indexer is killed",
      act: registry.killIndexer,
      undo: registry.restartIndexer,
    },
    {
      alerts: ["IndexBehind"],
      cause: "the indexer's RPC hangs up while the chain goes on",
      async act() {
        indexerRpc.break(() => "drop");
        await chain.client.mine({ blocks: 4 * LAG_LIMIT });
      },
      undo: async () => indexerRpc.heal(),
    },
    {
      alerts: ["ChainUnavailable", "RpcFailing", "ServerErrors"],
      cause: "the RPC hangs up, and visitors ask for documents",
      async act() {
        rpc.break(() => "drop");
        visit();
      },
      undo: () => Promise.all([stop(), heal()]),
    },
    {
      alerts: ["RpcSlow", "SlowAnswers"],
      cause: "the RPC takes two and a half seconds, and visitors ask for documents",
      async act() {
        rpc.break(() => ({ delay: 2_500 }));
        visit();
      },
      undo: () => Promise.all([stop(), heal()]),
    },
    {
      alerts: ["WrongChain"],
      cause: "the RPC serves another chain",
      act: async () =>
        rpc.break(({ method }) => (method === "eth_chainId" ? { replace: () => "0x1" } : "pass")),
      undo: heal,
    },
    {
      alerts: ["IndexOfAnotherChain"],
      cause: "the RPC has other blocks than the index",
      act: async () =>
        rpc.break(({ method }) =>
          method === "eth_getBlockByNumber"
            ? { replace: (block: unknown) => ({ ...(block as object), hash: `0x${"ab".repeat(32)}` }) }
            : "pass",
        ),
      undo: heal,
    },
    {
      alerts: ["IssuerUnavailable"],
      cause: "the RPC does not say the issuer's balance",
      act: async () => rpc.break(({ method }) => (method === "eth_getBalance" ? "error" : "pass")),
      undo: heal,
    },
    {
      alerts: ["IssuerFundsLow"],
      cause: "the issuer's balance covers few attestations",
      act: () => setBalance(parseEther("0.01")),
      undo: () => setBalance(parseEther("10000")),
    },
    {
      alerts: ["IssuerOutOfFunds"],
      cause: "the issuer's balance is drained",
      act: () => setBalance(0n),
      undo: () => setBalance(parseEther("10000")),
    },
    {
      alerts: ["RefusalsRising", "OutboundFailing"],
      cause: "somebody asks for hosts that don't answer",
      act: async () => repeat(50, () => attest(`did:web:localhost%3A1:${Date.now()}`)),
      undo: stop,
    },
    {
      alerts: ["SpendingCapNearlyUsed"],
      cause: "the cap is a little more than what was spent",
      async act() {
        for (const name of ["one", "two"]) await attest(ownDid(name));
        const spent = await registry.metric("app_registry_issuer_spent_native");
        await registry.restartWeb({ ISSUER_SPENDING_CAP: (spent * 1.1).toFixed(12) });
      },
      undo: () => registry.restartWeb(),
    },
    {
      alerts: ["TransactionsStuck"],
      cause: "nothing is mined",
      async act() {
        await chain.client.setIntervalMining({ interval: 0 });
        await attest(ownDid("stuck"));
      },
      undo: () => chain.client.setIntervalMining({ interval: 1 }),
    },
    {
      alerts: ["RevalidationBehind"],
      cause: "attestations were due two days ago (set back in the database)",
      async act() {
        await attest(ownDid("old"));
        repeat(200, due(REVALIDATION, -2));
      },
      undo: notDue(REVALIDATION),
    },
    {
      alerts: ["DocumentsOverdue"],
      cause: "documents were due two days ago (set back in the database)",
      async act() {
        await registry.publishElsewhere();
        repeat(200, due(DOCUMENTS, -2));
      },
      undo: notDue(DOCUMENTS),
    },
    {
      alerts: ["DatabaseUnavailable"],
      cause: "PostgreSQL is stopped",
      act: postgres.stop,
      async undo() {
        await postgres.start();
        await registry.restartIndexer();
      },
    },
    {
      alerts: ["IssuerNotAuthorised"],
      cause: "the resolver's owner retires the issuer",
      act: () =>
        run("node", ["scripts/issuers.ts", "retire", issuerAddress, "--network", "localhost"], {
          environment: { LOCAL_RPC_URL: chain.url, DEPLOYMENT_FILE: registry.deploymentFile },
        }),
    },
  ];
}
