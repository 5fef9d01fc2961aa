import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { type Address, createPublicClient, http, parseEventLogs } from "viem";
import { hardhat } from "viem/chains";
import type { ChainEvent, Filter, RecordClaim } from "./evidence.ts";

/** Reads every event of the contracts, oldest first. */
export async function readEvents(rpcUrl: string, addresses: readonly Address[]): Promise<ChainEvent[]> {
  const client = createPublicClient({ chain: hardhat, transport: http(rpcUrl) });
  const logs = await client.getLogs({ address: [...addresses], fromBlock: 0n });
  const events = parseEventLogs({ abi: [...appRegistryAbi, ...resolverAbi], logs });
  return events.map(({ blockNumber, eventName: name, args }) => ({ block: Number(blockNumber), name, args }));
}

/** A record from one block to its next change. */
interface RecordState {
  tokenId: string;
  did: string;
  owner: string;
  status: number;
  version: string;
  dataHash: string;
  /** Whether the holder or the minter has an attestation that is settled. */
  control: boolean;
  attested: boolean;
}

/** What held from which block on, oldest first. */
type Timeline<State> = { block: number; state: State }[];

/** The first and the last of some blocks. */
export type Blocks = readonly [first: number, last: number];

/** How a claim differs from the chain: at the first of some blocks, or not at all at `block`. */
export interface Difference {
  block: number;
  found: string[];
}

/**
 * The registry at every block, by the rules of the contracts as far as a soak's accounts use them.
 *
 * @param issuers Those that count, in lower case.
 */
export class ChainModel {
  readonly #records = new Map<string, Timeline<RecordState>>();
  /** `<did> <version>`: the dataHash that was recorded for it. */
  readonly #documents = new Map<string, Timeline<string>>();
  /** Numbers of the blocks that changed something. */
  readonly #changes: number[] = [];

