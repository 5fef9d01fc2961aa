import {
  type AppRegistryClient,
  canonicalizeValue,
  dataHash,
  HashAlgorithm,
  Interfaces,
  type Metadata,
  parseVersion,
  traitHash,
} from "@app-registry/sdk";
import type { Hash } from "viem";
import type { Random } from "../../bench/search/data/random.ts";
import type { DidHost } from "../../packages/issuer/test/support/didHost.ts";
import { localAccount } from "../stack/accounts.ts";
import { localClient } from "../stack/client.ts";
import type { Fleet } from "../stack/fleet.ts";
import type { Attempt } from "./evidence.ts";

/** What publishers know, and readers ask for. */
export interface Shared {
  fleet: Fleet;
  host: DidHost;
  attempts: Attempt[];
  /** Records whose minting was mined, with the versions that were. */
  services: { did: string; tokenId: string; versions: string[] }[];
  names: string[];
  accounts: readonly string[];
  /** Aborted when the load ends. */
  signal: AbortSignal;
}

/** Milliseconds to wait for a receipt: a chain that restarted has forgotten what waited in its memory. */
const RECEIPT_TIMEOUT = 15_000;

/** Milliseconds between two requests for the same attestation. */
const PAUSE = 500;

/** Milliseconds between two actions of a publisher, at most: the index must follow on two cores, which run the stack too. */
const REST = 3_000;

/** The account of the second issuer, which attests and revokes by itself. */
export const SECOND_ISSUER_INDEX = 18;

const words = ["harbour", "ledger", "meadow", "orchard", "quarry", "signal", "timber", "voyage"];

/** Acts as a publisher until the load ends: registers, publishes, changes status, transfers, and gets attested. */
export async function runPublisher(shared: Shared, index: number, random: Random): Promise<void> {
  const account = localAccount(index);
  const client = await localClient(shared.fleet, account);
  const second = await localClient(shared.fleet, localAccount(SECOND_ISSUER_INDEX));
  const own: { did: string; tokenId: bigint; versions: string[]; by: "web" | "second" }[] = [];
  const { address } = account;

  const actions = {
    async register() {
      const did = shared.host.did(address);
      await askForAttestation(shared, { did, connectedAddress: address, requiredSchemas: ["did-ownership"] });
      await mint(did, "web");
    },
    /** The first controller of this DID is the second issuer's, which withdraws it later. */
    async registerBySecondIssuer() {
      const did = shared.host.did(address);
      await mined(
        second,
        queued(() => second.attestDid({ did, controller: address })),
      );
      await mint(did, "second");
    },
    async update() {
      const service = random.pick(own.filter(({ by }) => by === "web"));
      const latest = (await client.getAppSummary({ did: service.did, major: 1 })).latestVersion;
      const version = parseVersion(`1.${latest.minor}.${latest.patch + 1}`);
      const { dataUrl, metadataJson, ...document } = makeDocument();
      const stored = random.chance(0.7) ? { metadataJson } : { dataUrl };
      await mined(client, client.updateAppControlled({ did: service.did, version, ...document, ...stored }));
      service.versions.push(`1.${version.minor}.${version.patch}`);
    },
    async changeStatus() {
      const { did } = random.pick(own.filter(({ by }) => by === "web"));
      const { status } = await client.getAppSummary({ did, major: 1 });
      const next = ((status + 1 + random.between(0, 1)) % 3) as 0 | 1 | 2;
      await mined(client, client.updateStatus({ did, major: 1, status: next }));
    },
    async transfer() {
      const { did, tokenId } = random.pick(own);
      const { owner } = await client.getAppSummary({ did, major: 1 });
      if (owner.toLowerCase() !== address.toLowerCase()) return;
      const to = random.pick(shared.accounts.filter((other) => other !== address)) as typeof address;
      await mined(client, client.transfer({ from: address, to, tokenId }));
    },
    async attestHash() {
      const { did } = random.pick(own.filter(({ by }) => by === "web"));
      await askForAttestation(shared, {
        ...{ did, connectedAddress: address },
        requiredSchemas: ["did-ownership", "data-hash"],
      });
    },
    async revokeBySecondIssuer() {
      const service = own.find(({ by }) => by === "second");
      if (!service) return;
      await mined(
        second,
        queued(() => second.revokeDid({ did: service.did, controller: address })),
      );
      own.splice(own.indexOf(service), 1);
    },
  };

  async function mint(did: string, by: "web" | "second"): Promise<void> {
    const { dataUrl, metadataJson, ...document } = makeDocument();
    const parameters = {
      ...{ did, version: parseVersion("1.0.0"), interfaces: Interfaces.Api, dataUrl, ...document },
      ...(random.chance(0.7) && { metadataJson }),
    };
    await mined(client, client.mint(parameters));
    const tokenId = await client.tokenIdOf({ did, major: 1 });
    const versions = ["1.0.0"];
    own.push({ did, tokenId, versions, by });
    shared.services.push({ did, tokenId: String(tokenId), versions });
  }

  /** A document of its own, served by the publisher's host. */
  function makeDocument() {
    const name = `${random.pick(words)} ${random.pick(words)} ${shared.names.length}`;
    shared.names.push(name);
    const url = `${shared.host.origin}/documents/${shared.names.length}.json`;
    const traits = ["api:mcp", `soak:${random.pick(words)}`];
    const metadata: Metadata = {
      ...{ name, description: `A service of the soak: ${name}.`, publisher: `Publisher ${index}`, traits },
      endpoints: [
        { name: "MCP", endpoint: `${shared.host.origin}/mcp`, schemaUrl: `${shared.host.origin}/tools.json` },
      ],
    };
    const metadataJson = canonicalizeValue(metadata);
    shared.host.put(new URL(url).pathname, metadataJson);
    return {
      ...{ dataUrl: url, metadataJson, dataHash: dataHash(metadataJson, HashAlgorithm.keccak256) },
      ...{ dataHashAlgorithm: HashAlgorithm.keccak256, traitHashes: traits.map(traitHash) },
    };
  }

  while (!shared.signal.aborted) {
    const choices: (keyof typeof actions)[] = own.some(({ by }) => by === "web")
      ? ["register", "update", "update", "changeStatus", "transfer", "attestHash", "attestHash"]
      : ["register"];
    if (random.chance(0.1)) choices.push("registerBySecondIssuer", "revokeBySecondIssuer");
    // What the chain lost or refused meanwhile is seen from the chain by the next action, and by the judge.
    await actions[random.pick(choices)]().catch(() => pause(PAUSE));
    await pause(random.between(0, REST));
  }
}

