import { createPublicClient, encodeFunctionData, http, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import type { PreparedCall } from "../client/context.ts";
import { createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { computeAbiHash, type Deployment } from "../deployment.ts";
import { describeTransaction, formatFee } from "./describeTransaction.ts";

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const contract = (digit: string, name: keyof Deployment["contracts"]) => ({
  address: address(digit),
  abiHash: computeAbiHash(name),
});
const deployment: Deployment = {
  chainId: 31337,
  network: "test",
  deployBlock: 0,
  contracts: {
    AppRegistry: contract("1", "AppRegistry"),
    AppMetadata: contract("2", "AppMetadata"),
    ResolverWithStore: contract("3", "ResolverWithStore"),
  },
  compiler: { version: "0", settings: {} },
};
// The client only builds calls and never sends a request, so the URL does not matter.
const publicClient = createPublicClient({ transport: http("http://127.0.0.1:1") });
const client = createAppRegistryClient({ deployment, publicClient });
const did = "did:web:example.com";
const controller = address("a");

const describeCall = ({ address: to, ...call }: PreparedCall) =>
  describeTransaction({ to, data: encodeFunctionData(call) }, deployment);

describe("describeTransaction", () => {
  it("names the service, the version and the stored bytes of a mint", () => {
    const description = describeCall(
      client.prepareMint({
        did,
        version: { major: 1, minor: 0, patch: 0 },
        interfaces: 2,
        dataUrl: "https://example.com/1.json",
        dataHash: zeroHash,
        dataHashAlgorithm: 0,
        metadataJson: '{"name":"é"}',
      }),
    );
    expect(description).toEqual({
      sentence: `Register ${did}, version 1.0.0. You become its minter and hold its token.`,
      details: ["Data URL: https://example.com/1.json", "Stores 13 bytes of metadata JSON on the chain."],
      contract: "App Registry",
      functionName: "mint",
    });
  });

  it.each([
    [
      client.prepareUpdateStatus({ did, major: 1, status: 1 }),
      `Mark major version 1 of ${did} as Deprecated.`,
    ],
    [client.prepareOpenReclaim({ did, major: 1 }), `Open a reclaim of major version 1 of ${did}.`],
    [
      client.prepareFinishReclaim({ did, major: 1 }),
      `Finish the reclaim: transfer the token of major version 1 of ${did} to you.`,
    ],
    [client.prepareAttestDid({ did, controller }), "controls this DID"],
    [client.prepareRevokeDid({ did, controller }), "Revoke any attestation you made that"],
    [client.prepareAttestDataHash({ did, dataHash: zeroHash }), `Attest the dataHash ${zeroHash}`],
    [
      client.prepareDismissReclaims({ did, major: 1 }),
      `End every open reclaim of major version 1 of ${did}.`,
    ],
    [client.prepareBlockController({ did, controller, until: 0 }), "until 1970-01-01T00:00:00Z."],
    [client.prepareBlockControllerBatch({ blocks: [{ did, controller, until: 0 }] }), "(1 in total)"],
    [client.prepareUnblockController({ did, controller }), "End the block that keeps"],
    [client.prepareChallengeDid({ did, incumbent: controller }), "Challenge"],
    [client.prepareResolveChallenge({ did, incumbent: controller, challenger: address("b") }), "Remove"],
  ] as [PreparedCall, string][])("describes a call: $1", (call, sentence) => {
    expect(describeCall(call)?.sentence).toContain(sentence);
  });

  it("returns undefined for another contract and for unknown data", () => {
    expect(describeTransaction({ to: address("9"), data: "0x12345678" }, deployment)).toBeUndefined();
    expect(describeTransaction({ to: address("1"), data: "0x12345678" }, deployment)).toBeUndefined();
    expect(describeTransaction({ to: address("1") }, deployment)).toBeUndefined();
  });
});

it.each([
  [641_415_347_351_592n, "0.0006414 ETH"],
  [0n, "0 ETH"],
  [2_000_000_000_000_000_000n, "2 ETH"],
  [1_234_567_000_000_000_000_000n, "1,235 ETH"],
])("formatFee formats %s wei as %s", (wei, text) => expect(formatFee(wei)).toBe(text));
