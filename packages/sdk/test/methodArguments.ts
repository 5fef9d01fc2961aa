import * as reads from "../src/client/reads.ts";
import * as waits from "../src/client/waiters.ts";
import * as writes from "../src/client/writes.ts";

const address = "0x00000000000000000000000000000000000000AA";
const hash = `0x${"ab".repeat(32)}`;

/** Arguments of each method of the client; `prepareX` takes those of `x`. */
export const signatures: Record<string, string> = Object.fromEntries(
  Object.entries({ ...reads, ...writes, ...waits }).map(([name, { signature }]) => [name, signature]),
);

/** Names of the arguments of a method, and the name of the only one if the method takes it without an object. */
export function listArguments(method: string): { names: string[]; single: string | undefined } {
  const signature = signatures[method] ?? "";
  const [, single] = /^\((.*)\)$/.exec(signature) ?? [];
  const needsVersion = ["mint", "updateAppControlled", "getVersionRecord"].includes(method);
  const names = `${single ?? signature}${needsVersion ? " version" : ""}`.split(" ").filter(Boolean);
  return { names, single };
}

/** Valid value of each argument. */
export const validArguments: Record<string, unknown> = {
  ...{
    did: "did:web:example.com",
    successor: "did:web:next.example.com",
    major: 1,
    interfaces: 2,
    status: 1,
  },
  ...{ controller: address, owner: address, incumbent: address, challenger: address, claimant: address },
  ...{ issuer: address, from: address, to: address, pointer: address, connectedAddress: address },
  ...{ account: address, dataHash: hash, hash, dataHashAlgorithm: 0, traitHashes: [hash], tokenId: 1n },
  ...{ cursor: 1n, limit: 10, until: 1, expiresAt: 1, confirmations: 1, timeoutMs: 100, blockNumber: 1n },
  ...{
    fromBlock: 1n,
    toBlock: 1n,
    dataUrl: "https://example.com/a.json",
    metadataJson: "{}",
    matchAll: true,
  },
  ...{ contractId: "", fungibleTokenId: "", baseUrl: "https://registry.example", version: "1.0.0" },
  signature: { issuer: address, statedAt: 1, deadline: 2, signature: "0x00" },
  blocks: [{ did: "did:web:example.com", controller: address, until: 1 }],
};
