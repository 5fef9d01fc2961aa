import type { GuardedFetch, ResolveTxt } from "@app-registry/outbound";
import type { CanonicalDid, Did } from "@app-registry/sdk";
import type { Address, Hex, PublicClient } from "viem";
import type { OwnershipMethod } from "./contractControl.ts";
import { isContractAccount, wrapRpcErrors } from "./contractReads.ts";
import type { KeyProperty } from "./verificationMethod.ts";

/** Evidence that a wallet controls a DID. */
export type DidControlEvidence =
  | { kind: "did-document"; url: string; methodId: string; property: KeyProperty }
  | {
      /** TXT record `record` at `name`, which contains the wallet. */
      kind: "dns-txt";
      name: string;
      record: string;
    }
  | {
      kind: "contract-owner";
      chainId: number;
      contract: Address;
      way: OwnershipMethod;
      /** ProxyAdmin or beacon that the wallet owns. */
      through?: Address;
      blockNumber: number;
    };

/** Stable reason code for control that is not proven. */
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

/** Attempted method, and the reason it does not prove control. */
export type DidControlAttempt = {
  way: string;
  reason: string;
  /** Account that controls the contract by this method instead of the wallet. */
  owner?: Address;
  /** Role that the wallet would need (OpenZeppelin's AccessControl). */
  missingRole?: Hex;
};

/** File or DNS record that has to be published so that the wallet controls a did:web. */
export type DidDocumentToPublish = {
  url: string;
  document: string;
  /** Equivalent TXT record, if the operator accepts DNS records. */
  txt?: { name: string; record: string };
};

export type DidControl =
  | { outcome: "pass"; did: CanonicalDid; controller: Address; evidence: DidControlEvidence }
  | ({ did: CanonicalDid; controller: Address } & DidControlFailure);

/** Result of a check that did not prove control. */
export type DidControlFailure = {
  /** `unknown` if a host did not respond. A later check may succeed. */
  outcome: "fail" | "unknown";
  code: DidControlFailureCode;
  /** Reason in one or two sentences for the publisher. */
  reason: string;
  ways: DidControlAttempt[];
  publish?: DidDocumentToPublish;
};

/** Result of checking control by one method. */
export type DidControlVerdict = { outcome: "pass"; evidence: DidControlEvidence } | DidControlFailure;

export type CheckDidControlParameters = {
  /** DID as entered, or parsed. */
  did: string | Did;
  /** Wallet whose control is checked. */
  controller: Address;
  guardedFetch: GuardedFetch;
  /** Returns a client of the registry's chain or that of a did:pkh, or `undefined` if the operator configured none. */
  chainClient: (chainId: number) => PublicClient | undefined;
  /** Chain ID of the registry, on which the wallet has to be an account. Also used in a proposed did.json. */
  chainId: number;
  /** Reads did.json of loopback hosts over plain http. Default false. */
  allowLoopback?: boolean;
  /** Time for `revoked` and `expires` in did.json, in Unix milliseconds. Default: the system's clock. */
  now?: number;
  /** Resolver that enables DNS TXT records for a did:web of a bare domain. Default: only did.json is accepted. */
  resolveTxt?: ResolveTxt | undefined;
};

/**
 * Returns the reason an account of another chain, or of none, may belong to someone else on the registry's chain, or
 * `undefined` if nothing indicates that. A key is the same account on every chain. A contract account is valid only on
 * its own chain, because anyone may be able to deploy another contract at the same address elsewhere.
 * @param named Chain of the account. It is also read if the operator configured its RPC.
 * @throws {RpcUnavailableError} if one of the chains does not respond.
 */
export async function findForeignChainProblem(
  controller: Address,
  named: number | undefined,
  { chainClient, chainId }: Pick<CheckDidControlParameters, "chainClient" | "chainId">,
): Promise<{ code: DidControlFailureCode; reason: string } | undefined> {
  const registry = chainClient(chainId);
  if (!registry) return { code: "chain-not-configured", reason: formatMissingRpc(chainId) };
  const other = named === undefined ? undefined : chainClient(named);
  for (const client of other ? [registry, other] : [registry]) {
    const blockNumber = await wrapRpcErrors(client.getBlockNumber({ cacheTime: 0 }));
    if (!(await isContractAccount({ client, address: controller, blockNumber }))) continue;
    const reason =
      `${controller} is a contract account${client === other ? ` on chain ${named}` : ""}, but the DID document does not list it as an ` +
      `account on chain ${chainId}, the registry's chain. The same contract address can belong to different accounts on different chains.`;
    return { code: "contract-account-elsewhere", reason };
  }
  return undefined;
}

/** Formats the message for a chain without a configured RPC. */
export function formatMissingRpc(chainId: number): string {
  return `This server can't read chain ${chainId}. Its operator must set RPC_URL_${chainId}.`;
}
