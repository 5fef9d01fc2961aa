import { type Deployment, decodeContractRevert } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { issuerStatuses } from "@app-registry/sdk/internal";
import { Interface, isCallException } from "ethers";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";
import type { IResolver } from "../../packages/sdk/generated/ethers/ResolverWithStore.ts";
import type { Network } from "./openNetwork.ts";
import { ScriptError } from "./runScript.ts";

const resolverInterface = new Interface(resolverAbi);

/** Unix seconds as a person reads them. */
const isoTime = (seconds: bigint): string =>
  new Date(Number(seconds) * 1_000).toISOString().replace(".000Z", "Z");

/** Life that distrust leaves to what may have been written over since, in seconds. */
const DISTRUSTED_LIFE = 30n * 86_400n;

/** What the owner of a resolver, or the account that is offered it, does by script; and the effect in words. */
const effects = {
  addIssuer: (issuer) => `authorises ${issuer} as an issuer`,
  retireIssuer: (issuer) =>
    `ends the right of ${issuer} to attest, for good. What it attested lives on until it expires, and it may still ` +
    "revoke that",
  distrustIssuer: (issuer, since) =>
    `voids what ${issuer} stated at ${isoTime(BigInt(since))} or later, and ends its right to state anything. ` +
    "Attestations that began since then stop counting at once; its revocations since then are ignored, honest ones " +
    `too; what it may have renewed since then expires by ${isoTime(BigInt(since) + DISTRUSTED_LIFE)}. This can't be ` +
    "undone, only moved to an earlier time. It does not undo what others did on the strength of its word: records " +
    "that were minted or changed, and controllers that were ousted",
  endDIDAttestation: (didHash, controller, issuer) =>
    `ends what ${issuer} attested of ${controller} for the DID with the hash ${didHash}, for good`,
  endDataHashAttestation: (didHash, dataHash, issuer) =>
    `ends what ${issuer} attested of the document ${dataHash} for the DID with the hash ${didHash}, for good`,
  transferOwnership: (account) => `offers the ownership of the resolver to ${account}, who must accept it`,
  acceptOwnership: () => "takes over the ownership of the resolver",
} as const satisfies Record<string, (...args: string[]) => string>;

/** A call of the resolver. */
export interface ResolverCall {
  name: keyof typeof effects;
  args: readonly (Hex | bigint)[];
  /** The account that may make it. */
  from: string;
}

/**
 * Makes a call of the resolver, when the network has the key of the account that may; else prints the transaction for
 * whoever has it, such as the signers of a multisig. Either way it is tried first, without being sent.
 * @throws {ScriptError} When the contract would refuse the call.
 */
export async function callResolver(
  { connection, signers, name, chainId }: Network,
  deployment: Deployment,
  call: ResolverCall,
  print: (line: string) => void,
): Promise<void> {
  const to = deployment.contracts.ResolverWithStore.address;
  const data = resolverInterface.encodeFunctionData(call.name, call.args) as Hex;
  const describe: (...args: string[]) => string = effects[call.name];
  const effect = describe(...call.args.map(String));
  await tryCall(connection, { from: call.from, to, data });
  const signer = signers.find(({ address }) => address === call.from);
  if (signer) {
    const transaction = await signer.sendTransaction({ to, data });
    await transaction.wait();
    print(`${transaction.hash} ${effect}.`);
    return;
  }
  print(`Nothing was sent: network ${name} has no key of ${call.from}. Propose this transaction there:`);
  print(`  chain     ${chainId}`);
  print(`  to        ${to}`);
  print("  value     0");
  print(`  calldata  ${data}`);
  print(`  calls     ${call.name}(${call.args.join(", ")})`);
  print(`  effect    ${effect}`);
}

/** Who owns the resolver, and whom it is offered to. */
export async function readOwnership({ ethers }: NetworkConnection, { contracts }: Deployment) {
  const resolver = await ethers.getContractAt("ResolverWithStore", contracts.ResolverWithStore.address);
  const [owner, pending] = await Promise.all([resolver.owner(), resolver.pendingOwner()]);
  return { owner, pendingOwner: BigInt(pending) === 0n ? undefined : pending };
}

/** One line for {@link readOwnership}. */
export function ownershipLine({ owner, pendingOwner }: Awaited<ReturnType<typeof readOwnership>>): string {
  const offer = pendingOwner ? `; offered to ${pendingOwner}, who has not accepted yet` : "";
  return `Owner ${owner}${offer}`;
}

/** One line for what the owner of a resolver made of an issuer. */
export function issuerLine({
  issuer,
  status,
  addedAt,
  distrustedSince,
  seatFreeAt,
}: IResolver.IssuerViewStructOutput): string {
  const word = issuerStatuses[Number(status)] ?? issuerStatuses[0];
  if (word === "active") return `${issuer}  active since ${isoTime(addedAt)}`;
  const since = word === "distrusted" ? ` since ${isoTime(distrustedSince)}` : "";
  const seat = seatFreeAt === 0n ? "its seat is free" : `its seat is free from ${isoTime(seatFreeAt)}`;
  return `${issuer}  ${word}${since}; ${seat}`;
}

async function tryCall({ ethers }: NetworkConnection, transaction: { from: string; to: string; data: Hex }) {
  try {
    await ethers.provider.call(transaction);
  } catch (error) {
    const data = revertData(error);
    const refusal = data && decodeContractRevert(data);
    if (!refusal) throw error;
    throw new ScriptError(
      `The resolver would refuse this: ${[refusal.shortMessage, refusal.action ?? ""].join(" ")}`,
    );
  }
}

/** The data of a custom error, as ethers or the node's own error carries it. */
function revertData(error: unknown): Hex | undefined {
  const data: unknown = isCallException(error) ? error.data : (error as { data?: unknown }).data;
  return typeof data === "string" && data.startsWith("0x") ? (data as Hex) : undefined;
}
