import { describe, expect, it } from "vitest";
import { readEnvironment } from "./environment.ts";

describe("readEnvironment", () => {
  it("describes the local chain and an embedded database when nothing is set", () => {
    expect(readEnvironment({})).toEqual({
      chainId: 31337,
      rpcUrls: ["http://127.0.0.1:8545"],
      deploymentFile: "../../deployments/31337.json",
      pollingInterval: 250,
      database: { kind: "pglite", directory: ".ponder/pglite" },
      readsOffchainDocuments: true,
      allowLoopback: false,
    });
  });

  it("takes PostgreSQL when DATABASE_URL is set, and polls a public chain once a second", () => {
    expect(
      readEnvironment({ CHAIN_ID: "66238", DATABASE_URL: "postgres://db/x", PGLITE_DIR: "/tmp/x" }),
    ).toMatchObject({
      chainId: 66238,
      deploymentFile: "../../deployments/66238.json",
      pollingInterval: 1000,
      database: { kind: "postgres", connectionString: "postgres://db/x" },
    });
  });

  it("takes several endpoints of the chain", () => {
    expect(readEnvironment({ RPC_URL: "https://one.test/key, https://two.test" }).rpcUrls).toEqual([
      "https://one.test/key",
      "https://two.test",
    ]);
  });

  it("asks no host for documents when OFFCHAIN_DOCUMENTS is off, and refuses other words", () => {
    expect(readEnvironment({ OFFCHAIN_DOCUMENTS: "off" }).readsOffchainDocuments).toBe(false);
    expect(() => readEnvironment({ OFFCHAIN_DOCUMENTS: "no" })).toThrow(/OFFCHAIN_DOCUMENTS/);
  });

  it("allows hosts of this machine on the local chain alone", () => {
    expect(readEnvironment({ ALLOW_LOOPBACK_DIDS: "true" }).allowLoopback).toBe(true);
    expect(() => readEnvironment({ ALLOW_LOOPBACK_DIDS: "true", CHAIN_ID: "1" })).toThrow(/local chain/);
  });

  it("looks for new blocks as often as the operator says, ten times a second at most", () => {
    expect(readEnvironment({ POLLING_INTERVAL: "500" }).pollingInterval).toBe(500);
    for (const wrong of ["50", "-1", "1.5", "often"]) {
      expect(() => readEnvironment({ POLLING_INTERVAL: wrong })).toThrow(/POLLING_INTERVAL/);
    }
  });

  it.each(["0", "-1", "1.5", "mainnet"])("refuses CHAIN_ID %s", (CHAIN_ID) => {
    expect(() => readEnvironment({ CHAIN_ID })).toThrow(/CHAIN_ID/);
  });
});
