import { type Address, getAddress, isAddressEqual } from "viem";
import { createAppRegistryClient } from "../client/index.ts";
import { AppRegistryError, toAppRegistryError } from "../errors/index.ts";
import { type Attested, combine } from "./attestationOutcome.ts";
import { createSender } from "./attestationSender.ts";
import { attestDataHash } from "./attestDataHash.ts";
import { attestOwnership } from "./attestOwnership.ts";
import type { CreateIssuerOptions, IssuerContext } from "./issuerContext.ts";
import { createKeyedLock } from "./keyedLock.ts";
import {
  type VerifyAndAttestParameters,
  type VerifyAndAttestRequest,
  type VerifyAndAttestResult,
  verifyAndAttestRequestSchema,
} from "./verifyAndAttestSchema.ts";

export type Issuer = {
  address: Address;
  /**
   * Checks what the request names and attests it: see `VerifyAndAttestResult` for the outcomes. The same request at
   * the same time is answered once, and one DID is worked on once at a time.
   * @throws ZodError for a malformed request, AppRegistryError (retryable) when the chain does not answer: that
   * never reads as "not attested".
   */
  verifyAndAttest(parameters: VerifyAndAttestParameters): Promise<VerifyAndAttestResult>;
};

/** The account may not attest on this deployment's resolver. */
export class NotAnIssuerError extends AppRegistryError {
  override readonly name = "NotAnIssuerError";

  constructor(account: Address, resolver: Address) {
    super(`${account} is not an authorised issuer of the resolver ${resolver}.`, {
      action: "Have the resolver's owner add it with addIssuer, or configure an authorised key.",
      docsPath: "/issuer#start",
    });
  }
}

/**
 * Creates an issuer.
 * @throws NotAnIssuerError when the account is not authorised now, AppRegistryError when the client's chain is not
 * the deployment's, RpcUnavailableError when it does not answer.
 */
export async function createIssuer(options: CreateIssuerOptions): Promise<Issuer> {
  const { account, deployment, publicClient, guardedFetch, allowLoopback = false } = options;
  const { receiptTimeout = 30_000, chainClient = () => undefined } = options;
  const client = createAppRegistryClient({ deployment, publicClient });
  const address = getAddress(account.address);

  const chainId = await publicClient.getChainId().catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  if (chainId !== deployment.chainId) {
    throw new AppRegistryError(
      `The RPC serves chain ${chainId}; the deployment is on chain ${deployment.chainId}.`,
    );
  }
  const issuers = await client.getIssuers();
  if (!issuers.some((issuer) => isAddressEqual(issuer, address))) {
    throw new NotAnIssuerError(address, deployment.contracts.ResolverWithStore.address);
  }

  const send = createSender({ client, publicClient, account, chainId, receiptTimeout });
  const context: IssuerContext = {
    client,
    deployment,
    publicClient,
    guardedFetch,
    allowLoopback,
    issuer: address,
    send,
    chainClient: (id) => (id === chainId ? publicClient : chainClient(id)),
  };

  const lock = createKeyedLock();
  const running = new Map<string, Promise<VerifyAndAttestResult>>();
  return {
    address,
    async verifyAndAttest(parameters) {
      const request = verifyAndAttestRequestSchema.parse(parameters);
      const key = JSON.stringify(request);
      const current = running.get(key) ?? lock(request.did, () => verifyAndAttest(context, request));
      running.set(key, current);
      return current.finally(() => running.delete(key));
    },
  };
}

async function verifyAndAttest(
  context: IssuerContext,
  request: VerifyAndAttestRequest,
): Promise<VerifyAndAttestResult> {
  const outcomes: Attested[] = [];
  for (const schema of request.requiredSchemas) {
    const attest = schema === "did-ownership" ? attestOwnership : attestDataHash;
    const outcome = await attest(context, request);
    outcomes.push(outcome);
    if (outcome.status === "failed" || outcome.status === "pending") break;
  }
  return combine(outcomes);
}
