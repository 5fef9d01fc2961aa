import { deployContract, testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { freePort } from "@app-registry/test-kit/freePort";
import { startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { createTestClient, http, type PublicClient, parseAbi } from "viem";
import { hardhat } from "viem/chains";
import { describe, expect, it } from "vitest";
import {
  another,
  controls,
  DAY,
  fixture,
  HOUR,
  process,
  restart,
  told,
  useIssuer,
  wallet,
} from "../../test/support/issuerFixture.ts";

useIssuer();

describe("the attestation of a did:pkh", () => {
  const deploy = async () => {
    const contract = await deployContract(fixture.rpcUrl, "examples/OwnableService", [wallet]);
    return { contract, did: `did:pkh:eip155:31337:${contract.toLowerCase()}` };
  };

  // @threat services: A domain or contract that changed hands
  it("is revoked for an account that transferred the contract", async () => {
    const { contract, did } = await deploy();
    await process.attest(did, wallet);
    await process.passesUntil("holds", 12 * HOUR);
    const seller = testClients(fixture.rpcUrl, testAccount(1));
    const hash = await seller.walletClient.writeContract({
      address: contract,
      abi: parseAbi(["function transferOwnership(address)"]),
      functionName: "transferOwnership",
      args: [another],
    });
    await seller.publicClient.waitForTransactionReceipt({ hash });
    await process.passesUntil("fails", 12 * HOUR);
    await process.passes(2 * HOUR, HOUR);
    expect(told("attestation revoked")).toMatchObject([{ did, code: "contract-owner-mismatch" }]);
    expect(await controls(did)).toBe(false);
  });

  it("is not revoked if a syncing node does not have the contract yet", async () => {
    const port = await freePort();
    const first = await startHardhatNode(port);
    const rpc = await startFaultyRpc(first.rpcUrl);
    rpc.break(({ method }) => (method === "eth_chainId" ? { replace: () => "0xa" } : "pass"));
    const client = testClients(rpc.url, testAccount(1)).publicClient as PublicClient;
    await restart({ chainClient: (id) => (id === 10 ? client : undefined) });
    const contract = await deployContract(first.rpcUrl, "examples/OwnableService", [wallet]);
    const did = `did:pkh:eip155:10:${contract.toLowerCase()}`;
    await process.attest(did, wallet);
    await process.passesUntil("holds", 12 * HOUR);
    await first.stop();

    const second = await startHardhatNode(port);
    try {
      await process.passes(30 * DAY, 12 * HOUR);
      expect(new Set(process.outcomes().slice(1))).toEqual(new Set(["no-answer"]));
      expect(await controls(did)).toBe(true);
      const node = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(second.rpcUrl) });
      await node.increaseTime({ seconds: 100 * 86_400 });
      await node.mine({ blocks: 1 });
      await process.passes(4 * DAY, 12 * HOUR);
      expect(await controls(did)).toBe(false);
    } finally {
      await Promise.all([rpc.close(), second.stop()]);
    }
  });
});
