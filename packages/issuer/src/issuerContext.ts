import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { AppRegistryClient, CanonicalDid, Deployment, SignedAttestation } from "@app-registry/sdk";
import type { Address, LocalAccount, PublicClient } from "viem";
import type { RevalidationEvent } from "./revalidation/revalidationEvent.ts";
import type { OpenRevalidationStore } from "./revalidation/revalidationStore.ts";
import type { IssuerEvent } from "./sending/issuerEvent.ts";
import type { Sender, SenderOptions } from "./sending/sender.ts";
import type { Spender } from "./sending/spendingCap.ts";
import type { OpenTransactionStore } from "./sending/transactionStore.ts";

/** `send`: the issuer sends and pays. `sign`: it signs, and the publisher sends and pays. */
export type IssuerMode = "send" | "sign";

export type RevalidationOptions = {
  /** Longest time between two checks of an attestation, in milliseconds. Default 30 days. */
  period?: number;
  /**
   * Where checks are stored. Default: in this process's memory. `createPostgresRevalidationStore` lets any number of
   * processes share them.
   */
  openStore?: OpenRevalidationStore;
  /** Milliseconds between two requests to a host. Default 10,000. */
  hostSpacing?: number;
  /** Milliseconds between two passes. Default 30,000. */
  passInterval?: number;
  /** Most attestations that one pass checks. Default 40. */
  passLimit?: number;
};

export type CreateIssuerOptions = Omit<SenderOptions, "onEvent"> & {
  /** The issuer's key: any viem account that signs transactions, including one whose key is in a KMS. */
  account: LocalAccount;
  deployment: Deployment;
  /** Reads and sends on the deployment's chain. */
  publicClient: PublicClient;
  guardedFetch: GuardedFetch;
  /** Clients of further chains that a did:pkh may name. */
  chainClient?: (chainId: number) => PublicClient | undefined;
  /** Allows loopback hosts for did:web. For local stacks only. Default false. */
  allowLoopback?: boolean;
  /** Default `send`. */
  mode?: IssuerMode;
  /**
   * Where open transactions are stored. Default: in this process's memory, so no other process may send with the key.
   * `createPostgresTransactionStore` lets any number of processes share it.
   */
  openStore?: OpenTransactionStore;
  /** Also accepts DNS TXT records for did:web, see `createTxtResolver`. Default: only did.json. */
  resolveTxt?: ResolveTxt | undefined;
  /** Milliseconds to wait for a receipt before answering `pending`. Default 30,000. */
  receiptTimeout?: number;
  /** The time, Unix milliseconds, by which keys expire and checks are due. Default the system's clock. */
  now?: () => number;
  /** Revalidates attestations after `revalidation.start()`. Default: none. */
  revalidation?: RevalidationOptions | undefined;
  /** Receives events for the operator's log. */
  onEvent?: (event: IssuerEvent | RevalidationEvent) => void;
};

/** What to attest. */
export type Statement =
  | { schema: "did-ownership"; did: CanonicalDid; controller: `0x${string}` }
  | { schema: "data-hash"; did: CanonicalDid; dataHash: `0x${string}` };

/** How an issuer attests: it sends transactions, or returns signatures. */
export type AttestationChannel =
  | { mode: "send"; sender: Sender; spender: Spender }
  | { mode: "sign"; sign: (statement: Statement) => Promise<SignedAttestation> };

/** What the parts of an issuer share. */
export type IssuerContext = Required<
  Pick<
    CreateIssuerOptions,
    "deployment" | "publicClient" | "guardedFetch" | "chainClient" | "allowLoopback" | "now"
  >
> & {
  resolveTxt: ResolveTxt | undefined;
  client: AppRegistryClient;
  issuer: Address;
  attesting: AttestationChannel;
  /** Called before a host or contract is read for a request. */
  beforeCheck?: () => Promise<void>;
  /** Keeps the DID of what is attested, so that it can be checked again: the chain knows its hash alone. */
  rememberDid: (did: CanonicalDid) => Promise<void>;
};
