import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { oneSentence, openNetwork } from "../../scripts/deployment/openNetwork.ts";
import { startChain } from "./chains.ts";

describe("openNetwork", () => {
  const failure = async (attempt: Promise<unknown>) => attempt.then(() => "no failure", oneSentence);
  const variable = "TESTNET_RPC_URL";
  const before = process.env[variable];

  afterEach(() => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  });

  it("lists the configured networks if the given one is unknown or in-process", async () => {
    for (const name of ["nowhere", "default"]) {
      expect(await failure(openNetwork(name, "unused"))).to.equal(
        `"${name}" is not a lasting network: choose one by --network, of localhost, testnet.`,
      );
    }
  });

  it("rejects an RPC that never responds, one that is gone and one of another chain, without its path", async () => {
    // Hardhat reads the variable once, so all RPCs use the same address.
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    process.env[variable] = `http://127.0.0.1:${port}/secret`;
    expect(await failure(openNetwork("testnet", "unused", 1_000))).to.match(
      /^The network testnet can't be used: .*timed[- ]out/,
    );
    await new Promise<void>((resolve) => silent.close(() => resolve()).closeAllConnections());
    expect(await failure(openNetwork("testnet", "unused")))
      .to.match(/^The network testnet can't be used: .*Cannot connect to the network "testnet"/)
      .and.not.contain("secret");

    const chain = await startChain(66239, port);
    expect(await failure(openNetwork("testnet", "unused"))).to.match(
      /^The network testnet can't be used: .*66238.*66239/,
    );
    await chain.stop();
  });
});
