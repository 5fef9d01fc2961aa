import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { describe, expect, it } from "vitest";
import { runCli } from "../../test/runCli.ts";

const openapi = {
  openapi: "3.1.0",
  info: { title: "Weather", version: "2.0.0" },
  servers: [{ url: "https://api.example.com" }],
};

const card = {
  name: "Planner",
  description: "Plans.",
  version: "1.0.0",
  supportedInterfaces: [],
  skills: [],
};

/** URL with a permitted port on which nothing listens. */
const silent = "http://127.0.0.1:18769";

describe("init", () => {
  it("writes a file from an OpenAPI document that can be published unchanged", async () => {
    const { files, origin } = await serveFiles();
    files.set("/openapi.json", JSON.stringify(openapi));
    const cwd = await mkdtemp(join(tmpdir(), "app-registry-init-"));
    const { code, json } = await runCli(["init", `${origin}/openapi.json`, "--json"], { cwd });
    expect(json()).toMatchObject({ ok: true, file: "metadata.json", problems: [] });
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(join(cwd, "metadata.json"), "utf8"))).toEqual({
      name: "Weather",
      description: "A REST API.",
      publisher: new URL(origin).host,
      traits: ["api:rest"],
      endpoints: [
        {
          name: "REST",
          endpoint: "https://api.example.com/",
          schemaUrl: `${origin}/openapi.json`,
          interfaceVersions: ["2.0.0"],
        },
      ],
    });
  });

  it("keeps an existing file unless it may be overwritten", async () => {
    const { files, origin } = await serveFiles();
    files.set("/openapi.json", JSON.stringify(openapi));
    const file = join(await mkdtemp(join(tmpdir(), "app-registry-init-")), "mine.json");
    await writeFile(file, "mine");
    const args = ["init", `${origin}/openapi.json`, "--out", file];
    const refused = await runHere(args);
    expect(refused).toMatchObject({ code: 2, text: expect.stringContaining("--force") });
    expect(await readFile(file, "utf8")).toBe("mine");
    expect((await runHere([...args, "--force"])).code).toBe(0);
    expect(await readFile(file, "utf8")).toContain("Weather");
  });

  it("finds an agent card, and prefers the options to its content", async () => {
    const { files, origin } = await serveFiles();
    files.set("/.well-known/agent-card.json", JSON.stringify(card));
    const options = ["--name", "Mine", "--publisher", "Example Ltd", "--traits", "travel, api:a2a"];
    const { code, text } = await runHere(["init", origin, "--out", "-", ...options]);
    expect(JSON.parse(text)).toMatchObject({
      name: "Mine",
      description: "Plans.",
      publisher: "Example Ltd",
      traits: ["api:a2a", "travel"],
      endpoints: [{ name: "A2A", endpoint: `${origin}/.well-known/agent-card.json` }],
    });
    expect(code).toBe(0);
  });

  const agent = {
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name: "Images",
    description: "Draws images.",
    registrations: [],
  };

  it("exits with 1 and lists the problems that publish would report", async () => {
    const { files, origin } = await serveFiles();
    files.set(
      "/agent.json",
      JSON.stringify({ ...agent, services: [{ name: "ENS", endpoint: "images.eth" }] }),
    );
    const { code, json } = await runCli(["init", `${origin}/agent.json`, "--out", "-", "--json"]);
    expect(json()).toMatchObject({
      ok: false,
      problems: [{ code: "missing-api-trait" }, { code: "missing-endpoint" }],
    });
    expect(code).toBe(1);
  });

  it("exits with 3 for an unreachable server, with 1 for another kind of server, with 2 without a URL", async () => {
    expect((await runHere(["init", `${silent}/mcp`, "--out", "-"])).code).toBe(3);
    const { origin } = await serveFiles();
    const other = await runHere(["init", `${origin}/mcp`, "--kind", "mcp", "--out", "-"]);
    expect(other.json()).toMatchObject({
      error: { code: "nothing-found" },
      looked: expect.arrayContaining([expect.objectContaining({ place: `${origin}/mcp`, status: 404 })]),
    });
    expect(other.code).toBe(1);
    expect((await runHere(["init"])).code).toBe(2);
  });

  it("lists two agents of a catalog and uses the chosen one, by number, identifier or URL", async () => {
    const { files, origin } = await serveFiles();
    const agent = (name: string) => ({
      ...card,
      name,
      skills: [{ id: name, name, description: name, tags: [name] }],
    });
    const place = (name: string) => `/${name}/.well-known/agent-card.json`;
    const entry = (name: string) => ({
      identifier: `urn:air:example.com:agent:${name}`,
      type: "application/a2a-agent-card+json",
      url: origin + place(name),
    });
    const entries = [entry("tailor"), entry("baker")];
    files.set("/.well-known/ai-catalog.json", JSON.stringify({ specVersion: "1.0", entries }));
    for (const name of ["tailor", "baker"]) files.set(place(name), JSON.stringify(agent(name)));

    const unclear = await runHere(["init", origin, "--out", "-"]);
    expect(unclear.code).toBe(2);
    expect(unclear.json()).toMatchObject({
      ok: false,
      error: { name: "UsageError", action: expect.stringContaining("--choose") },
      found: [
        { number: 1, name: "tailor", identifier: entry("tailor").identifier },
        { number: 2, name: "baker", url: entry("baker").url },
      ],
    });
    expect(unclear.text).toContain(
      `1. a2a "tailor" at ${entry("tailor").url}, ${entry("tailor").identifier}`,
    );
    for (const choice of ["2", entry("baker").identifier, entry("baker").url]) {
      const { code, text } = await runHere(["init", origin, "--choose", choice, "--out", "-"]);
      expect(JSON.parse(text)).toMatchObject({ name: "baker", traits: ["api:a2a", "baker"] });
      expect(text).not.toContain("tailor");
      expect(code).toBe(0);
    }
    for (const choice of ["3", "0", "urn:other"]) {
      expect((await runHere(["init", origin, "--choose", choice, "--out", "-"])).code).toBe(2);
    }
    // Another kind than that of the chosen service.
    expect((await runHere(["init", origin, "--kind", "mcp", "--out", "-"])).code).toBe(1);
  });
});

