import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { computeAbiHash } from "../../packages/sdk/src/deployment.ts";
import { readParts } from "../../scripts/supervisor/parts.ts";

describe("readParts", () => {
  const read = (variables: Record<string, string>, named: string[] = [], inFile = Object.keys(variables)) =>
    readParts({ variables, inFile, directory: "/srv" }, named);

  it("reports every problem of every part's settings once", () => {
    const { parts, problems } = read({
      CHAIN_ID: "66238",
      ISSUER_MODE: "maybe",
      ISSUER_SPENDNG_CAP: "3",
      WEB_PORT: "port",
      HIDDEN_FILE: "hidden.json",
    });
    expect(parts).to.deep.equal([]);
    const said = problems.join("\n");
    for (const expected of [
      "WEB_PORT",
      "ISSUER_SPENDNG_CAP is not a setting",
      "ISSUER_MODE",
      "PUBLIC_RPC_URL must be set",
      "DEPLOYMENT_FILE",
      "HIDDEN_FILE /srv/hidden.json can't be read",
    ]) {
      expect(said.split(expected), expected).to.have.length(2);
    }
  });

  it("accepts variables of other programs in the environment but not in the file", () => {
    expect(read({ HOME: "/root" }, ["indexer"], []).problems.join()).not.to.contain("HOME");
    expect(read({ HOME: "/root" }, ["indexer"]).problems.join()).to.contain("HOME is not a setting");
  });

  it("refuses an unknown part, and a part that is started alone without a database", () => {
    expect(read({}, ["database"]).problems.join()).to.contain("database is not a part");
    for (const part of ["indexer", "worker"]) {
      expect(read({}, [part]).problems.join()).to.contain("DATABASE_URL must be set");
    }
  });

  it("starts PostgreSQL in POSTGRES_DIR for all parts if no URL is given", () => {
    const { problems, postgresDirectory } = read({ POSTGRES_DIR: "data" });
    expect(postgresDirectory).to.equal("/srv/data");
    expect(problems.join()).not.to.contain("DATABASE_URL");
    expect(read({ DATABASE_URL: "postgresql://localhost/registry" }).postgresDirectory).to.equal(undefined);
  });

  it("says when other machines may reach the web app without a proxy", () => {
    const note = (variables: Record<string, string>) => read(variables, ["web"]).notes.join();
    expect(note({})).to.equal("");
    expect(note({ WEB_HOST: "0.0.0.0" })).to.match(/listens on 0\.0\.0\.0.* share the limits of one/);
    expect(note({ WEB_HOST: "192.0.2.1", TRUSTED_PROXIES: "1" })).to.contain("can write X-Forwarded-For");
  });

  it("assigns separate ports, and passes the schema and resolved paths", async () => {
    const directory = await mkdtemp(join(tmpdir(), "start-"));
    const getContract = (name: Parameters<typeof computeAbiHash>[0]) => ({
      address: `0x${"1".repeat(40)}`,
      abiHash: computeAbiHash(name),
    });
    const deployment = {
      ...{ chainId: 31337, network: "localhost", deployBlock: 1 },
      contracts: {
        AppRegistry: getContract("AppRegistry"),
        AppMetadata: getContract("AppMetadata"),
        ResolverWithStore: getContract("ResolverWithStore"),
      },
      compiler: { version: "0.8.30", settings: {} },
    };
    await writeFile(join(directory, "deployment.json"), JSON.stringify(deployment));
    const variables = {
      DATABASE_URL: "postgresql://localhost/registry",
      DATABASE_SCHEMA: "registry_2",
      DEPLOYMENT_FILE: "deployment.json",
    };
    const inside = { variables, inFile: [], directory };
    const { parts, problems } = readParts(inside, ["indexer", "worker"]);
    await rm(directory, { recursive: true, force: true });
    expect(problems).to.deep.equal([]);
    expect(parts.map(({ name, url, metrics }) => [name, url, metrics])).to.deep.equal([
      ["indexer", "http://127.0.0.1:42069", "http://127.0.0.1:9465"],
      ["worker", undefined, "http://127.0.0.1:9466"],
    ]);
    expect(parts[0]?.command.join(" ")).to.contain("start --schema registry_2");
    expect(parts[0]?.environment.DEPLOYMENT_FILE).to.equal(join(directory, "deployment.json"));
  });
});
