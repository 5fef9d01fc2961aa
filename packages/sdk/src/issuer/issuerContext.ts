import type { Address, LocalAccount, PublicClient } from "viem";
import type { AppRegistryClient } from "../client/index.ts";
import type { Deployment } from "../deployment.ts";
import type { Sender } from "./attestationSender.ts";
import type { GuardedFetch } from "./guardedFetch.ts";

export type CreateIssuerOptions = {
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
  /** Milliseconds to wait for a receipt before answering `pending`. Default 30,000. */
  receiptTimeout?: number;
};

/** What the parts of an issuer share. */
export type IssuerContext = Required<Omit<CreateIssuerOptions, "account" | "receiptTimeout">> & {
  client: AppRegistryClient;
  issuer: Address;
  send: Sender;
};
