import { describe, expect, it } from "vitest";
import { InvalidEnvironmentError, type Part, readEnvironment } from "./environment.ts";
import { defaultLimits } from "./variables.ts";

const DATABASE_URL = "postgresql://localhost/registry";

/** Reads the configuration of a process with a database. */
const read = (variables: Record<string, string>, part?: Part) =>
  readEnvironment({ DATABASE_URL, ...variables }, part);

const refusal = (variables: Record<string, string>) => {
  try {
    read(variables);
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return error.message;
    throw error;
  }
  throw new Error("was accepted");
};

describe("readEnvironment", () => {
  it("reads several RPC endpoints of the chain", () => {
    expect(read({ RPC_URL: "https://one.test/key, https://two.test/" }).rpcUrls).toEqual([
      "https://one.test/key",
      "https://two.test",
    ]);
    expect(refusal({ RPC_URL: "https://one.test,ws://two.test" })).toContain("RPC_URL");
  });

  it("enables live checks if the prober can identify itself to hosts", () => {
    const probes = (variables: Record<string, string>) => read(variables, "indexer").probesServices;
    const [chain, site] = [{ CHAIN_ID: "66238" }, { PUBLIC_URL: "https://registry.example" }];
    expect(probes({})).toBe(true);
    expect(probes(chain)).toBe(false);
    expect(probes({ ...chain, ...site })).toBe(true);
    expect(probes({ ...chain, ...site, PROBER: "off" })).toBe(false);
    expect(refusal({ ...chain, PROBER: "on" })).toContain("PUBLIC_URL must be set when PROBER is on");
  });

  it("disables document reads with OFFCHAIN_DOCUMENTS=off, and rejects unknown values", () => {
    expect(read({ OFFCHAIN_DOCUMENTS: "off" }).readsOffchainDocuments).toBe(false);
    expect(refusal({ OFFCHAIN_DOCUMENTS: "no" })).toContain("OFFCHAIN_DOCUMENTS");
  });

  it("polls for blocks four times a second on the local chain, once on others, or as configured", () => {
    expect(read({}).pollingInterval).toBe(250);
    const remote = { CHAIN_ID: "66238", PUBLIC_RPC_URL: "https://rpc.example" };
    expect(read(remote).pollingInterval).toBe(500);
    expect(read({ POLLING_INTERVAL: "500" }).pollingInterval).toBe(500);
    for (const POLLING_INTERVAL of ["50", "-1", "1.5", "often"]) {
      expect(refusal({ POLLING_INTERVAL })).toContain("POLLING_INTERVAL");
    }
  });

  it.each(["0", "-1", "1.5", "mainnet"])("rejects CHAIN_ID %s", (CHAIN_ID) => {
    expect(refusal({ CHAIN_ID })).toContain("CHAIN_ID");
  });

  it("requires only the variables of each part", () => {
    const remote = { CHAIN_ID: "66238", ISSUER_PRIVATE_KEY: `0x${"11".repeat(32)}` };
    expect(refusal(remote)).toMatch(/PUBLIC_RPC_URL.*PUBLIC_URL/);
    expect(read(remote, "indexer").chainId).toBe(66238);
    for (const part of ["web", "indexer", "worker"] as const) {
      expect(() => readEnvironment(remote, part)).toThrow(/DATABASE_URL/);
    }
  });

  it("reports missing variables together with invalid ones", () => {
    expect(refusal({ CHAIN_ID: "66238", ISSUER_MODE: "maybe" })).toMatch(/ISSUER_MODE.*PUBLIC_RPC_URL/);
  });

  it("serves metrics at the configured address, by default only on loopback", () => {
    expect(read({}).metrics).toBeUndefined();
    expect(read({ METRICS_PORT: "9464" }).metrics).toEqual({ port: 9464, host: "127.0.0.1" });
    expect(refusal({ METRICS_PORT: "70000" })).toContain("METRICS_PORT");
  });

  it("defaults to a local stack without loopback hosts", () => {
    const environment = read({});
    expect(environment).toMatchObject({ chainId: 31337, allowLoopback: false, issuerAccount: undefined });
    expect(environment.deploymentFile).toMatch(/deployments\/31337\.json$/);
  });

  it("treats an empty variable as absent", () => {
    expect(read({ RPC_URL: "", ISSUER_PRIVATE_KEY: "" }).rpcUrls).toEqual(["http://127.0.0.1:8545"]);
  });

  it("reads the index from DATABASE_URL by default, or from DATABASE_READ_URL", () => {
    expect(read({}).databaseReadUrl).toBe(DATABASE_URL);
    const DATABASE_READ_URL = "postgresql://standby.example/registry";
    expect(read({ DATABASE_READ_URL })).toMatchObject({
      databaseUrl: DATABASE_URL,
      databaseReadUrl: DATABASE_READ_URL,
    });
    expect(refusal({ DATABASE_READ_URL: "http://standby.example" })).toContain("DATABASE_READ_URL");
  });

  it("allows the index to lag 100 blocks by default", () => {
    expect(read({}).indexLagLimit).toBe(100);
    expect(read({ INDEX_LAG_LIMIT: "0" }).indexLagLimit).toBe(0);
    expect(refusal({ INDEX_LAG_LIMIT: "-1" })).toContain("INDEX_LAG_LIMIT");
  });

  it("accepts only an https or mailto URL for reports", () => {
    for (const REPORT_URL of ["https://registry.example/report?of={did}", "mailto:abuse@registry.example"]) {
      expect(read({ REPORT_URL }).reportUrl).toBe(REPORT_URL);
    }
    expect(read({}).reportUrl).toBeUndefined();
    for (const REPORT_URL of ["javascript:alert(1)", "http://registry.example", "abuse@registry.example"]) {
      expect(refusal({ REPORT_URL })).toContain("REPORT_URL");
      expect(refusal({ SECURITY_CONTACT: REPORT_URL })).toContain("SECURITY_CONTACT");
    }
  });

  it("accepts only an https URL of a faucet", () => {
    const FAUCET_URL = "https://faucet.example/?to={address}";
    expect(read({ FAUCET_URL }).faucetUrl).toBe(FAUCET_URL);
    for (const refused of ["javascript:alert(1)", "http://faucet.example", "faucet.example"]) {
      expect(refusal({ FAUCET_URL: refused })).toContain("FAUCET_URL");
    }
  });

  it("reads the RPC URLs of other chains", () => {
    const { chainRpcUrls } = read({
      RPC_URL_1: "https://one.example/",
      RPC_URL_10: "https://ten.example",
    });
    expect([...chainRpcUrls]).toEqual([
      [1, "https://one.example"],
      [10, "https://ten.example"],
    ]);
  });

  it("rejects loopback DIDs except on the local chain", () => {
    expect(read({ ALLOW_LOOPBACK_DIDS: "true", CHAIN_ID: "31337" }).allowLoopback).toBe(true);
    expect(refusal({ ALLOW_LOOPBACK_DIDS: "true", CHAIN_ID: "66238" })).toContain("31337 only");
  });

  it("revalidates attestations every 30 days by default", () => {
    const days = (variables: Record<string, string>) =>
      (read(variables).issuerRevalidationPeriod ?? 0) / 86_400_000;
    expect(days({})).toBe(30);
    expect(days({ ISSUER_REVALIDATION_DAYS: "7" })).toBe(7);
    expect(days({ ISSUER_REVALIDATION: "off" })).toBe(0);
    for (const wrong of ["0", "-1", "400", "often"]) {
      expect(refusal({ ISSUER_REVALIDATION_DAYS: wrong })).toContain("ISSUER_REVALIDATION_DAYS");
    }
    expect(refusal({ ISSUER_REVALIDATION: "no" })).toContain("ISSUER_REVALIDATION");
  });

  it("accepts DNS TXT records only if enabled", () => {
    expect(read({}).didWebTxt).toBe(false);
    expect(read({ DID_WEB_TXT: "true" }).didWebTxt).toBe(true);
    expect(refusal({ DID_WEB_TXT: "yes" })).toContain("DID_WEB_TXT");
  });

  // @threat services: A stranger who becomes the first controller, or replays a wallet message
  it("requires a wallet proof by default, except on the local chain", () => {
    const wants = (variables: Record<string, string>) =>
      read({ PUBLIC_RPC_URL: "https://rpc.example", ...variables }).requireWalletProof;
    expect(wants({})).toBe(false);
    expect(wants({ CHAIN_ID: "66238" })).toBe(true);
    expect(wants({ CHAIN_ID: "66238", ISSUER_REQUIRE_SIWE: "" })).toBe(true);
    expect(wants({ CHAIN_ID: "66238", ISSUER_REQUIRE_SIWE: "false" })).toBe(false);
    expect(wants({ ISSUER_REQUIRE_SIWE: "true" })).toBe(true);
    expect(refusal({ ISSUER_REQUIRE_SIWE: "yes" })).toContain("ISSUER_REQUIRE_SIWE");
  });

  it("rejects a configuration with wallet proofs but without a public URL", () => {
    const attesting = {
      CHAIN_ID: "66238",
      PUBLIC_RPC_URL: "https://rpc.example",
      ISSUER_PRIVATE_KEY: `0x${"11".repeat(32)}`,
    };
    expect(refusal(attesting)).toContain("PUBLIC_URL must be set");
    const PUBLIC_URL = "https://registry.example";
    expect(read({ ...attesting, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL);
    expect(read({ ...attesting, ISSUER_REQUIRE_SIWE: "false" }).requireWalletProof).toBe(false);
  });

  it("exposes the server's own RPC to browsers only on the local chain", () => {
    expect(read({}).publicRpcUrl).toBe("http://127.0.0.1:8545");
    expect(refusal({ CHAIN_ID: "66238", RPC_URL: "https://rpc.example/key" })).toContain(
      "PUBLIC_RPC_URL must be set",
    );
    const named = {
      CHAIN_ID: "66238",
      RPC_URL: "https://rpc.example/key",
      PUBLIC_RPC_URL: "https://rpc.example",
    };
    expect(read(named).publicRpcUrl).toBe("https://rpc.example");
  });

  it("sends with the issuer's key by default", () => {
    expect(read({})).toMatchObject({
      issuerMode: "send",
      issuerMaxFeePerGas: 500_000_000_000n,
      issuerLowBalance: 100,
    });
    const told = read({
      ISSUER_MODE: "sign",
      ISSUER_MAX_FEE_GWEI: "0.5",
      ISSUER_LOW_BALANCE: "0",
      DATABASE_URL: "postgresql://user:secret@db/registry",
    });
    expect(told).toMatchObject({ issuerMode: "sign", issuerMaxFeePerGas: 500_000_000n, issuerLowBalance: 0 });
    const message = refusal({
      ISSUER_MODE: "both",
      ISSUER_MAX_FEE_GWEI: "0",
      ISSUER_LOW_BALANCE: "-1",
      DATABASE_URL: "mysql://secret@db",
    });
    for (const name of ["ISSUER_MODE", "ISSUER_MAX_FEE_GWEI", "ISSUER_LOW_BALANCE", "DATABASE_URL"])
      expect(message).toContain(name);
    expect(message).not.toContain("private-digits");
  });

  it("limits requests and spending by default, except the requests of a local stack", () => {
    expect(read({})).toMatchObject({
      issuerSpendingCap: 10n ** 18n,
      issuerClientSpendingCap: undefined,
      trustedProxies: 0,
      webProcesses: 1,
      rateLimits: defaultLimits,
    });
    const local = read({ ALLOW_LOOPBACK_DIDS: "true", RATE_LIMIT_ATTEST_HOST: "7" });
    expect(local.rateLimits).toMatchObject({ attestHost: 7, attestClient: undefined });
    expect(local.issuerClientSpendingCap).toBe(local.issuerSpendingCap);
    const told = read({
      ISSUER_SPENDING_CAP: "0.25",
      ISSUER_CLIENT_SPENDING_CAP: "0.125",
      TRUSTED_PROXIES: "2",
      WEB_PROCESSES: "3",
      RATE_LIMIT_READ_CLIENT: "5",
    });
    expect(told).toMatchObject({
      issuerSpendingCap: 25n * 10n ** 16n,
      issuerClientSpendingCap: 125n * 10n ** 15n,
      trustedProxies: 2,
      webProcesses: 3,
    });
    expect(told.rateLimits).toEqual({ ...defaultLimits, readClient: 5 });
    const message = refusal({
      ISSUER_SPENDING_CAP: "0",
      TRUSTED_PROXIES: "-1",
      RATE_LIMIT_IMPORT_CLIENT: "none",
    });
    for (const name of ["ISSUER_SPENDING_CAP", "TRUSTED_PROXIES", "RATE_LIMIT_IMPORT_CLIENT"])
      expect(message).toContain(name);
    expect(refusal({ ISSUER_CLIENT_SPENDING_CAP: "1.5" })).toContain("at most ISSUER_SPENDING_CAP");
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("lists every invalid variable without repeating a secret", () => {
    const message = refusal({
      ISSUER_PRIVATE_KEY: "0xprivate-digits",
      RPC_URL: "nope",
      CHAIN_ID: "x",
      RPC_URL_5: "ftp://x",
    });
    for (const name of ["ISSUER_PRIVATE_KEY", "RPC_URL ", "CHAIN_ID", "RPC_URL_5"])
      expect(message).toContain(name);
    expect(message).not.toContain("private-digits");
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it.each(["00", "ff"])("rejects the invalid key of 32 times %s without repeating it", (byte) => {
    const key = `0x${byte.repeat(32)}`;
    const message = refusal({ ISSUER_PRIVATE_KEY: key });
    expect(message).toContain("ISSUER_PRIVATE_KEY");
    expect(message).not.toMatch(/\d{20}/);
  });
});
