import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { CanonicalDid, Did } from "@app-registry/sdk";
import type { Address, Hex, PublicClient } from "viem";
import type { OwnershipMethod } from "./contractControl.ts";
import type { KeyProperty } from "./verificationMethod.ts";

/** What proves that a wallet controls a DID. */
export type DidControlEvidence =
  | { kind: "did-document"; url: string; methodId: string; property: KeyProperty }
  | {
      /** `record` is the TXT record at `name` that names the wallet. */
      kind: "dns-txt";
      name: string;
      record: string;
    }
  | {
      kind: "contract-owner";
      chainId: number;
      contract: Address;
      way: OwnershipMethod;
      /** The ProxyAdmin or beacon whose owner it is. */
      through?: Address;
      blockNumber: number;
    };

/** Stable code for why control is not proven. */
export type DidControlFailureCode =
  | "did-document-unreachable"
  | "did-document-missing"
  | "did-document-invalid"
  | "did-document-id-mismatch"
  | "did-document-deactivated"
  | "wallet-not-in-did-document"
  | "contract-account-elsewhere"
  | "chain-not-configured"
  | "contract-owner-unknown"
  | "contract-owner-mismatch";

/** One way that was tried, and why it doesn't prove control. */
export type DidControlAttempt = {
  way: string;
  reason: string;
  /** The account that controls the contract by this way, instead of the wallet. */
  owner?: Address;
  /** The role of the contract that the wallet would need (OpenZeppelin's AccessControl). */
  missingRole?: Hex;
};

/** What to publish so that the wallet controls a did:web: the file, or the DNS record. */
export type DidDocumentToPublish = {
  url: string;
  document: string;
  /** An equivalent TXT record, if the operator accepts one. */
  txt?: { name: string; record: string };
};

export type DidControl =
  | { outcome: "pass"; did: CanonicalDid; controller: Address; evidence: DidControlEvidence }
  | ({ did: CanonicalDid; controller: Address } & DidControlFailure);

/** Control is not proven. */
export type DidControlFailure = {
  /** `unknown`: a host didn't answer, so nothing is known; a later check may succeed. */
  outcome: "fail" | "unknown";
  code: DidControlFailureCode;
  /** One or two sentences for the publisher. */
  reason: string;
  ways: DidControlAttempt[];
  publish?: DidDocumentToPublish;
};

/** The result of one way of proving control. */
export type DidControlVerdict = { outcome: "pass"; evidence: DidControlEvidence } | DidControlFailure;

export type CheckDidControlParameters = {
  /** A DID as a person types it, or parsed before. */
  did: string | Did;
  /** The wallet that is to control it. */
  controller: Address;
  guardedFetch: GuardedFetch;
  /** A client of the registry's chain or one that a did:pkh names; undefined if the operator configured none. */
  chainClient: (chainId: number) => PublicClient | undefined;
  /** The registry's chain, on which the wallet would count and which a proposed did.json names. */
  chainId: number;
  /** Reads did.json of loopback hosts over plain http. Default false. */
  allowLoopback?: boolean;
  /** The time to compare a did.json's `revoked` and `expires` with, Unix milliseconds. Default the system's clock. */
  now?: number;
  /** Also accepts a DNS TXT record for a did:web of a bare domain. Absent: only did.json counts. */
  resolveTxt?: ResolveTxt | undefined;
};
