import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGuardedFetch, createProposal, discoverService, fillMetadata } from "@app-registry/outbound";
import {
  connectAppRegistry,
  createEvidence,
  getEndpoints,
  type Metadata,
  publishApp,
} from "@app-registry/sdk";
import { type EverythingServer, startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import { type RegistryService, startRegistryService } from "@app-registry/test-kit/registryService";
import { restMetadata, type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import { type Hex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { compileCache } from "../runCli.ts";

const cli = fileURLToPath(new URL("../../", import.meta.url));
const folders = fileURLToPath(new URL("../../../../examples/", import.meta.url));

let registry: TestRegistry;
let service: RegistryService;

beforeAll(async () => {
  registry = await testRegistry();
  service = await startRegistryService(registry);
});
afterAll(() => service.close());

/** Creates a funded account and a DID whose document contains it. */
async function newPublisher(name: string) {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  await registry.chain.setBalance({ address: account.address, value: parseEther("1") });
  return { key, account, did: service.did(name, account.address) };
}

/** Runs a program to its end with only the given environment variables. */
function run(program: string, args: string[], cwd: string, env: Record<string, string>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(program, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

describe("publish-from-ci", () => {
  type Variables = Record<string, string>;
  type Workflow = { env: Variables; jobs: { publish: { steps: { run?: string; env?: Variables }[] } } };

  let folder: string;
  let workflow: Workflow;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "publish-from-ci-"));
    await cp(join(folders, "publish-from-ci"), folder, { recursive: true });
    workflow = parse(await readFile(join(folder, ".github/workflows/publish.yml"), "utf8"));
    // Packages that the step `npm ci` would install.
    const modules = join(folder, "node_modules");
    await mkdir(join(modules, "@app-registry"), { recursive: true });
    await mkdir(join(modules, ".bin"));
    await symlink(cli, join(modules, "@app-registry/cli"));
    await symlink(join(cli, "bin/app-registry.js"), join(modules, ".bin/app-registry"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const withSecret = (variables: Variables, key: Hex): Variables =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(/^\$\{\{ secrets\.PUBLISHER_KEY \}\}$/, key),
      ]),
    );

  /** Runs the job's commands for a tag in a shell, like GitHub, up to the first that fails. */
  async function runJob(tag: string, did: string, key: Hex) {
    const answers: Record<string, unknown>[] = [];
    for (const step of workflow.jobs.publish.steps) {
      if (!step.run || step.run.startsWith("npm ci")) continue;
      const { code, stdout, stderr } = await run("bash", ["-e", "-c", step.run], folder, {
        ...compileCache,
        PATH: process.env.PATH ?? "",
        HOME: folder,
        CI: "true",
        GITHUB_REF_NAME: tag,
        ...workflow.env,
        APP_URL: service.baseUrl,
        DID: did,
        ...withSecret(step.env ?? {}, key),
      });
      if (stdout === "") throw new Error(stderr);
      answers.push({ code, ...JSON.parse(stdout) });
      if (code !== 0) break;
    }
    return answers;
  }

  it("validates and publishes the version of the tag, and sends nothing at the second run", async () => {
    const { key, account, did } = await newPublisher("from-ci");
    const nonce = () => registry.chain.getTransactionCount({ address: account.address });

    const published = { code: 0, did, version: "1.2.0", attested: true };
    expect(await runJob("v1.2.0", did, key)).toMatchObject([
      { code: 0, problems: [] },
      { ...published, status: "published" },
    ]);
    const sent = await nonce();
    expect((await runJob("v1.2.0", did, key))[1]).toMatchObject({
      ...published,
      status: "already-published",
    });
    expect(await nonce()).toBe(sent);
  });

  it("stops at an invalid document without sending a transaction", async () => {
    const { key, account, did } = await newPublisher("from-ci-refused");
    const file = join(folder, "metadata.json");
    const { endpoints, ...incomplete } = JSON.parse(await readFile(file, "utf8"));
    expect(endpoints).toHaveLength(1);
    await writeFile(file, JSON.stringify(incomplete));
    expect(await runJob("v1.0.0", did, key)).toMatchObject([
      { code: 1, problems: [{ pointer: "/endpoints" }] },
    ]);
    expect(await registry.chain.getTransactionCount({ address: account.address })).toBe(0);
  });
});

describe("check-evidence-with-viem", () => {
  it("confirms evidence in at most 60 lines with viem alone, and names an altered line", async () => {
    const program = await readFile(join(folders, "check-evidence-with-viem/main.ts"), "utf8");
    expect(program.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect(program.match(/(?<= from ")[^"]+/g)).toEqual(["node:fs/promises", "viem"]);

    const { account, did } = await newPublisher("with-evidence");
    const client = await connectAppRegistry(service.baseUrl, { account });
    const dataUrl = "https://example.com/metadata.json";
    await publishApp({ client, did, version: "1.0.0", interfaces: 2, metadata: restMetadata(), dataUrl });
    const evidence = await createEvidence({ client, did });
    const folder = await mkdtemp(join(tmpdir(), "check-evidence-"));
    const files = [join(folder, "evidence.json"), join(folder, "deployment.json")] as const;
    await writeFile(files[1], JSON.stringify(registry.deployment));
    const check = async (given: object) => {
      await writeFile(files[0], JSON.stringify(given));
      const args = ["main.ts", ...files, inject("rpcUrl")];
      return run(process.execPath, args, join(folders, "check-evidence-with-viem"), compileCache);
    };

    const { code, stdout, stderr } = await check(evidence);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const fact of ["record", "control", "content", "attested"])
      expect(stdout).toContain(`${fact}: pass, confirmed\n`);
    expect(stdout).toContain("live: unknown, rests on: The checks that a registry makes itself");

    const answer = evidence.calls[0]?.answer.replace(/.$/, "f");
    const altered = { ...evidence, calls: [{ ...evidence.calls[0], answer }, ...evidence.calls.slice(1)] };
    expect(await check(altered)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^calls\[0\]\.answer \(AppRegistry\.getAppSummary\) differs/),
    });
    await rm(folder, { recursive: true });
  });
});

