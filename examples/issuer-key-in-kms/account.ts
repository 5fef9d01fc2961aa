import { createPublicKey } from "node:crypto";
import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import {
  bytesToHex,
  type Hash,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  numberToHex,
  recoverAddress,
  serializeSignature,
  serializeTransaction,
} from "viem";
import { publicKeyToAddress, toAccount } from "viem/accounts";

/**
 * Opens the issuer's account for ISSUER_ACCOUNT_MODULE. Its key (ECC_SECG_P256K1) never leaves AWS KMS. KMS_KEY_ID
 * identifies the key; the AWS SDK finds region and credentials as usual.
 */
export default async function openAccount(): Promise<LocalAccount> {
  const KeyId = process.env.KMS_KEY_ID;
  if (!KeyId) throw new Error("KMS_KEY_ID is not set");
  const kms = new KMSClient();
  const { PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId }));
  if (!der) throw new Error("KMS returned no public key");
  const address = toAccountAddress(der);

  const sign = async (hash: Hash) => {
    const { Signature } = await kms.send(
      new SignCommand({
        ...{ KeyId, Message: hexToBytes(hash), MessageType: "DIGEST", SigningAlgorithm: "ECDSA_SHA_256" },
      }),
    );
    if (!Signature) throw new Error("KMS returned no signature");
    const { r, s } = lowSignature(Signature);
    // Try both values of yParity, because KMS does not return it.
    for (const yParity of [0, 1]) {
      const signature = { r, s, yParity, v: BigInt(27 + yParity) };
      const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
      if (signer && isAddressEqual(signer, address)) return signature;
    }
    throw new Error("KMS signed with another key");
  };
  return toAccount({
    address,
    sign: async ({ hash }) => serializeSignature(await sign(hash)),
    signMessage: async ({ message }) => serializeSignature(await sign(hashMessage(message))),
    signTypedData: async (typedData) => serializeSignature(await sign(hashTypedData(typedData))),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const signature = await sign(keccak256(await serializer(transaction)));
      return (await serializer(transaction, signature)) as Hex;
    },
  }) as LocalAccount;
}

/** Converts a public key (DER, RFC 5480) to the address of its account. */
function toAccountAddress(der: Uint8Array) {
  const key = createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" });
  const { crv, x = "", y = "" } = key.export({ format: "jwk" });
  if (crv !== "secp256k1") throw new Error("The key in KMS is not ECC_SECG_P256K1");
  const point = [x, y].map((coordinate) => Buffer.from(coordinate, "base64url"));
  return publicKeyToAddress(bytesToHex(Buffer.concat([Buffer.from([4]), ...point])));
}

/**
 * Converts a signature (DER, RFC 3279) to one with the lower s, which Ethereum requires (EIP-2). KMS returns either.
 */
function lowSignature(der: Uint8Array): { r: Hex; s: Hex } {
  const signature = secp256k1.Signature.fromBytes(der, "der");
  const s = signature.hasHighS() ? secp256k1.Point.Fn.ORDER - signature.s : signature.s;
  return { r: numberToHex(signature.r, { size: 32 }), s: numberToHex(s, { size: 32 }) };
}
