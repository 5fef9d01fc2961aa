import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import {
  type AppRegistryClient,
  AppRegistryError,
  type CanonicalDid,
  type Deployment,
  type IssuerState,
  type SignedAttestation,
} from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import type { Sender } from "../sending/sender.ts";
import type { Spender } from "../sending/spendingCap.ts";
import type { Statement } from "./statementKinds.ts";

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

/** Error for an account that may not attest on this deployment's resolver. A retired issuer may still revoke. */
export class NotAnIssuerError extends AppRegistryError {
  override readonly name = "NotAnIssuerError";
  readonly state: IssuerState;

  constructor(state: IssuerState, resolver: Address) {
    super(sentences[state.status](state, resolver), {
      action:
        state.status === "unknown"
          ? "Ask the resolver's owner to add it with addIssuer, or configure the key of an authorised issuer."
          : "Configure the key of an active issuer. An address can't be added again.",
      docsPath: "/issuer#start",
    });
    this.state = state;
  }
}

const notAdded = ({ issuer }: IssuerState, resolver: Address) =>
  `Account ${issuer} is not an authorised issuer in resolver ${resolver}.`;

const sentences: Record<IssuerState["status"], (state: IssuerState, resolver: Address) => string> = {
  unknown: notAdded,
  // An active issuer gets here only if a reorganization occurs between two reads of the chain.
  active: notAdded,
  retired: ({ issuer }, resolver) =>
    `The account ${issuer} has been retired as an issuer in resolver ${resolver}. It can revoke, but no longer attest.`,
  distrusted: ({ issuer, distrustedSince = 0 }, resolver) =>
    `The account ${issuer} has been distrusted by the owner of resolver ${resolver}. Its statements since ` +
    `${new Date(distrustedSince * 1_000).toISOString()} are void, and it can't make new ones.`,
};
