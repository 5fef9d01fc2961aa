import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { AppRegistryClient, CanonicalDid, Deployment, SignedAttestation } from "@app-registry/sdk";
import type { Address, LocalAccount, PublicClient } from "viem";
import type { RevalidationEvent } from "./revalidation/revalidationEvent.ts";
import type { OpenRevalidationStore } from "./revalidation/revalidationStore.ts";
import type { IssuerEvent } from "./sending/issuerEvent.ts";
import type { Sender, SenderOptions } from "./sending/sender.ts";
import type { OpenTransactionStore } from "./sending/transactionStore.ts";

/** `send`: the issuer sends and pays. `sign`: it signs, and the publisher sends and pays. */
export type IssuerMode = "send" | "sign";

export type RevalidationOptions = {
  /** Longest time between two checks of an attestation, in milliseconds. Default 30 days. */
  period?: number;
  /**
   * Where checks are remembered. Default: in this process's memory; `createPostgresRevalidationStore` lets any number of
   * processes share them.
   */
  openStore?: OpenRevalidationStore;
  /** Milliseconds between two requests to a host. Default 10,000. */
  hostSpacing?: number;
  /** Milliseconds between two passes. Default 30,000. */
  passInterval?: number;
  /** Attestations that one pass looks at. Default 40. */
  passLimit?: number;
};

export type CreateIssuerOptions = Omit<SenderOptions, "onEvent"> & {
  /** The issuer's key: any viem account that signs transactions, also one whose key is in a KMS. */
  account: LocalAccount;
  deployment: Deployment;
  /** Reads and sends on the deployment's chain. */
  publicClient: PublicClient;
  guardedFetch: GuardedFetch;
  /** Clients of further chains that a did:pkh may name. */
  chainClient?: (chainId: number) => PublicClient | undefined;
  /** Takes loopback hosts for did:web. For local stacks only. Default false. */
  allowLoopback?: boolean;
  /** Default `send`. */
  mode?: IssuerMode;
  /**
   * Where open transactions are kept. Default: in this process's memory, so that no other one may send with the key;
   * `createPostgresTransactionStore` lets any number of processes share it.
   */
  openStore?: OpenTransactionStore;
  /** Takes DNS TXT records for did:web as well: see `createTxtResolver`. Default: did.json alone. */
  resolveTxt?: ResolveTxt | undefined;
  /** Milliseconds to wait for a receipt before answering `pending`. Default 30,000. */
  receiptTimeout?: number;
  /** The time, Unix milliseconds, by which keys expire and checks are due. Default the system's clock. */
  now?: () => number;
  /** Has what is attested checked again and again, once `revalidation.start()` is called. Default: nothing is. */
  revalidation?: RevalidationOptions | undefined;
  /** Takes what an operator wants to know. */
  onEvent?: (event: IssuerEvent | RevalidationEvent) => void;
};

/** What is to be attested. */
export type Statement =
  | { schema: "did-ownership"; did: CanonicalDid; controller: `0x${string}` }
  | { schema: "data-hash"; did: CanonicalDid; dataHash: `0x${string}` };

/** How an issuer puts down what it found: it sends transactions, or hands out signatures. */
export type Attesting =
  | { mode: "send"; sender: Sender }
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
  attesting: Attesting;
  /** Keeps the DID of what is attested, so that it can be checked again: the chain knows its hash alone. */
  rememberDid: (did: CanonicalDid) => Promise<void>;
};
