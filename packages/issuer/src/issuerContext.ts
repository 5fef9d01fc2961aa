import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { AppRegistryClient, CanonicalDid, Deployment, SignedAttestation } from "@app-registry/sdk";
import type { Address, LocalAccount, PublicClient } from "viem";
import type { RevalidationEvent } from "./revalidation/revalidationEvent.ts";
import type { OpenRevalidationStore } from "./revalidation/revalidationStore.ts";
import type { IssuerEvent } from "./sending/issuerEvent.ts";
import type { Sender, SenderOptions } from "./sending/sender.ts";
import type { Spender } from "./sending/spendingCap.ts";
import type { OpenTransactionStore } from "./sending/transactionStore.ts";

/** Mode of an issuer. `send`: it sends and pays. `sign`: it signs, and the publisher submits and pays. */
export type IssuerMode = "send" | "sign";

export type RevalidationOptions = {
  /** Maximum time between two checks of an attestation, in milliseconds. Default 30 days. */
  period?: number;
  /**
   * Store of the checks. Default: memory of this process. With `createPostgresRevalidationStore`, any number of
   * processes can share it.
   */
  openStore?: OpenRevalidationStore;
  /** Minimum pause between two requests to a host, in milliseconds. Default 10,000. */
  hostSpacing?: number;
  /** Interval between two passes, in milliseconds. Default 30,000. */
  passInterval?: number;
  /** Maximum number of attestations to check per pass. Default 40. */
  passLimit?: number;
};

export type CreateIssuerOptions = Omit<SenderOptions, "onEvent"> & {
  /** Account of the issuer: any viem account that can sign transactions. Its key may be in a KMS. */
  account: LocalAccount;
  deployment: Deployment;
  /** Client of the deployment's chain, for reading and sending. */
  publicClient: PublicClient;
  guardedFetch: GuardedFetch;
  /** Returns the client of another chain, for did:pkh. */
  chainClient?: (chainId: number) => PublicClient | undefined;
  /** Allows loopback hosts for did:web. Only for local development. Default false. */
  allowLoopback?: boolean;
  /** Mode of the issuer. Default `send`. */
  mode?: IssuerMode;
  /**
   * Store of the open transactions. Default: memory of this process, so that no other process may send with the key.
   * With `createPostgresTransactionStore`, any number of processes can share it.
   */
  openStore?: OpenTransactionStore;
  /** Resolver that enables DNS TXT records for did:web, see `createTxtResolver`. Default: only did.json is accepted. */
  resolveTxt?: ResolveTxt | undefined;
  /** Time to wait for a receipt before the outcome is `pending`, in milliseconds. Default 30,000. */
  receiptTimeout?: number;
  /** Clock for the expiry of keys and for due checks, in Unix milliseconds. Default: the system's clock. */
  now?: () => number;
  /** Options of the revalidation, which begins with `revalidation.start()`. Default: no revalidation. */
  revalidation?: RevalidationOptions | undefined;
  /** Receives events for the operator's log. */
  onEvent?: (event: IssuerEvent | RevalidationEvent) => void;
};

/** Statement to attest. */
export type Statement =
  | { schema: "did-ownership"; did: CanonicalDid; controller: `0x${string}` }
  | { schema: "data-hash"; did: CanonicalDid; dataHash: `0x${string}` };

/** Channel by which an issuer attests: transactions that it sends, or signatures that it returns. */
export type AttestationChannel =
  | { mode: "send"; sender: Sender; spender: Spender }
  | { mode: "sign"; sign: (statement: Statement) => Promise<SignedAttestation> };

/** Context shared by the parts of an issuer. */
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
  /** Called before a request reads a host or a contract. */
  beforeCheck?: () => Promise<void>;
  /** Saves the DID of an attestation for later checks, because the chain has only its hash. */
  rememberDid: (did: CanonicalDid) => Promise<void>;
};
