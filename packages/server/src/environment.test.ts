import { describe, expect, it } from "vitest";
import { type Environment, InvalidEnvironmentError, type Part, readEnvironment } from "./environment.ts";
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

const chain = { CHAIN_ID: "66238" };
const site = { PUBLIC_URL: "https://registry.example" };
const remote = { ...chain, RPC_URL: "https://rpc.example/key", PUBLIC_RPC_URL: "https://rpc.example" };
const DAY = 86_400_000;

describe("readEnvironment", () => {
  it("defaults to a local stack without loopback hosts, metrics or a limit of one client's spending", () => {
    const environment = read({});
    expect(environment).toMatchObject({
      ...{ chainId: 31337, rpcUrls: ["http://127.0.0.1:8545"], publicRpcUrl: "http://127.0.0.1:8545" },
      ...{ allowLoopback: false, requireWalletProof: false, didWebTxt: false },
      ...{ databaseReadUrl: DATABASE_URL, indexLagLimit: 100, pollingInterval: 250 },
      ...{ issuerAccount: undefined, issuerMode: "send", issuerRevalidationPeriod: 30 * DAY },
      ...{ issuerMaxFeePerGas: 500_000_000_000n, issuerLowBalance: 100, issuerSpendingCap: 10n ** 18n },
      ...{ trustedProxies: 0, webProcesses: 1, rateLimits: defaultLimits },
    });
    for (const absent of ["metrics", "reportUrl", "issuerClientSpendingCap"] as const)
      expect(environment[absent], absent).toBeUndefined();
    expect(environment.deploymentFile).toMatch(/deployments\/31337\.json$/);
  });

  it.each<[Record<string, string>, Partial<Environment>]>([
    [
      { RPC_URL: "https://one.test/key, https://two.test/" },
      { rpcUrls: ["https://one.test/key", "https://two.test"] },
    ],
    [
      { RPC_URL: "", ISSUER_PRIVATE_KEY: "" },
      { rpcUrls: ["http://127.0.0.1:8545"], issuerAccount: undefined },
    ],
    [remote, { publicRpcUrl: "https://rpc.example", pollingInterval: 500, requireWalletProof: true }],
    [{ ...remote, ISSUER_REQUIRE_SIWE: "" }, { requireWalletProof: true }],
    [{ ...remote, ISSUER_REQUIRE_SIWE: "false" }, { requireWalletProof: false }],
    [{ ISSUER_REQUIRE_SIWE: "true" }, { requireWalletProof: true }],
    [{ OFFCHAIN_DOCUMENTS: "off" }, { readsOffchainDocuments: false }],
    [{ POLLING_INTERVAL: "500" }, { pollingInterval: 500 }],
    [{ METRICS_PORT: "9464" }, { metrics: { port: 9464, host: "127.0.0.1" } }],
    [
      { DATABASE_READ_URL: "postgres://standby/x" },
      { databaseUrl: DATABASE_URL, databaseReadUrl: "postgres://standby/x" },
    ],
    [{ INDEX_LAG_LIMIT: "0" }, { indexLagLimit: 0 }],
    [{ REPORT_URL: "https://r.example/report?of={did}" }, { reportUrl: "https://r.example/report?of={did}" }],
    [{ REPORT_URL: "mailto:abuse@r.example" }, { reportUrl: "mailto:abuse@r.example" }],
    [{ FAUCET_URL: "https://f.example/?to={address}" }, { faucetUrl: "https://f.example/?to={address}" }],
    [
      { RPC_URL_1: "https://one.example/", RPC_URL_10: "https://ten.example" },
      {
        chainRpcUrls: new Map([
          [1, "https://one.example"],
          [10, "https://ten.example"],
        ]),
      },
    ],
    [{ ISSUER_REVALIDATION_DAYS: "7" }, { issuerRevalidationPeriod: 7 * DAY }],
    [{ ISSUER_REVALIDATION: "off" }, { issuerRevalidationPeriod: undefined }],
    [{ DID_WEB_TXT: "true" }, { didWebTxt: true }],
    [
      { ISSUER_MODE: "sign", ISSUER_LOW_BALANCE: "0" },
      { issuerMode: "sign", issuerLowBalance: 0 },
    ],
    [{ ISSUER_MAX_FEE_GWEI: "0.5" }, { issuerMaxFeePerGas: 500_000_000n }],
    [
      { ISSUER_SPENDING_CAP: "0.25", ISSUER_CLIENT_SPENDING_CAP: "0.125" },
      { issuerSpendingCap: 25n * 10n ** 16n, issuerClientSpendingCap: 125n * 10n ** 15n },
    ],
    [
      { TRUSTED_PROXIES: "2", WEB_PROCESSES: "3" },
      { trustedProxies: 2, webProcesses: 3 },
    ],
    [{ RATE_LIMIT_READ_CLIENT: "5" }, { rateLimits: { ...defaultLimits, readClient: 5 } }],
    // @threat services: A stranger who becomes the first controller, or replays a wallet message
  ])("reads %j", (variables, expected) => {
    expect(read(variables)).toMatchObject(expected);
  });

  it("limits neither requests nor one client's spending on a local stack, unless configured", () => {
    const local = read({ ALLOW_LOOPBACK_DIDS: "true", RATE_LIMIT_ATTEST_HOST: "7" });
    expect(local.allowLoopback).toBe(true);
    expect(local.rateLimits).toMatchObject({ attestHost: 7, attestClient: undefined });
    expect(local.issuerClientSpendingCap).toBe(local.issuerSpendingCap);
  });

  it("enables live checks if the prober can identify itself to hosts", () => {
    const probes = (variables: Record<string, string>) => read(variables, "indexer").probesServices;
    expect(probes({})).toBe(true);
    expect(probes(chain)).toBe(false);
    expect(probes({ ...chain, ...site })).toBe(true);
    expect(probes({ ...chain, ...site, PROBER: "off" })).toBe(false);
  });

  const urls = ["javascript:alert(1)", "http://registry.example", "abuse@registry.example"];
  it.each<[name: string, values: string[]]>([
    ["RPC_URL", ["https://one.test,ws://two.test"]],
    ["OFFCHAIN_DOCUMENTS", ["no"]],
    ["POLLING_INTERVAL", ["50", "-1", "1.5", "often"]],
    ["CHAIN_ID", ["0", "-1", "1.5", "mainnet"]],
    ["METRICS_PORT", ["70000"]],
    ["DATABASE_READ_URL", ["http://standby.example"]],
    ["INDEX_LAG_LIMIT", ["-1"]],
    ["REPORT_URL", urls],
    ["SECURITY_CONTACT", urls],
    ["FAUCET_URL", [...urls, "mailto:abuse@registry.example"]],
    ["ISSUER_REVALIDATION_DAYS", ["0", "-1", "400", "often"]],
    ["ISSUER_REVALIDATION", ["no"]],
    ["DID_WEB_TXT", ["yes"]],
    ["ISSUER_REQUIRE_SIWE", ["yes"]],
    ["ISSUER_MODE", ["both"]],
    ["ISSUER_MAX_FEE_GWEI", ["0"]],
    ["ISSUER_LOW_BALANCE", ["-1"]],
    ["ISSUER_SPENDING_CAP", ["0"]],
    ["TRUSTED_PROXIES", ["-1"]],
    ["RATE_LIMIT_IMPORT_CLIENT", ["none"]],
  ])("names %s if its value is invalid", (name, values) => {
    for (const value of values) expect(refusal({ [name]: value }), value).toContain(name);
  });

  const key = `0x${"11".repeat(32)}`;
  it.each([
    ["a prober without a public URL", { ...chain, PROBER: "on" }, /PUBLIC_URL must be set when PROBER is on/],
    ["loopback DIDs on another chain", { ...chain, ALLOW_LOOPBACK_DIDS: "true" }, /31337 only/],
    ["wallet proofs without a public URL", { ...remote, ISSUER_PRIVATE_KEY: key }, /PUBLIC_URL must be set/],
    [
      "an RPC that browsers must not see",
      { ...chain, RPC_URL: remote.RPC_URL },
      /PUBLIC_RPC_URL must be set/,
    ],
    ["a client's share above the cap", { ISSUER_CLIENT_SPENDING_CAP: "1.5" }, /at most ISSUER_SPENDING_CAP/],
    [
      "missing and invalid variables at once",
      { ...chain, ISSUER_MODE: "maybe" },
      /ISSUER_MODE.*PUBLIC_RPC_URL/,
    ],
  ] as const)("rejects %s", (_, variables, message) => {
    expect(refusal(variables)).toMatch(message);
  });

  it("requires only the variables of each part", () => {
    const attesting = { ...chain, ISSUER_PRIVATE_KEY: key };
    expect(refusal(attesting)).toMatch(/PUBLIC_RPC_URL.*PUBLIC_URL/);
    expect(read(attesting, "indexer").chainId).toBe(66238);
    expect(read({ ...remote, ...site, ISSUER_PRIVATE_KEY: key }).publicUrl).toBe(site.PUBLIC_URL);
    for (const part of ["web", "indexer", "worker"] as const) {
      expect(() => readEnvironment(attesting, part)).toThrow(/DATABASE_URL/);
    }
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("lists every invalid variable without repeating a secret", () => {
    const message = refusal({
      ...{ ISSUER_PRIVATE_KEY: "0xprivate-digits", RPC_URL: "nope", CHAIN_ID: "x", RPC_URL_5: "ftp://x" },
      DATABASE_URL: "mysql://private-digits@db",
    });
    for (const name of ["ISSUER_PRIVATE_KEY", "RPC_URL ", "CHAIN_ID", "RPC_URL_5", "DATABASE_URL"])
      expect(message).toContain(name);
    expect(message).not.toContain("private-digits");
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it.each(["00", "ff"])("rejects the invalid key of 32 times %s without repeating it", (byte) => {
    const message = refusal({ ISSUER_PRIVATE_KEY: `0x${byte.repeat(32)}` });
    expect(message).toContain("ISSUER_PRIVATE_KEY");
    expect(message).not.toMatch(/\d{20}/);
  });
});
