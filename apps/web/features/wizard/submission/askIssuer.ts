import {
  type AppRegistryClient,
  type AttestationAnswer,
  describeTransaction,
  prepareSignedAttestation,
  type SignedAttestation,
  sendSignedAttestation,
} from "@app-registry/sdk";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { formatFee } from "../../wallet/chain.ts";
import { costOf } from "./sendOrder.ts";

/** What bringing an issuer's signed attestation to the resolver needs, and whom it tells. */
export interface Carrying {
  /** Reads the chain. */
  client: AppRegistryClient;
  account: Address;
  /** Opens a client that signs as `account`. */
  openSigner: () => Promise<AppRegistryClient>;
  /** Transaction that was sent before, as far as is known. */
  sent: Hex | undefined;
  /** Takes the transaction once it is sent; undefined when it had no effect. */
  onSent: (transactionHash: Hex | undefined) => void;
  /** Takes what is happening, in a sentence. */
  onNote: (note: string) => void;
}

/**
 * Asks the issuer. Where it signs and sends nothing, has the wallet bring what it signed to the resolver, and asks
 * again: then the answer says what the resolver makes of it.
 * @throws TransactionRevertedError, RequestRejectedError and whatever else sending throws.
 */
export async function askIssuer(
  ask: () => Promise<AttestationAnswer>,
  carrying: Carrying,
): Promise<AttestationAnswer> {
  const answer = await ask();
  const [signed] = answer.signatures;
  if (signed === undefined) return answer;
  const hash = carrying.sent ?? (await carry(signed, carrying));
  carrying.onSent(hash);
  carrying.onNote("Sent; waiting for a block that holds the issuer's statement");
  try {
    await carrying.client.waitForReceipt({ hash });
  } catch (error) {
    // Trying again signs and sends anew; a statement that arrives twice does no harm.
    carrying.onSent(undefined);
    throw error;
  }
  const after = await ask();
  if (after.signatures.length > 0) carrying.onSent(undefined);
  return after;
}

async function carry(
  signed: SignedAttestation,
  { client, account, openSigner, onNote }: Carrying,
): Promise<Hex> {
  const call = prepareSignedAttestation(client, signed);
  const transaction = { to: call.address, data: encodeFunctionData(call) };
  const words = describeTransaction(transaction, client.deployment)?.sentence ?? "";
  const { gas, wei } = await costOf(client, call, account);
  const price = `about ${gas.toLocaleString("en")} gas, ${formatFee(wei)}`;
  onNote(`The issuer signed, and you send. Your wallet asks you to confirm: ${words} It costs ${price}.`);
  return sendSignedAttestation(await openSigner(), signed);
}