describe("init, with variables in the address of a server", () => {
  const card = (variables: object) => ({
    name: "com.example/weather",
    description: "Forecasts.",
    remotes: [{ type: "streamable-http", url: "/{tenant}/{region}/mcp", variables }],
  });

  it("lists the variables without a value", async () => {
    const { files, origin } = await serveFiles();
    const variables = { tenant: { description: "Your tenant." }, region: { default: "../eu" } };
    files.set("/server.json", JSON.stringify(card(variables)));
    const { code, text } = await runHere(["init", `${origin}/server.json`, "--out", "-"]);
    expect(code).toBe(2);
    expect(text.replaceAll(/\s+/g, " ")).toBe(
      `error The address ${origin}/{tenant}/{region}/mcp has variables without a value: tenant (Your tenant.), region. ` +
        "Add --variable tenant=<value> --variable region=<value>.",
    );
  });

  it("uses the values of --variable", async () => {
    const { files, origin } = await serveFiles();
    files.set("/server.json", JSON.stringify(card({ region: { default: "eu" } })));
    const { text } = await runHere([
      ...["init", `${origin}/server.json`, "--out", "-"],
      ...["--variable", "tenant=acme", "--variable", "region=us"],
    ]);
    expect(JSON.parse(text)).toMatchObject({
      endpoints: [{ name: "MCP", endpoint: `${origin}/acme/us/mcp` }],
    });
  });

  it("names the variables of the address for an unknown one", async () => {
    const { files, origin } = await serveFiles();
    files.set("/server.json", JSON.stringify(card({})));
    const { code, json } = await runHere([
      ...["init", `${origin}/server.json`, "--out", "-", "--variable", "tennant=acme"],
    ]);
    expect(json()).toMatchObject({
      error: {
        message: `The address ${origin}/{tenant}/{region}/mcp has no variable named "tennant".`,
        action: "Use one of: tenant, region.",
      },
    });
    expect(code).toBe(2);
  });

  it("rejects a value without a name", async () => {
    const { code, text } = await runHere(["init", "https://example.com", "--variable", "acme"]);
    expect(code).toBe(2);
    expect(text).toContain('"acme" is not a variable.');
  });
});