  constructor(events: readonly ChainEvent[], issuers: readonly string[]) {
    /** `<didHash> <account> <issuer>`: whether the run settled at once, as the first of a DID does. */
    const runs = new Map<string, boolean>();
    /** `<didHash> <dataHash> <issuer>` */
    const hashes = new Set<string>();
    const minted = new Map<string, { didHash: string; minter: string }>();

    const note = (tokenId: string, block: number, change: Partial<RecordState>) => {
      const timeline = this.#records.get(tokenId) ?? [];
      this.#records.set(tokenId, timeline);
      const state = { ...timeline.at(-1)?.state, ...change } as RecordState;
      const { didHash, minter } = minted.get(tokenId) as { didHash: string; minter: string };
      const isSettled = (account: string) =>
        issuers.some((issuer) => runs.get(joined(didHash, account, issuer)) === true);
      state.control = isSettled(state.owner) || isSettled(minter);
      state.attested = issuers.some((issuer) => hashes.has(joined(didHash, state.dataHash, issuer)));
      append(timeline, block, state);
    };
    const noteVersion = (did: string, block: number, version: string, dataHash: string) => {
      const name = `${did} ${version}`;
      const timeline = this.#documents.get(name) ?? [];
      this.#documents.set(name, timeline);
      append(timeline, block, dataHash);
    };
    const noteDid = (didHash: string, block: number) => {
      for (const [tokenId, one] of minted) if (one.didHash === didHash) note(tokenId, block, {});
    };

    for (const { block, name, args } of events) {
      if (this.#changes.at(-1) !== block) this.#changes.push(block);
      const tokenId = String(args.tokenId);
      const version = `${args.major}.${args.minor}.${args.patch}`;
      if (name === "AppMinted") {
        const { did, didHash, dataHash } = args;
        const minter = args.minter.toLowerCase();
        minted.set(tokenId, { didHash, minter });
        note(tokenId, block, { tokenId, did, owner: minter, status: 0, version, dataHash });
        noteVersion(did, block, version, dataHash);
      } else if (name === "AppUpdated") {
        note(tokenId, block, { version, dataHash: args.dataHash });
        noteVersion(this.#at(tokenId, block)?.did ?? "", block, version, args.dataHash);
      } else if (name === "StatusUpdated") note(tokenId, block, { status: args.newStatus });
      else if (name === "Transfer" && minted.has(tokenId))
        note(tokenId, block, { owner: args.to.toLowerCase() });
      else if (name === "DIDAttested") {
        const isFirst = args.settlesAt === args.startedAt;
        runs.set(joined(args.didHash, args.controller, args.issuer), isFirst);
      } else if (name === "DIDRevoked") runs.delete(joined(args.didHash, args.controller, args.issuer));
      else if (name === "DataHashAttested") hashes.add(joined(args.didHash, args.dataHash, args.issuer));
      else if (name === "DataHashRevoked") hashes.delete(joined(args.didHash, args.dataHash, args.issuer));
      if (/^(DID|DataHash)(Attested|Revoked)$/.test(name)) noteDid(args.didHash, block);
    }
  }

  #at = (tokenId: string, block: number) => stateAt(this.#records.get(tokenId), block);

  /** Compares what is said of a record with each of its states in some blocks until one agrees. */
  compareRecord({ tokenId, ...claim }: RecordClaim, blocks: Blocks): Difference {
    return firstThatAgrees(statesIn(this.#records.get(tokenId), blocks), (state) => {
      if (!state) return [`record ${tokenId} is not there`];
      const fields = Object.entries(claim) as [keyof typeof claim, unknown][];
      return fields.flatMap(([field, value]) =>
        value === undefined || state[field] === value
          ? []
          : [`${tokenId}: ${field} ${value}, not ${state[field]}`],
      );
    });
  }

  /** Compares the hash of a version's document, null for none. */
  compareDocument(did: string, version: string, hash: string | null, blocks: Blocks): Difference {
    return firstThatAgrees(statesIn(this.#documents.get(`${did} ${version}`), blocks), (actual) =>
      (actual ?? null) === hash ? [] : [`document ${hash}, not ${actual}`],
    );
  }

  /** Compares what is said of the records that a filter finds, by `differ`. */
  compareSelection(
    filter: Filter,
    [first, last]: Blocks,
    differ: (tokenIds: ReadonlySet<string>) => string[],
  ): Difference {
    const blocks = [first, ...this.#changes.filter((block) => block > first && block <= last)];
    const selections = blocks.map((block) => ({ block, state: this.#select(filter, block) }));
    return firstThatAgrees(selections, (found = new Set()) => differ(found));
  }

  #select(filter: Filter, block: number): Set<string> {
    const found = new Set<string>();
    for (const [tokenId, timeline] of this.#records) {
      const state = stateAt(timeline, block);
      if (state && (filter.kind === "all" || state[filter.kind] === filter.value)) found.add(tokenId);
    }
    return found;
  }
}

const joined = (didHash: string, subject: string, issuer: string) =>
  `${didHash} ${subject} ${issuer}`.toLowerCase();

/** Adds what holds from a block on; of several changes in one block the last stays. */
function append<State>(timeline: Timeline<State>, block: number, state: State): void {
  if (timeline.at(-1)?.block === block) timeline.pop();
  timeline.push({ block, state });
}

const stateAt = <State>(timeline: Timeline<State> = [], block: number): State | undefined =>
  timeline.findLast((entry) => entry.block <= block)?.state;

/** What held at the first of some blocks, and what has held since. */
const statesIn = <State>(
  timeline: Timeline<State> | undefined,
  [first, last]: Blocks,
): { block: number; state: State | undefined }[] => [
  { block: first, state: stateAt(timeline, first) },
  ...(timeline ?? []).filter(({ block }) => block > first && block <= last),
];

function firstThatAgrees<State>(
  states: readonly { block: number; state: State | undefined }[],
  differ: (state: State | undefined) => string[],
): Difference {
  let first: Difference | undefined;
  for (const { block, state } of states) {
    const found = differ(state);
    if (found.length === 0) return { block, found };
    first ??= { block, found };
  }
  return first ?? { block: 0, found: [] };
}
