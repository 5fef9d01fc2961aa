import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "@app-registry/test-kit/listen";
import { secp256k1 } from "@noble/curves/secp256k1.js";

/** KMS with one key, in the JSON protocol of AWS (awsJson1.1). */
export type KmsServer = Awaited<ReturnType<typeof startKms>>;

const KEY_ID = "alias/issuer";

/** Starts a KMS with a generated key. Every second signature has the higher s, which AWS returns half of the time. */
export async function startKms(namedCurve = "secp256k1") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });
  /** Numbers of signatures with the lower and with the higher of the two valid values of s. */
  const signed = { low: 0, high: 0 };
  let refusing = false;
  const operations: Record<string, (body: Record<string, string>) => Record<string, string>> = {
    GetPublicKey: () => ({ PublicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64") }),
    Sign({ Message = "", MessageType, SigningAlgorithm }) {
      if (MessageType !== "DIGEST" || SigningAlgorithm !== "ECDSA_SHA_256")
        throw new Error("ValidationException");
      const isHigh = (signed.low + signed.high) % 2 === 1;
      signed[isHigh ? "high" : "low"] += 1;
      const der = signDigest(privateKey, Buffer.from(Message, "base64"), isHigh);
      return { Signature: Buffer.from(der).toString("base64"), SigningAlgorithm };
    },
  };
  const server = createServer(async (request, response) => {
    const operation = String(request.headers["x-amz-target"]).replace("TrentService.", "");
    const body = (await json(request)) as Record<string, string>;
    const answer = (status: number, content: unknown) =>
      response
        .writeHead(status, { "content-type": "application/x-amz-json-1.1" })
        .end(JSON.stringify(content));
    try {
      if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 "))
        throw new Error("MissingAuthenticationTokenException");
      if (body.KeyId !== KEY_ID) throw new Error("NotFoundException");
      if (refusing) throw new Error("AccessDeniedException");
      answer(200, { KeyId: KEY_ID, ...operations[operation]?.(body) });
    } catch (error) {
      answer(400, { __type: (error as Error).message, message: "arn:aws:kms:secret-account" });
    }
  });
  const { origin, close } = await listen(server);
  return {
    url: origin,
    keyId: KEY_ID,
    signed,
    /** Sets whether the KMS refuses to sign. */
    refuse: (isRefusing: boolean) => {
      refusing = isRefusing;
    },
    close,
  };
}

/** Signs a digest. Node's own signing would hash it again. */
function signDigest(privateKey: KeyObject, digest: Uint8Array, isHigh: boolean): Uint8Array {
  const secret = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  const signature = secp256k1.Signature.fromBytes(secp256k1.sign(digest, secret, { prehash: false }));
  const { r, s } = signature;
  const { ORDER } = secp256k1.Point.Fn;
  return new secp256k1.Signature(r, isHigh ? ORDER - s : s).toBytes("der");
}
