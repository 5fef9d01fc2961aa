import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { AppRegistryClient, CanonicalDid, Deployment, SignedAttestation } from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import type { Sender } from "../sending/sender.ts";
import type { Spender } from "../sending/spendingCap.ts";

/** Statement to attest. */
export type Statement =
  | { schema: "did-ownership"; did: CanonicalDid; controller: `0x${string}` }
  | { schema: "data-hash"; did: CanonicalDid; dataHash: `0x${string}` };

/** Channel by which an issuer attests: transactions that it sends, or signatures that it returns. */
export type AttestationChannel =
  | { mode: "send"; sender: Sender; spender: Spender }
  | { mode: "sign"; sign: (statement: Statement) => Promise<SignedAttestation> };

/** Request of a check to a host or a contract. */
export type CheckRequest<Result> = {
  send: () => Promise<Result>;
  /** URL of a document. Without it, the request goes to the host or the contract of the DID. */
  url?: string | undefined;
  /** Returns true if the host or the contract of the DID names the wallet. */
  provesControl?: (result: Result) => boolean;
};

/** Sends the requests of checks, for example in turn. An error that it throws ends the check. */
export type SendCheck = <Result>(request: CheckRequest<Result>) => Promise<Result>;

/** Context shared by the parts of an issuer. */
export type IssuerContext = {
  deployment: Deployment;
  publicClient: PublicClient;
  guardedFetch: GuardedFetch;
  chainClient: (chainId: number) => PublicClient | undefined;
  allowLoopback: boolean;
  now: () => number;
  resolveTxt: ResolveTxt | undefined;
  client: AppRegistryClient;
  issuer: Address;
  attesting: AttestationChannel;
  sendCheck: SendCheck;
  /** Saves the DID of an attestation for later checks, because the chain has only its hash. */
  rememberDid: (did: CanonicalDid) => Promise<void>;
};
