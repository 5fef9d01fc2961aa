/** What anybody can do to the resolver and the registry, as data. Accounts, DIDs and hashes are hex strings. */

export type Topic = "DID" | "DataHash";

export interface Entry {
  did: string;
  /** A controller, or a dataHash. */
  subject: string;
  /** 0 for the maximum; ignored in a revocation. */
  expiresAt: number;
}

/** Who takes part in a history, and in what. */
export interface Cast {
  dids: string[];
  accounts: string[];
  issuers: string[];
  /** Issuers that only sign, because they are keys. */
  keyed: string[];
  /** Addresses that are only ever added as issuers, to take seats. */
  fillers: string[];
  dataHashes: string[];
}

export type Says = "attest" | "revoke";

export type Action =
  | { kind: "state"; issuer: string; topic: Topic; says: Says; entry: Entry }
  | { kind: "stateBatch"; issuer: string; topic: Topic; says: Says; entries: Entry[] }
  | {
      kind: "stateSigned";
      issuer: string;
      topic: Topic;
      says: Says;
      entry: Entry;
      statedAt: number;
      deadline: number;
      /** Whether the signature is over these very words. */
      genuine: boolean;
    }
  | {
      kind: "vouchController" | "objectToController" | "withdrawObjection";
      by: string;
      did: string;
      account: string;
    }
  | { kind: "challengeDID"; by: string; did: string; incumbent: string }
  | { kind: "resolveChallenge"; by: string; did: string; incumbent: string; challenger: string }
  | { kind: "addIssuer" | "retireIssuer"; issuer: string }
  | { kind: "distrustIssuer"; issuer: string; since: number }
  | { kind: "endAttestation"; topic: Topic; did: string; subject: string; issuer: string }
  | { kind: "setMaturation" | "setMaxTTL" | "setChallengePeriod"; seconds: number }
  | { kind: "mint" | "openReclaim" | "finishReclaim"; by: string; did: string; major: number }
  | { kind: "transfer"; by: string; did: string; major: number; to: string };

/** Actions in the order in which they reach one block. */
export interface Burst {
  at: number;
  actions: Action[];
}

/** The action's name in a report: statements are told apart by what they say and how they arrive. */
export function nameOf(action: Action): string {
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
