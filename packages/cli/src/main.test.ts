import { readFile } from "node:fs/promises";
import { deadOrigin, serveFiles, serveHttp } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { describe, expect, it, vi } from "vitest";
import { runCli, spawnCli } from "../test/runCli.ts";
import { runProgram } from "./run.ts";

const did = "did:web:example.com";

/** Returns the help of a command, run in this process. It must write nothing to standard error. */
async function helpHere(args: readonly string[]): Promise<string> {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const errors = vi.spyOn(process.stderr, "write");
  try {
    const screen = { json: false, interactive: false, note: () => undefined };
    // Help has no outcome, so the process exits with 0.
    expect(await runProgram(args, screen)).toBeUndefined();
    expect(errors).not.toHaveBeenCalled();
    return written.mock.calls.map(([text]) => text).join("");
  } finally {
    written.mockRestore();
    errors.mockRestore();
  }
}

describe("the command line", () => {
  it("prints its help, and the help of a command with examples", async () => {
    const help = await spawnCli(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["verify", "publish", "reclaim"])
      expect(help.stdout).toMatch(new RegExp(`^  ${name}[ |]`, "m"));
    expect(await helpHere(["publish", "--help"])).toContain("$ app-registry publish");
  });

  it("prints the version of the package", async () => {
    const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    for (const option of ["--version", "-V"])
      expect(await runCli([option])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect((await runCli(["--version", "--json"])).json()).toEqual({ ok: true, version });
    expect(await helpHere(["--help"])).toContain("-V, --version");
  });

  it.each([
    [[], "app-registry"],
    [["help"], "app-registry"],
    [["-h"], "app-registry"],
    [["help", "publish"], "app-registry publish\\|update"],
    [["challenge"], "app-registry challenge"],
    [["reclaim", "help", "open"], "app-registry reclaim open"],
    [["help", "challenge", "show"], "app-registry challenge show"],
  ])("prints help for %j on standard output without an error", async (args, name) => {
    expect(await helpHere(args)).toMatch(new RegExp(`^Usage: ${name} `));
  });

  it("prints the help of every listed command", async () => {
    const help = await helpHere(["--help"]);
    const names = [...help.matchAll(/^ {2}([a-z]+) .*(?:\[|<| {2})/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names.filter((name) => name !== "help")) {
      expect(await helpHere([name, "--help"])).toMatch(new RegExp(`^Usage: app-registry ${name} `));
    }
  });

  it.each([[["--json"]], [["challenge", "--json"]], [["help", "frobnicate", "--json"]]])(
    "returns a JSON error for the missing or unknown command in %j",
    async (args) => {
      const { code, stderr, json } = await runCli(args);
      const message = expect.stringMatching(/^(No command specified|Unknown command 'frobnicate')\.$/);
      expect(json()).toMatchObject({ ok: false, error: { name: "UsageError", message } });
      expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    },
  );

  it("writes an error to standard error, or with --json to standard output", async () => {
    const args = ["verify", did];
    const [plain, json] = await Promise.all([spawnCli(args), spawnCli([...args, "--json"])]);
    expect(plain).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("No registry is configured"),
    });
    expect(json).toMatchObject({ code: 2, stderr: "" });
    expect(json.json()).toEqual({
      ok: false,
      error: {
        name: "UsageError",
        message: expect.any(String),
        action: expect.stringContaining("--registry"),
        docsPath: "/cli",
        retryable: false,
        exitCode: 2,
      },
    });
  });

  it.each([
    ["an unknown command", ["frobnicate"]],
    ["an unknown option", ["verify", did, "--frobnicate"]],
    ["a missing argument", ["verify"]],
    ["a text that names nothing", ["verify", "example"]],
    ["an invalid version", ["verify", `${did}@one`]],
    ["an invalid time", ["verify", did, "--timeout", "soon"]],
    ["a registry that is no URL", ["verify", did, "--registry", "example"]],
    ["a deployment that is not there", ["verify", did, "--deployment", "/nowhere.json"]],
  ])("exits with 2 for %s", async (_, args) => {
    const { code, json } = await runHere(args);
    expect(json()).toMatchObject({ ok: false, error: { exitCode: 2, retryable: false } });
    expect(code).toBe(2);
  });

  it("exits with 2 for a registry URL with a password, which it doesn't repeat", async () => {
    const { code, json } = await runHere(["verify", did, "--registry", "http://user:secret@a.example"]);
    const written = JSON.stringify(json());
    expect(written).toContain("--registry can't contain a user name or a password.");
    expect(written).not.toContain("secret");
    expect(code).toBe(2);
  });

  it("exits with 3 if the registry's web service is unavailable or fails temporarily", async () => {
    const busy = await serveHttp((_, response) => response.writeHead(503).end("<html>"));
    const early = await serveHttp((_, response) => response.writeHead(425).end("<html>"));
    for (const url of [busy, early]) {
      const { code, json } = await runHere(["verify", did, "--registry", url]);
      expect(json()).toMatchObject({ error: { name: "ServiceError", retryable: true, exitCode: 3 } });
      expect(code).toBe(3);
    }
    const other = await serveHttp((_, response) => response.end("<html>"));
    for (const url of [deadOrigin, other]) {
      const { code, json } = await runHere(["verify", did, "--registry", url]);
      expect(json()).toMatchObject({
        ok: false,
        error: { name: "ServiceUnavailableError", retryable: true, exitCode: 3 },
      });
      expect(code).toBe(3);
    }
  });

  it.each([
    ["a registry", (origin: string) => ["verify", did, "--registry", origin], "Check the base URL."],
    ["a document", (origin: string) => ["hash", `${origin}/metadata.json`], "Check the URL"],
    ["an OpenAPI document", (origin: string) => ["init", `${origin}/openapi.json`, "--out", "-"], ""],
    ["a service", (origin: string) => ["init", origin, "--out", "-"], ""],
  ])("does not suggest a retry if the URL of %s returns 404", async (_, command, action) => {
    const { origin } = await serveFiles("text/html");
    const { code, json, text } = await runHere(command(origin));
    expect(json()).toMatchObject({ ok: false, error: { retryable: false, exitCode: 1 } });
    expect(text).toContain("404");
    expect(text).toContain(action);
    expect(text).not.toMatch(/again/i);
    expect(code).toBe(1);
  });

  it.each(["--private-key", "--private-key=", "--mnemonic", "--password", "--key"])(
    "rejects %s without repeating its value",
    async (option) => {
      const secret = "4c0883a69102937d6231471b5dbb6204fe512961708279";
      const args = option.endsWith("=") ? [`${option}${secret}`] : [option, secret];
      const { code, text, json } = await runHere(["status", did, "deprecated", ...args]);
      expect(code).toBe(2);
      expect(text).toContain("PRIVATE_KEY");
      expect(text + JSON.stringify(json())).not.toContain(secret);
    },
  );
});
