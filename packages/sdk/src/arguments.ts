import { isAddress, isHash, isHex } from "viem/utils";
import { InvalidArgumentError, isPrivateKey } from "./errors/appRegistryError.ts";

/** Expected value of an argument, for the error message, and its check. */
type Kind = readonly [expected: string, check: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === "string" && !isPrivateKey(value);
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isFunction = (value: unknown) => typeof value === "function";
const isAddressText = (value: unknown) => typeof value === "string" && isAddress(value, { strict: false });
const isHashText = (value: unknown) => typeof value === "string" && isHash(value);
const isWhole = (lowest: number, highest: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= lowest && (value as number) <= highest;
const isCount = isWhole(0, Number.MAX_SAFE_INTEGER);
const isUrl = (value: unknown) =>
  isText(value) && /^https?:\/\//i.test(String(value)) && URL.canParse(String(value));

const address: Kind = ["an address, 0x and 40 hexadecimal digits", isAddressText];
const text: Kind = ["a text that is not a private key", isText];
const callback: Kind = ["a function", isFunction];
const flag: Kind = ["true or false", (value) => typeof value === "boolean"];
const amount: Kind = ["a bigint from 0n", (value) => typeof value === "bigint" && value >= 0n];
const time: Kind = ["Unix seconds, a whole number from 0", isCount];
const hash: Kind = ["a hash, 0x and 64 hexadecimal digits", isHashText];
const algorithm: Kind = ["0 (keccak256) or 1 (sha256)", isWhole(0, 1)];
const object: Kind = ["an object", isObject];

const signed = [
  ["issuer", isAddressText],
  ["statedAt", time[1]],
  ["deadline", time[1]],
  ["signature", isHex],
] as const;

/** Checks by the name of the argument, which has the same meaning in every function. */
const kinds: Readonly<Record<string, Kind>> = {
  did: ["a DID, such as did:web:example.com", isText],
  successor: ["a DID, such as did:web:example.com", isText],
  major: ["a whole number from 0 to 255", isWhole(0, 255)],
  latestMajor: ["a whole number from 0 to 255", isWhole(0, 255)],
  interfaces: ["0, or a sum of 1 (Human), 2 (API) and 4 (Contract)", isWhole(0, 7)],
  status: ["0 (Active), 1 (Deprecated) or 2 (Replaced)", isWhole(0, 2)],
  ...{ controller: address, owner: address, incumbent: address, challenger: address, claimant: address },
  ...{ address, issuer: address, from: address, to: address, pointer: address, connectedAddress: address },
  account: [
    "an address, or a viem account",
    (value) =>
      isAddressText(value) || (isObject(value) && isAddressText((value as { address?: unknown }).address)),
  ],
  ...{ hash, dataHash: hash, dataHashAlgorithm: algorithm, algorithm },
  traitHashes: [
    "a list of hashes, each 0x and 64 hexadecimal digits",
    (value) => Array.isArray(value) && value.every(isHashText),
  ],
  ...{ tokenId: amount, cursor: amount, blockNumber: amount, fromBlock: amount, toBlock: amount },
  ...{ gas: amount, gasPrice: amount, wei: amount },
  limit: ["a whole number from 1 to 100", isWhole(1, 100)],
  ...{ until: time, expiresAt: time, statedAt: time, deadline: time },
  confirmations: ["a whole number from 0", isCount],
  timeoutMs: ["a number of milliseconds above 0", (value) => typeof value === "number" && value > 0],
  baseUrl: ["an http or https URL", isUrl],
  ...{
    dataUrl: text,
    metadataJson: text,
    contractId: text,
    fungibleTokenId: text,
    document: text,
    deprecation: text,
  },
  metadata: ["the JSON text of a document, or its value", (value) => isText(value) || isObject(value)],
  ...{ matchAll: flag, onChainJson: flag, allowNewMajor: flag },
  client: [
    "a client of createAppRegistryClient() or connectAppRegistry()",
    (value) => isObject(value) && ("publicClient" in value || "baseUrl" in value),
  ],
  ...{
    fetchDocument: callback,
    siteOf: callback,
    readLive: callback,
    signMessage: callback,
    openSigner: callback,
  },
  ...{
    deployment: object,
    publicClient: object,
    walletClient: object,
    parameters: object,
  },
  ...{ registered: object, record: object },
  signature: [
    "an issuer's signature: issuer, statedAt, deadline and signature",
    (value) =>
      isObject(value) && signed.every(([name, check]) => check((value as Record<string, unknown>)[name])),
  ],
  // The fields of each block are checked when the call is built.
  blocks: ["a list of blocks", (value) => Array.isArray(value) && value.every(isObject)],
  services: ["a list of services", (value) => Array.isArray(value) && value.every(isObject)],
  transactionHash: ["the hash of a transaction", isHex],
  stages: ["a list of stages", Array.isArray],
  traits: ["a list of traits", Array.isArray],
  args: ["a list of arguments", Array.isArray],
};

/**
 * Checks the arguments of a public function before it runs. An error names the argument and its expected value. It
 * never repeats the value, which may be a private key.
 *
 * @param names Names of the arguments, separated by spaces. A name that ends with `?` is optional.
 * @throws {InvalidArgumentError}
 */
export function checkArguments(names: string, given: unknown): void {
  if (!isObject(given)) throw new InvalidArgumentError("expected an object with the arguments by name");
  for (const written of names.split(" ")) {
    const name = written.replace("?", "");
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined && name !== written) continue;
    const [expected, isRight] = kinds[name] ?? text;
    if (!isRight(value)) throw new InvalidArgumentError(`${name}: expected ${expected}`);
  }
}
