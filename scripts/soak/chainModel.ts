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

/** A record at a block. */
export interface RecordState {
  tokenId: string;
  did: string;
  didHash: string;
  minter: string;
  owner: string;
  status: number;
  version: string;
  dataHash: string;
}

/** The state of the registry at a block, by the rules of the contracts as far as a soak's accounts use them. */
export class RegistryState {
  readonly records = new Map<string, RecordState>();
  /** `<didHash> <account> <issuer>`: whether the run settled at once, as the first of a DID does. */
  readonly #runs = new Map<string, boolean>();
  /** `<didHash> <dataHash> <issuer>` */
  readonly #hashes = new Set<string>();
  /** `<did> <version>`: the dataHash that was recorded for it. */
  readonly #versions = new Map<string, string>();

  /** The dataHash of a version, current or older; undefined when it was never published. */
  hashOf = (did: string, version: string): string | undefined => this.#versions.get(`${did} ${version}`);

  apply({ name, args }: ChainEvent): void {
    const record = this.records.get(String(args.tokenId));
    const version = `${args.major}.${args.minor}.${args.patch}`;
    if (name === "AppMinted") {
      const { did, didHash, minter, dataHash } = args;
      const tokenId = String(args.tokenId);
      this.records.set(tokenId, {
        ...{ tokenId, did, didHash, minter: minter.toLowerCase(), owner: minter.toLowerCase() },
        ...{ status: 0, version, dataHash },
      });
      this.#versions.set(`${did} ${version}`, dataHash);
    } else if (name === "AppUpdated" && record) {
      Object.assign(record, { version, dataHash: args.dataHash });
      this.#versions.set(`${record.did} ${version}`, args.dataHash);
    } else if (name === "StatusUpdated" && record) record.status = args.newStatus;
    else if (name === "Transfer" && record) record.owner = args.to.toLowerCase();
    else if (name === "DIDAttested") {
      const isFirst = args.settlesAt === args.startedAt;
      this.#runs.set(pairOf(args.didHash, args.controller, args.issuer), isFirst);
    } else if (name === "DIDRevoked") this.#runs.delete(pairOf(args.didHash, args.controller, args.issuer));
    else if (name === "DataHashAttested") this.#hashes.add(pairOf(args.didHash, args.dataHash, args.issuer));
    else if (name === "DataHashRevoked")
      this.#hashes.delete(pairOf(args.didHash, args.dataHash, args.issuer));
  }

  /** Whether the holder or the minter has an attestation that is settled. */
  isControlled({ didHash, owner, minter }: RecordState, issuers: readonly string[]): boolean {
    return [owner, minter].some((account) =>
      issuers.some((issuer) => this.#runs.get(pairOf(didHash, account, issuer)) === true),
    );
  }

  isAttested({ didHash, dataHash }: RecordState, issuers: readonly string[]): boolean {
    return issuers.some((issuer) => this.#hashes.has(pairOf(didHash, dataHash, issuer)));
  }

  select(filter: Filter): RecordState[] {
    const all = [...this.records.values()];
    if (filter.kind === "did") return all.filter(({ did }) => did === filter.value);
    if (filter.kind === "owner") return all.filter(({ owner }) => owner === filter.value);
    if (filter.kind === "status") return all.filter(({ status }) => status === filter.value);
    return all;
  }

  /** How claims differ from this state; empty when they are true. */
  differences(claims: readonly RecordClaim[], issuers: readonly string[]): string[] {
    return claims.flatMap(({ tokenId, control, attested, ...claim }) => {
      const record = this.records.get(tokenId);
      if (!record) return [`record ${tokenId} is not there`];
      const found = Object.entries(claim).flatMap(([field, value]) => {
        const actual = record[field as keyof typeof claim];
        return value === undefined || actual === value
          ? []
          : [`${tokenId}: ${field} ${value}, not ${actual}`];
      });
      if (control !== undefined && control !== this.isControlled(record, issuers))
        found.push(`${tokenId}: control ${control}`);
      if (attested !== undefined && attested !== this.isAttested(record, issuers))
        found.push(`${tokenId}: attested ${attested}`);
      return found;
    });
  }
}

const pairOf = (didHash: string, subject: string, issuer: string) =>
  `${didHash} ${subject} ${issuer}`.toLowerCase();

/** Replays events; asked for blocks in rising order, it reads each event once. */
export class ChainModel {
  readonly #events: readonly ChainEvent[];
  #state = new RegistryState();
  #next = 0;
  #block = -1;

  constructor(events: readonly ChainEvent[]) {
    this.#events = events;
  }

  /** The next block above `block` that changes something, or the one after `last`. */
  nextChange(block: number, last: number): number {
    this.at(block);
    const next = this.#events[this.#next]?.block ?? last + 1;
    return Math.min(next, last + 1);
  }

  at(block: number): RegistryState {
    if (block < this.#block) {
      this.#state = new RegistryState();
      this.#next = 0;
    }
    this.#block = block;
    for (let event = this.#events[this.#next]; event && event.block <= block; ) {
      this.#state.apply(event);
      this.#next += 1;
      event = this.#events[this.#next];
    }
    return this.#state;
  }
}
