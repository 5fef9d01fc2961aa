import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { CanonicalDid, Did } from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import type { OwnerWay } from "./contractControl.ts";
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
      way: OwnerWay;
      /** The ProxyAdmin or beacon whose owner it is. */
      through?: Address;
      blockNumber: number;
    };

/** Stable name of the reason why control is not proven. */
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

/** One way that was tried, and why it does not prove control. */
export type DidControlWay = { way: string; reason: string };

/** What a publisher has to publish so that the wallet controls its did:web: the file, or the DNS record. */
export type DidDocumentToPublish = {
  url: string;
  document: string;
  /** The TXT record that does the same, where the operator takes one. */
  txt?: { name: string; record: string };
};

export type DidControl =
  | { outcome: "pass"; did: CanonicalDid; controller: Address; evidence: DidControlEvidence }
  | ({ did: CanonicalDid; controller: Address } & DidControlFailure);

/** Control is not proven. */
export type DidControlFailure = {
  /** `unknown`: a host did not answer, so nothing is known; asking again later may succeed. */
  outcome: "fail" | "unknown";
  code: DidControlFailureCode;
  /** One or two sentences for the publisher. */
  reason: string;
  ways: DidControlWay[];
  publish?: DidDocumentToPublish;
};

/** What came of one way of proving control. */
export type DidControlVerdict = { outcome: "pass"; evidence: DidControlEvidence } | DidControlFailure;

export type CheckDidControlParameters = {
  /** A DID as a person types it, or parsed before. */
  did: string | Did;
  /** The wallet that is to control it. */
  controller: Address;
  guardedFetch: GuardedFetch;
  /** A client of a chain, the registry's or one that a did:pkh names; undefined when the operator configured none. */
  chainClient: (chainId: number) => PublicClient | undefined;
  /** The registry's chain: the one on which the wallet is to count, and that a proposed did.json names. */
  chainId: number;
  /** Reads did.json of loopback hosts over plain http. Default false. */
  allowLoopback?: boolean;
  /** The time by which a did.json's `revoked` and `expires` are judged, Unix milliseconds. Default the system's clock. */
  now?: number;
  /** Takes a DNS TXT record for a did:web of a bare domain as well. Absent: only did.json counts. */
  resolveTxt?: ResolveTxt | undefined;
};
