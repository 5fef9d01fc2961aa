import {
  type AppRegistryClient,
  ContractRevertError,
  createAppRegistryClient,
  type Deployment,
  type IssuerState,
  toAppRegistryError,
} from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { isoTime } from "@app-registry/sdk/internal";
import { Interface } from "ethers";
import { createPublicClient, custom, type Hex } from "viem";
import { call } from "viem/actions";
import { type Network, oneSentence } from "./openNetwork.ts";

/** Descriptions of the calls by a resolver's owner, or by the account offered the ownership. */
const effects = {
  addIssuer: (issuer) => `authorises ${issuer} as an issuer`,
  retireIssuer: (issuer) =>
    `ends the right of ${issuer} to attest, for good. What it attested lives on until it expires, and it may still ` +
    "revoke that",
  distrustIssuer: (issuer, since) =>
    `voids what ${issuer} stated at ${isoTime(BigInt(since))} or later, and ends its right to state anything. ` +
    "Attestations that began since then are void at once; its revocations since then are ignored, honest ones " +
    "too; what it lengthened since then expires 23 days after the first distrust at the latest. This can't be undone, " +
    "only moved to an earlier time. It does not undo what others did on the strength of its word: records that were " +
    "minted or changed, controllers that were removed, and blocks",
  endDIDAttestation: (didHash, controller, issuer) =>
    `ends what ${issuer} attested of ${controller} for the DID with the hash ${didHash}, for good`,
  endDataHashAttestation: (didHash, dataHash, issuer) =>
    `ends what ${issuer} attested of the document ${dataHash} for the DID with the hash ${didHash}, for good`,
  transferOwnership: (account) => `offers the ownership of the resolver to ${account}, who must accept it`,
  acceptOwnership: () => "takes over the ownership of the resolver",
} as const satisfies Record<string, (...args: string[]) => string>;

export type ResolverCall = { name: keyof typeof effects; args: readonly (Hex | bigint)[] };

/** Returns a client of the SDK for a deployment. */
export function createClient({ connection }: Network, deployment: Deployment): AppRegistryClient {
  const publicClient = createPublicClient({ transport: custom(connection.provider) });
  return createAppRegistryClient({ deployment, publicClient });
}

/**
 * Sends a call of the resolver if the network has the key of the authorised account. Otherwise prints the transaction
 * for that account, such as a multisig. Simulates the call first in both cases.
 * @throws Error if the contract would refuse the call.
 */
export async function callResolver(
  network: Network,
  deployment: Deployment,
  { name, args }: ResolverCall,
  from: string,
  print: (line: string) => void,
): Promise<void> {
  const to = deployment.contracts.ResolverWithStore.address;
  const data = new Interface(resolverAbi).encodeFunctionData(name, args) as Hex;
  const describe: (...args: string[]) => string = effects[name];
  const effect = describe(...args.map(String));
  const { publicClient } = createClient(network, deployment);
  await call(publicClient, { account: from as Hex, to, data }).catch((error: unknown) => {
    const refusal = toAppRegistryError(error);
    if (!(refusal instanceof ContractRevertError)) throw error;
    throw new Error(`The resolver would refuse this: ${oneSentence(refusal)}`);
  });
  const signer = network.signers.find(({ address }) => address === from);
  if (signer) {
    const transaction = await signer.sendTransaction({ to, data });
    await transaction.wait();
    print(`${transaction.hash} ${effect}.`);
    return;
  }
  print(
    `Nothing was sent: network ${network.name} has no key of ${from}. Propose this transaction to that account:`,
  );
  const calls = `${name}(${args.join(", ")})`;
  const proposal = { chain: network.chainId, to, value: 0, calldata: data, calls, effect };
  for (const [label, value] of Object.entries(proposal)) print(`  ${label.padEnd(8)}  ${value}`);
}

/** Reads the owner of the resolver, and the account that the ownership is offered to. */
export async function readOwnership({ connection }: Network, { contracts }: Deployment) {
  const { address } = contracts.ResolverWithStore;
  const resolver = await connection.ethers.getContractAt("ResolverWithStore", address);
  const [owner, pending] = await Promise.all([resolver.owner(), resolver.pendingOwner()]);
  const pendingOwner = BigInt(pending) === 0n ? undefined : pending;
  const offer = pendingOwner ? `; offered to ${pendingOwner}, who has not accepted yet` : "";
  return { owner, pendingOwner, line: `Owner ${owner}${offer}` };
}

export function issuerLine(state: IssuerState): string {
  const { issuer, status, addedAt = 0, distrustedSince, seatFreeAt = 0 } = state;
  if (status === "active") return `${issuer}  active since ${isoTime(addedAt)}`;
  const since = distrustedSince === undefined ? "" : ` since ${isoTime(distrustedSince)}`;
  const seat = seatFreeAt === 0 ? "its seat is free" : `its seat is free from ${isoTime(seatFreeAt)}`;
  return `${issuer}  ${status}${since}; ${seat}`;
}
