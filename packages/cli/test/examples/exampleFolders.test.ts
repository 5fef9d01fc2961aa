import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createGuardedFetch, createProposal, discoverService } from "@app-registry/outbound";
import { fillMetadata } from "@app-registry/outbound/fill";
import { connectAppRegistry, getEndpoints, type Metadata, publishApp } from "@app-registry/sdk";
import { type EverythingServer, startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import { listen } from "@app-registry/test-kit/listen";
import { type RegistryService, startRegistryService } from "@app-registry/test-kit/registryService";
import {
  endpointsUnder,
  restMetadata,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { programs } from "../programs.ts";
import { compileCache } from "../runCli.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const folders = join(repository, "examples/");

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
  type Step = { uses?: string; run?: string; with?: Record<string, string>; env?: Record<string, string> };

  let folder: string;
  /** Folder of the runner's own files, outside the repository. */
  let runner: string;
  let inputs: Record<string, string>;
  let install: Step;
  let step: Step;
  /** Path of the installed command. */
  let program = "";
  let gitHub: GitHubApi;
  let packages: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "publish-from-ci-"));
    await cp(join(folders, "publish-from-ci"), folder, { recursive: true });
    const readYaml = async (file: string) => parse(await readFile(file, "utf8"));
    const workflow = await readYaml(join(folder, ".github/workflows/publish.yml"));
    const used = (workflow.jobs.publish.steps as Step[]).find(({ uses }) => uses?.includes("/action@"));
    const { inputs: declared, runs } = await readYaml(join(repository, "action/action.yml"));
    const defaults = Object.entries<{ default?: string }>(declared).map(([name, one]) => [
      name,
      one.default ?? "",
    ]);
    inputs = { ...Object.fromEntries(defaults), ...used?.with, "github-token": "token-of-the-run" };
    [install, step] = runs.steps;
    gitHub = await startGitHubApi();
    runner = await mkdtemp(join(tmpdir(), "runner-"));
    const tarball = await packProgram(runner);
    packages = await listen(createServer((_, response) => response.end(tarball)));
    inputs.package = `${packages.origin}/app-registry-cli.tgz`;
    inputs.integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  });
  afterAll(async () => {
    await gitHub.close();
    await packages.close();
    for (const place of [folder, runner]) await rm(place, { recursive: true });
  });

  /** Returns a package whose program is this repository's command. */
  async function packProgram(place: string): Promise<Buffer> {
    await mkdir(join(place, "package/bin"), { recursive: true });
    const program = pathToFileURL(programs.cli).href;
    await writeFile(join(place, "package/bin/app-registry.js"), `import(${JSON.stringify(program)});`);
    await run("tar", ["-czf", "cli.tgz", "package"], place, { PATH: process.env.PATH ?? "" });
    return readFile(join(place, "cli.tgz"));
  }

  /** Runs the action's steps in a shell, like GitHub. Installs the command only once. */
  async function runAction(event: string, did: string, key: string) {
    const files = ["event", "output", "summary"].map((name) => join(runner, `github-${name}`));
    const [eventPath = "", outputPath = "", summaryPath = ""] = files;
    const pull = event.startsWith("pull_request") ? { pull_request: { number: 5 } } : {};
    await Promise.all(files.map((file) => writeFile(file, file === eventPath ? JSON.stringify(pull) : "")));
    const given: Record<string, string> = { ...inputs, did, registry: service.baseUrl, "private-key": key };
    const isSkipped = (condition: string) => condition !== "" && !condition.includes(`"${event}"`);
    const evaluate = (value: string) =>
      value
        .replace(
          /^\$\{\{ (contains\(fromJSON\('[^']*'\), github\.event_name\) && |)inputs\.([a-z-]+)(?: \|\| '')? \}\}$/,
          (_, condition, input) => (isSkipped(condition) ? "" : (given[input] ?? "")),
        )
        .replace(/^\$\{\{ steps\.install\.outputs\.program \}\}$/, program);
    const runStep = (one: Step) =>
      run("bash", ["-e", "-c", one.run ?? ""], folder, {
        ...compileCache,
        PATH: process.env.PATH ?? "",
        HOME: runner,
        RUNNER_TEMP: runner,
        CI: "true",
        GITHUB_ACTION_PATH: join(repository, "action"),
        GITHUB_GRAPHQL_URL: gitHub.origin,
        GITHUB_REPOSITORY: "acme/weather",
        GITHUB_EVENT_NAME: event,
        GITHUB_EVENT_PATH: eventPath,
        GITHUB_OUTPUT: outputPath,
        GITHUB_STEP_SUMMARY: summaryPath,
        ...Object.fromEntries(Object.entries(one.env ?? {}).map(([name, value]) => [name, evaluate(value)])),
      });
    if (program === "") {
      const installed = await runStep(install);
      if (installed.code !== 0) return { ...installed, outputs: [], summary: "" };
      [, program = ""] = (await readFile(outputPath, "utf8")).match(/^program=(.+)$/m) ?? [];
      await writeFile(outputPath, "");
    }
    const ran = await runStep(step);
    const outputs = (await readFile(outputPath, "utf8")).trim().split("\n").sort();
    return { ...ran, outputs, summary: await readFile(summaryPath, "utf8") };
  }

  const writeDocument = (change: object) =>
    writeFile(join(folder, "metadata.json"), JSON.stringify(restMetadata("From CI", change)));
  const tools = ["echo", "sum"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const mcp = (did: string, listed: object[]) => ({
    traits: ["api:mcp"],
    endpoints: [{ ...endpointsUnder(did).endpoints[0], name: "MCP", tools: listed }],
  });

  it("installs no package with another integrity, without the key", async () => {
    const { key, account, did } = await newPublisher("from-ci-altered");
    const { integrity } = inputs;
    inputs.integrity = `sha512-${"A".repeat(86)}==`;
    const refused = await runAction("push", did, key);
    inputs.integrity = integrity ?? "";
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`has the integrity ${integrity}`),
    });
    expect(Object.values(install.env ?? {}).join()).not.toContain("private-key");
    expect(await registry.chain.getTransactionCount({ address: account.address })).toBe(0);
  });

  it("publishes, sends nothing again, and comments once what a removed tool asks for", async () => {
    const { key, account, did } = await newPublisher("from-ci");
    const nonce = () => registry.chain.getTransactionCount({ address: account.address });
    await writeDocument(mcp(did, tools));
    expect(await runAction("push", did, key)).toMatchObject({
      code: 0,
      summary: `Published ${did} 1.0.0\n`,
      outputs: [expect.stringMatching(/^page=http/), "status=published", "version=1.0.0"],
    });
    const sent = await nonce();
    expect(await runAction("push", did, key)).toMatchObject({
      code: 0,
      summary: `Already published: ${did} 1.0.0\n`,
      outputs: [expect.stringMatching(/^page=http/), "status=already-published", "version=1.0.0"],
    });

    expect(await runAction("pull_request", did, "")).toMatchObject({ code: 0, outputs: ["version=1.0.0"] });
    expect(gitHub.comments).toEqual([]);
    const marker = `<!-- app-registry ${did} -->\n`;
    gitHub.comments.push({ id: "IC_1", body: `${marker}planted`, viewerDidAuthor: false });
    await writeDocument(mcp(did, tools.slice(1)));
    for (let times = 0; times < 2; times += 1) {
      expect(await runAction("pull_request", did, "")).toMatchObject({ code: 0, outputs: ["version=2.0.0"] });
    }
    const [planted, comment, ...others] = gitHub.comments;
    expect(planted?.body).toBe(`${marker}planted`);
    expect(others).toEqual([]);
    expect(comment?.body).toContain("Asks for version 2.0.0 (major) after 1.0.0");
    expect(comment?.body).toContain("- removed tool ` echo ` (may break callers: ` it was removed `)");
    expect(gitHub.tokens).toEqual(new Set(["Bearer token-of-the-run"]));
    expect(await nonce()).toBe(sent);
  });

  it("fails for a document with problems, and comments them", async () => {
    const { key, account, did } = await newPublisher("from-ci-refused");
    await writeDocument({ endpoints: [] });
    const { code, summary } = await runAction("pull_request", did, key);
    expect(code).toBe(1);
    expect(summary).toContain("**To fix before publishing:**");
    expect(gitHub.comments.at(-1)?.body).toContain(summary.trim());
    expect(await runAction("push", did, key)).toMatchObject({ code: 1, outputs: [""] });
    expect(await registry.chain.getTransactionCount({ address: account.address })).toBe(0);
  });

  it("runs nothing of a pull request, reads no file that it links, and quotes its text", async () => {
    const { key, did } = await newPublisher("from-attacker");
    const trap = join(runner, "trapped");
    await writeFile(
      join(folder, "trap.cjs"),
      `require("node:fs").writeFileSync(${JSON.stringify(trap)}, "")`,
    );
    await writeFile(join(folder, ".npmrc"), `node-options=--require ${join(folder, "trap.cjs")}\n`);
    await writeDocument(mcp(did, tools));
    program = "";
    expect(await runAction("pull_request", did, key)).toMatchObject({ code: 0, outputs: ["version=1.0.0"] });
    const before = gitHub.comments.at(-1)?.body;

    await writeFile(
      join(folder, "metadata.json"),
      '{"<h3>a\\u202e</h3>` @org/team": 1, "<h3>a\\u202e</h3>` @org/team": 2}',
    );
    const { code, summary } = await runAction("pull_request", did, key);
    expect(code).toBe(1);
    expect(summary).toMatch(/^`` .*<h3>a .* ``\n$/);
    expect(gitHub.comments.at(-1)?.body).toBe(`<!-- app-registry ${did} -->\n${summary.trim()}`);
    expect(before).toContain("would be published as 1.0.0");

    await writeFile(join(runner, "secret.json"), '{"auths":"secret"}');
    await rm(join(folder, "metadata.json"));
    await symlink(join(runner, "secret.json"), join(folder, "metadata.json"));
    const refused = "` metadata is a link. Name the file that it leads to. `";
    expect(await runAction("pull_request", did, key)).toMatchObject({ code: 1, summary: `${refused}\n` });
    expect(gitHub.comments.at(-1)?.body).toBe(`<!-- app-registry ${did} -->\n${refused}`);
    await rm(join(folder, "metadata.json"));
    await expect(access(trap)).rejects.toThrow();
    await rm(join(folder, ".npmrc"));
  });

  it("audits the servers of the repository's clients, and quotes their names", async () => {
    const name = "</b>`\u202e](https://a.example)";
    const servers = { [name]: { url: "https://stranger.example/mcp?key=secret" }, local: { command: "npx" } };
    await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
    const before = gitHub.comments.length;
    inputs.audit = "true";
    const { code, stdout, summary } = await runAction("pull_request", "", "");
    inputs.audit = "false";
    await rm(join(folder, ".mcp.json"));
    expect(code).toBe(1);
    expect(summary.split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(
        /^- \*\*unregistered\*\* `` <\/b>` \]\(https:\/\/a\.example\) `` ` https:\/\/stranger\.example\/mcp `/,
      ),
      "- **program** ` local ` ` npx `",
    ]);
    expect(stdout).not.toContain("secret");
    expect(gitHub.comments).toHaveLength(before);
  });

  it("only summarizes if the token can't comment, and refuses pull_request_target", async () => {
    const { did } = await newPublisher("from-fork");
    await writeDocument(mcp(did, tools));
    const before = gitHub.comments.length;
    gitHub.readOnly = true;
    const { code, stdout, summary } = await runAction("pull_request", did, "");
    expect({ code, summary }).toEqual({
      code: 0,
      summary: expect.stringContaining("would be published as 1.0.0"),
    });
    expect(stdout).toMatch(/^::warning::The comment can't be written/);
    expect(gitHub.comments).toHaveLength(before);
    expect(await runAction("pull_request_target", did, "")).toMatchObject({ code: 1, summary: "" });
  });
});

type GitHubApi = Awaited<ReturnType<typeof startGitHubApi>>;

/** Starts a server with the parts of GitHub's GraphQL API for comments on a pull request, two per page. */
async function startGitHubApi() {
  type Comment = { id: string; body: string; viewerDidAuthor: boolean };
  const state = { comments: [] as Comment[], tokens: new Set<string | undefined>(), readOnly: false };
  const answer = (query: string, { id, body, after }: Record<string, string | null>) => {
    if (query.startsWith("query")) {
      const start = Number(after ?? 0);
      const pageInfo = { hasNextPage: start + 2 < state.comments.length, endCursor: String(start + 2) };
      const comments = { nodes: state.comments.slice(start, start + 2), pageInfo };
      return { data: { repository: { pullRequest: { id: "PR_5", comments } } } };
    }
    if (state.readOnly)
      return { data: null, errors: [{ message: "Resource not accessible by integration" }] };
    const existing = state.comments.find((one) => one.id === id);
    if (existing) existing.body = body ?? "";
    else
      state.comments.push({ id: `IC_${state.comments.length + 1}`, body: body ?? "", viewerDidAuthor: true });
    return { data: {} };
  };
  const server = createServer(async (request, response) => {
    state.tokens.add(request.headers.authorization);
    const { query, variables } = (await json(request)) as {
      query: string;
      variables: Record<string, string>;
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(query, variables)));
  });
  return Object.assign(state, await listen(server));
}

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

  it.runIf(process.env.TEST_LONG)(
    "rejects a changed document and an endpoint elsewhere, and lists the verified server's tools",
    async () => {
      const mcpUrl = server.url.replace("127.0.0.1", "localhost");
      const found = createProposal(await discoverService(mcpUrl, { guardedFetch }));
      const texts = {
        description: "Everything",
        publisher: "Example Ltd",
        traits: ["api:mcp", "picked-by-agent"],
      };
      const { metadata: filled } = fillMetadata(texts, found.metadata);
      const { origin, files } = await serveFiles();
      // The services are paths of one host. The server runs on another port, for which the first DID is valid.
      const mcpServerDid = `did:web:localhost%3A${new URL(server.url).port}`;
      const publish = async (name: string, url = mcpUrl) => {
        const { account, did } = await newPublisher(name);
        const proven = url === mcpUrl ? mcpServerDid : `did:web:localhost%3A${new URL(url).port}`;
        const metadata = JSON.parse(JSON.stringify(filled).replaceAll(mcpUrl, url));
        await registry.attest(proven, account.address);
        const client = await connectAppRegistry(service.baseUrl, { account });
        const file = `/${name}.json`;
        files.set(file, JSON.stringify(metadata));
        await publishApp({ client, did, version: "1.0.0", interfaces: 2, metadata, dataUrl: origin + file });
        return { did, change: () => files.set(file, JSON.stringify({ ...metadata, name: "Changed" })) };
      };
      // One of the servers that are down comes before the good one, whatever the order of the search.
      const down = ["http://localhost:18769/mcp", "http://localhost:18770/mcp"] as const;
      await publish("down-server-before", down[0]);
      const good = await publish("good-server");
      await publish("down-server-after", down[1]);
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
      expect(down.some((url) => refusals.includes(`  Its server at ${url} doesn't respond.\n`))).toBe(true);
      const [mcp] = getEndpoints(filled as unknown as Metadata);
      expect(mcp?.tools?.length).toBeGreaterThan(0);
      expect(tools).toEqual(mcp?.tools?.map(({ name }) => `  "${name}"`));
    },
  );
});
