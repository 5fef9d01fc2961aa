/** Actions on the resolver and the registry, as data. Accounts and hashes are hex strings. */

export type Topic = "DID" | "DataHash";
export type Says = "attest" | "revoke";

/** Constants of a resolver, in seconds. */
export interface Settings {
  maturation: number;
  challengePeriod: number;
  maxTTL: number;
}

/** Accounts, issuers, DIDs and documents of a history. */
export interface Cast {
  dids: string[];
  accounts: string[];
  issuers: string[];
  /** Issuers that can only sign, because they are keys without an account. */
  keyed: string[];
  /** Addresses that are only added as issuers, to take seats. */
  fillers: string[];
  dataHashes: string[];
}

export interface Entry {
  did: string;
  /** Controller or dataHash. */
  subject: string;
  /** 0 for the maximum lifetime; ignored in a revocation. */
  expiresAt: number;
}

export interface BlockRequest {
  did: string;
  account: string;
  until: number;
}

interface Spoken {
  issuer: string;
  topic: Topic;
  says: Says;
}

interface OfRecord {
  by: string;
  did: string;
  major: number;
}

export type Action =
  | ({ kind: "state"; entry: Entry } & Spoken)
  | ({ kind: "stateBatch"; entries: Entry[] } & Spoken)
  /** `genuine` is true if the signature is valid for these values. */
  | ({ kind: "stateSigned"; entry: Entry; statedAt: number; deadline: number; genuine: boolean } & Spoken)
  | { kind: "block"; by: string; request: BlockRequest }
  | { kind: "blockBatch"; by: string; requests: BlockRequest[] }
  | { kind: "unblock"; by: string; did: string; account: string }
  | { kind: "challengeDID"; by: string; did: string; incumbent: string }
  | { kind: "resolveChallenge"; by: string; did: string; incumbent: string; challenger: string }
  | { kind: "addIssuer" | "retireIssuer"; issuer: string }
  | { kind: "distrustIssuer"; issuer: string; since: number }
  | { kind: "endAttestation"; topic: Topic; did: string; subject: string; issuer: string }
  | ({ kind: "mint" | "openReclaim" | "finishReclaim" } & OfRecord)
  | ({ kind: "dismissReclaims" | "update" | "republish" } & OfRecord)
  | ({ kind: "updateStatus"; status: number } & OfRecord)
  | ({ kind: "transfer"; to: string } & OfRecord);

export type Of<K extends Action["kind"]> = Extract<Action, { kind: K }>;

/** Actions in the order in which they reach one block. */
export interface Burst {
  at: number;
  actions: Action[];
}

/** Returns the action's name in a report, which tells statements apart. */
export function getName(action: Action): string {
  switch (action.kind) {
    case "state":
      return `${action.says}${action.topic}`;
    case "stateBatch":
      return `${action.says}${action.topic}Batch`;
    case "stateSigned":
      return `${action.says}${action.topic}BySignature`;
    case "endAttestation":
      return `end${action.topic}Attestation`;
    default:
      return action.kind;
  }
}
