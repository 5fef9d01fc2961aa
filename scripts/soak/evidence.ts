import type { PartKind } from "../stack/fleet.ts";

/** An event of the contracts, with the arguments that the model reads. */
export interface ChainEvent {
  block: number;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: every event has arguments of its own
  args: any;
}

/** Which records an answer claims to list completely. */
export type Filter =
  | { kind: "all" }
  | { kind: "did"; value: string }
  | { kind: "owner"; value: string }
  | { kind: "status"; value: number };

/** What an answer says of a record; what it leaves out is not judged. */
export interface RecordClaim {
  tokenId: string;
  did?: string;
  version?: string;
  status?: number;
  owner?: string;
  dataHash?: string;
  /** Whether the holder or the minter counts as a controller. */
  control?: boolean;
  /** Whether an issuer attests the dataHash. */
  attested?: boolean;
}

/**
 * The blocks of which an answer is true. `exact`: the block that it names, by the index or by the chain; the index reads
 * its rows after the block, so they may be of a block that came meanwhile. `recent`: a block between the request and the
 * answer. `ever`: any block until the answer.
 */
type Place = { kind: "exact"; block: number; by: "index" | "chain" } | { kind: "recent" | "ever" };

/** One answer to a reader, with what it claims. Times are milliseconds of this machine's clock. */
export interface Answer {
  route: string;
  path: string;
  startedAt: number;
  endedAt: number;
  /** 0: no answer. */
  status: number;
  /** How the answer failed; absent for one that can be judged. */
  failure?: { code: string; retryable: boolean };
  /** A POST whose process died: it is sent again by its client, because no proxy may. */
  isPost?: boolean;
  /** A first answer ended early, and the request was sent again. */
  wasCut?: boolean;
  place?: Place;
  records?: RecordClaim[];
  /** `records` are all that this filter finds. */
  complete?: Filter;
  total?: { filter: Filter; count: number };
  /** The version that was asked for, and the hash of the document that came; null for 404. */
  document?: { did: string; version: string; hash: string | null };
  /** A DID that has no record, as the answer says. */
  absent?: string;
  /** Names that were suggested. */
  names?: string[];
}

/** A request for attestations, repeated until it was answered. */
export interface Attempt {
  did: string;
  controller: string;
  /** What the answers said is attested. */
  attestations: { schema: string; didHash: string; subject: string; issuer: string }[];
  /** The last status; undefined when the soak ended first. */
  status: string | undefined;
  requests: number;
}

/** What was done to the stack. It lasts until every part answers again. */
export interface Disturbance {
  kind: PartKind | "chain" | "database" | "reorg";
  target: string;
  detail?: string;
  startedAt: number;
  endedAt: number;
}

/** A chain as it was until a reorganisation replaced its last blocks, which takes seconds; the last one stays. */
export interface ChainVersion {
  events: ChainEvent[];
  /** Number of its last block. */
  head: number;
  /** Number of the last block that its replacement has too. */
  fork: number;
  /** When its replacement began and when it was over, milliseconds; Infinity for the last one. */
  replacedAt: number;
  until: number;
}

/** Memory of one process from its start to its end. */
export interface MemorySeries {
  part: string;
  start: number;
  /** `resident` is what it holds; `bytes` what it keeps when garbage is collected, or `resident` until it has noted that. */
  samples: { at: number; bytes: number; resident: number }[];
}

/** What the issuer's account and its queue look like when everything has ended. */
interface IssuerEnd {
  issuer: string;
  usedNonces: number;
  pendingNonces: number;
  openTransactions: number;
}

/** All that a soak saw; the judge needs nothing else. */
export interface Evidence {
  seed: number;
  startedAt: number;
  endedAt: number;
  chains: ChainVersion[];
  /** Number of the chain's last block over time, oldest first. */
  heads: { at: number; block: number }[];
  answers: Answer[];
  attempts: Attempt[];
  disturbances: Disturbance[];
  /** Every name that a publisher gave a service. */
  names: string[];
  memory: MemorySeries[];
  issuer: IssuerEnd;
  /** How often each part was started, by its name. */
  starts: Record<string, number>;
  /** The most PostgreSQL connections at a time, and how many the parts may open. */
  connections: { most: number; budget: number };
}