/** One sender at a time for the account that several publishers share. */
let turn: Promise<unknown> = Promise.resolve();
function queued<T>(task: () => Promise<T>): Promise<T> {
  const result = turn.then(task);
  turn = result.catch(() => undefined);
  return result;
}

async function mined(client: AppRegistryClient, sending: Promise<Hash>): Promise<void> {
  await client.waitForReceipt({ hash: await sending, timeoutMs: RECEIPT_TIMEOUT });
}

interface AttestationRequest {
  did: string;
  connectedAddress: string;
  requiredSchemas: string[];
}

interface AttestationAnswer {
  status?: string;
  retryable?: boolean;
  attestations?: Attempt["attestations"];
}

/** Asks, in two spellings at once, and again after a broken connection or a passing failure, until it is answered. */
async function askForAttestation(shared: Shared, request: AttestationRequest): Promise<void> {
  const { did, connectedAddress: controller } = request;
  const attempt: Attempt = { did, controller, attestations: [], status: undefined, requests: 0 };
  shared.attempts.push(attempt);
  const spellings = [did, did.replace("%3A", "%3a")];
  while (attempt.status === undefined) {
    const answers = await Promise.all(
      spellings.map(async (spelling) => {
        attempt.requests += 1;
        const response = await fetch(`${shared.fleet.webUrl}/api/verify-and-attest`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...request, did: spelling }),
        });
        return (await response.json()) as AttestationAnswer;
      }),
    ).catch(() => undefined);
    const first = answers?.find(({ status, retryable }) => status !== "pending" && !retryable);
    for (const { attestations = [] } of answers ?? []) attempt.attestations.push(...attestations);
    if (first?.status !== undefined) attempt.status = first.status;
    else if (shared.signal.aborted && attempt.requests > 200) return;
    else await pause(PAUSE);
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
