import {
  createCallOperation,
  createControlCheck,
  createPublication,
  getStage,
  nextStage,
  type Operation,
  type OperationEvent,
  type PreparedCall,
  parseOperation,
  runOperation,
} from "@app-registry/sdk";
import { restMetadata } from "@app-registry/test-kit/testRegistry";
import type { Hex } from "viem";
import { sendTransaction } from "viem/actions";
import { describe, expect, it } from "vitest";
import { newClient, registry, serviceThat } from "./sharedService.ts";

const service = await serviceThat("sign");

/** Creates a publisher whose issuer only signs. Its wallet sends two attestations and the version. */
async function newPublisher(name: string, { isNamed = true } = {}) {
  const { account, client } = await newClient(service);
  const did = isNamed ? service.did(name, account.address) : service.did(name);
  const events: OperationEvent[] = [];
  const kept: string[] = [];
  const confirmed: string[] = [];
  let opened = 0;
  const host = {
    client,
    baseUrl: service.baseUrl,
    openSigner: async () => {
      opened += 1;
      return client;
    },
    confirm: async ({ functionName }: PreparedCall) => void confirmed.push(functionName),
    onEvent(event: OperationEvent, operation: Operation) {
      events.push(event);
      kept.push(JSON.stringify(operation));
    },
  };
  const nonce = () => registry.chain.getTransactionCount({ address: account.address });
  const publication = () =>
    createPublication(
      { did, version: "1.0.0", metadata: JSON.stringify(restMetadata(name)) },
      account.address,
    );
  return { account, client, did, host, events, kept, confirmed, nonce, publication, opened: () => opened };
}

describe("runOperation, for a publication", () => {
  it("asks before each transaction and completes every stage", async () => {
    const { host, confirmed, publication } = await newPublisher("whole");
    const operation = await runOperation(publication(), host);
    expect(nextStage(operation)).toBeUndefined();
    expect(confirmed).toEqual(["attestDIDBySignature", "mint", "attestDataHashBySignature"]);
    expect(operation.mined?.blockNumber).toMatch(/^\d+$/);
  });

  it("sends nothing twice when a reload continues it at any point", async () => {
    const { client, did, host, kept, nonce, publication } = await newPublisher("reloaded");
    await runOperation(publication(), host);
    const sent = await nonce();
    const moments = [...kept];
    expect(moments.length).toBeGreaterThan(15);
    for (const text of moments) {
      const restored = parseOperation(text);
      expect(restored && nextStage(await runOperation(restored, host))).toBeUndefined();
    }
    expect(await nonce()).toBe(sent);
    expect((await client.getApp({ did, major: 1 })).versionHistory).toHaveLength(1);
  });

  it("does not ask the wallet if the issuer refuses, and returns the document to publish", async () => {
    const { host, events, opened, publication } = await newPublisher("refused", { isNamed: false });
    await expect(runOperation(publication(), host)).rejects.toMatchObject({
      name: "ControlNotAttestedError",
    });
    expect(opened()).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: "fail", stage: "control" });
  });

  it("stops before a declined transaction and continues from there", async () => {
    const { host, nonce, publication, kept } = await newPublisher("declined");
    const declining = {
      ...host,
      confirm: async ({ functionName }: PreparedCall) => {
        if (functionName === "mint") throw new Error("Declined");
      },
    };
    await expect(runOperation(publication(), declining)).rejects.toThrow("Declined");
    expect(await nonce()).toBe(1);
    const stopped = parseOperation(kept.at(-1) ?? null) as Operation;
    expect(getStage(stopped, "control")?.state).toBe("done");
    expect(nextStage(await runOperation(stopped, host))).toBeUndefined();
  });

  it("rejects another wallet than the one that started it", async () => {
    const { host, publication } = await newPublisher("other-wallet");
    const { client: other } = await newPublisher("other");
    const run = runOperation(publication(), { ...host, openSigner: async () => other });
    await expect(run).rejects.toThrow("This was prepared for");
  });
});

describe("runOperation, for a check of control", () => {
  it("submits a new signature if the stored transaction had no effect", async () => {
    const { account, client, did, host, events } = await newPublisher("carried");
    const { walletClient, deployment } = client;
    if (!walletClient) throw new Error("The publisher has a wallet.");
    const to = deployment.contracts.ResolverWithStore.address;
    await sendTransaction(walletClient, {
      account,
      to,
      data: "0x00000000",
      gas: 100_000n,
      chain: null,
    }).catch(() => undefined);
    const block = await registry.chain.getBlock({ includeTransactions: true });
    const failed = block.transactions.find(({ from }) => from === account.address.toLowerCase())?.hash as Hex;
    const begun = { ...createControlCheck(did, account.address), carried: { control: failed } };
    await expect(runOperation(begun, host)).rejects.toMatchObject({ name: "TransactionRevertedError" });
    expect(events.findLast(({ type }) => type === "carried")).toMatchObject({ transactionHash: undefined });
    const checked = await runOperation(createControlCheck(did, account.address), host);
    expect(nextStage(checked)).toBeUndefined();
    expect(await client.checkDid({ did, controller: account.address })).toBe(true);
  });
});

describe("runOperation, for a single change", () => {
  it("simulates, signs and mines the transaction", async () => {
    const { account, client, did, host, publication } = await newPublisher("changed");
    await runOperation(publication(), host);
    const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
    const { transactionHash } = await runOperation(
      createCallOperation({ did, call, account: account.address }),
      host,
    );
    expect(transactionHash).toMatch(/^0x/);
    expect((await client.getAppSummary({ did, major: 1 })).status).toBe(1);
  });

  it("fails with the contract's error before anything is sent", async () => {
    const { account, client, did, host, nonce } = await newPublisher("unknown");
    const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
    const change = createCallOperation({ did, call, account: account.address });
    await expect(runOperation(change, host)).rejects.toMatchObject({ errorName: "AppNotFound" });
    expect(await nonce()).toBe(0);
  });
});
