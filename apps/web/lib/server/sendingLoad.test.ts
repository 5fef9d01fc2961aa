import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { didHash } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { freePort } from "@app-registry/test-kit/freePort";
import { createTestClient, http } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

const DIDS = 30;
const REQUESTS = 4 * DIDS;
/** Block time, in seconds. */
const BLOCK_TIME = 0.3;
const program = fileURLToPath(new URL("test/attestingProcess.ts", import.meta.url));

let fixture: RegistryFixture;
let running: ChildProcess[] = [];

beforeAll(async () => {
  fixture = await startRegistry();
});
afterAll(() => fixture.stop());
afterEach(async () => {
  await kill();
  await chain().setIntervalMining({ interval: 0 });
  await chain().setAutomine(true);
  await chain().mine({ blocks: 1 });
});

const chain = () => createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) });

/** Kills all processes immediately, as a failing machine does. */
async function kill(): Promise<void> {
  const dying = running
    .splice(0)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(
    dying.map((child) => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      return exited;
    }),
  );
}

async function start(ports: readonly number[]): Promise<void> {
  running = ports.map((port) =>
    fork(program, {
      env: { ...process.env, ...fixture.variables, PORT: String(port) },
      silent: true,
    }),
  );
  await Promise.all(
    running.map(async (child) => {
      let output = "";
      child.stderr?.on("data", (text) => {
        output += text;
      });
      const ended = once(child, "exit").then(() => Promise.reject(new Error(output)));
      await Promise.race([once(child, "message"), ended]);
      ended.catch(() => undefined);
    }),
  );
}

type Answer = { ok: boolean; status: string; txHashes: string[]; retryable?: boolean };

/** Sends a request until it is answered: again after a broken connection or a temporary failure. */
async function askUntilAnswered(port: number, did: string): Promise<Answer> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      method: "POST",
      body: JSON.stringify({ did, connectedAddress: wallet.address }),
    }).then(
      (response) => response.json() as Promise<Answer>,
      () => undefined,
    );
    if (answer && answer.status !== "pending" && !answer.retryable) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const newDids = () => Array.from({ length: DIDS }, () => fixture.host.did(wallet.address));

/** Requests every DID four times, in two spellings, over all processes, at once. */
function askAll(ports: readonly number[], dids: readonly string[]): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: REQUESTS }, (_, index) => {
      const did = dids[index % DIDS] as string;
      const spelt = index % 2 ? did : did.replace("%3A", "%3a");
      return askUntilAnswered(ports[Math.floor(index / DIDS) % ports.length] as number, spelt);
    }),
  );
}

const nonces = async () => {
  const { publicClient } = fixture.registry;
  const { address } = await fixture.issuer();
  const [used, pending] = await Promise.all([
    publicClient.getTransactionCount({ address, blockTag: "latest" }),
    publicClient.getTransactionCount({ address, blockTag: "pending" }),
  ]);
  return { used, pending };
};

/** Expects that each DID was attested once, and that no transaction attested nothing. */
async function expectAttestedOnce(dids: readonly string[], before: number, answers: readonly Answer[]) {
  expect(answers.filter(({ ok }) => ok)).toHaveLength(REQUESTS);
  const events = await fixture.registry.publicClient.getContractEvents({
    address: fixture.registry.deployment.contracts.ResolverWithStore.address,
    abi: resolverAbi,
    eventName: "DIDAttested",
    fromBlock: 0n,
    strict: true,
  });
  const hashes = new Set(dids.map((did) => didHash(did)));
  const attested = events.filter(({ args }) => hashes.has(args.didHash));
  expect(attested.map(({ args }) => args.didHash).sort()).toEqual([...hashes].sort());
  const sent = new Set(attested.map(({ transactionHash }) => transactionHash)).size;
  expect(await nonces()).toEqual({ used: before + sent, pending: before + sent });
}

describe("two processes with one database", () => {
  let ports: number[];
  beforeAll(async () => {
    ports = await Promise.all([freePort(), freePort()]);
  });

  // @threat services: Two requests with one nonce, a killed process, or a transaction without an effect
  it("reaches the same state if it is killed midway and restarted", async () => {
    await start(ports);
    const dids = newDids();
    const { used } = await nonces();
    await chain().setAutomine(false);
    const asking = askAll(ports, dids);
    // At this point some transactions are in the node, and most DIDs wait or have not begun.
    await expect.poll(async () => (await nonces()).pending, { interval: 20 }).toBeGreaterThan(used + 1);
    await kill();
    await start(ports);
    await chain().setIntervalMining({ interval: BLOCK_TIME });
    await expectAttestedOnce(dids, used, await asking);
  });
});
