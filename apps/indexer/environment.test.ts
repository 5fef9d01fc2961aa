import { describe, expect, it } from "vitest";
import { readEnvironment } from "./environment.ts";

describe("readEnvironment", () => {
  it("describes the local chain and an embedded database when nothing is set", () => {
    expect(readEnvironment({})).toEqual({
      chainId: 31337,
      rpcUrl: "http://127.0.0.1:8545",
      deploymentFile: "../../deployments/31337.json",
      pollingInterval: 250,
      database: { kind: "pglite", directory: ".ponder/pglite" },
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

  it.each(["0", "-1", "1.5", "mainnet"])("refuses CHAIN_ID %s", (CHAIN_ID) => {
    expect(() => readEnvironment({ CHAIN_ID })).toThrow(/CHAIN_ID/);
  });
});