describe("agent-picks-mcp-server", () => {
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 30_000 });
  let server: EverythingServer;

  beforeAll(async () => {
    server = await startEverythingServer();
  });
  afterAll(async () => {
    await server.stop();
    await guardedFetch.close();
  });

  it("rejects a changed document and an endpoint elsewhere, and lists the verified server's tools", async () => {
    const mcpUrl = server.url.replace("127.0.0.1", "localhost");
    const found = createProposal(await discoverService(mcpUrl, { guardedFetch }));
    const texts = {
      description: "Everything",
      publisher: "Example Ltd",
      traits: ["api:mcp", "picked-by-agent"],
    };
    const { metadata } = fillMetadata(texts, found.metadata);
    const { origin, files } = await serveFiles();
    // The services are paths of one host. The server runs on another port, for which the first DID is valid.
    const mcpServerDid = `did:web:localhost%3A${new URL(server.url).port}`;
    const publish = async (name: string) => {
      const { account, did } = await newPublisher(name);
      await registry.attest(mcpServerDid, account.address);
      const client = await connectAppRegistry(service.baseUrl, { account });
      const file = `/${name}.json`;
      files.set(file, JSON.stringify(metadata));
      await publishApp({ client, did, version: "1.0.0", interfaces: 2, metadata, dataUrl: origin + file });
      return { did, change: () => files.set(file, JSON.stringify({ ...metadata, name: "Changed" })) };
    };
    const good = await publish("good-server");
    const changed = await publish("changed-server");
    const elsewhere = await publish("elsewhere-server");
    changed.change();

    const folder = join(folders, "agent-picks-mcp-server");
    const { code, stdout, stderr } = await run(process.execPath, ["agent.ts", "picked-by-agent"], folder, {
      ...compileCache,
      APP_URL: service.baseUrl,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [refusals = "", choice = ""] = stdout.split(/^(?=Chose )/m);
    const getReason = ({ did }: { did: string }) => refusals.split(`Refused ${did}\n`)[1]?.split("\n")[0];
    expect(getReason(changed)).toMatch(/content: fail. .*The document at dataUrl doesn't match the record/);
    expect(getReason(elsewhere)).toContain("origin: fail. The endpoint at localhost:");
    const [chosen, ...tools] = choice.trimEnd().split("\n");
    expect(chosen).toBe(`Chose ${good.did} at ${mcpUrl}`);
    const [mcp] = getEndpoints(metadata as unknown as Metadata);
    expect(mcp?.tools?.length).toBeGreaterThan(0);
    expect(tools).toEqual(mcp?.tools?.map(({ name }) => `  "${name}"`));
  });
});
