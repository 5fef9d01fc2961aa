import { describe, expect, it } from "vitest";
import { runCli } from "../../test/cli/runCli.ts";
import { runHere } from "../../test/cli/runHere.ts";
import { deadOrigin, serveFiles } from "../../test/httpServer.ts";

const did = "did:web:example.com";

describe("the command line", () => {
  it("prints its help, and that of a command with examples", async () => {
    const help = await runCli(["--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["verify", "publish", "reclaim"])
      expect(help.stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    const { code, stdout } = await runCli(["publish", "--help"]);
    expect(stdout).toContain("$ app-registry publish");
    expect(code).toBe(0);
  });

  it("writes an error for people to standard error, and for programs as JSON to standard output", async () => {
    const args = ["verify", did];
    const [plain, json] = await Promise.all([runCli(args), runCli([...args, "--json"])]);
    expect(plain).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("which registry") });
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
    ["a text that is no DID", ["verify", "example.com"]],
    ["a version that is none", ["verify", `${did}@one`]],
    ["a time that is none", ["verify", did, "--timeout", "soon"]],
    ["a registry that is no URL", ["verify", did, "--registry", "example"]],
    ["a deployment that is not there", ["verify", did, "--deployment", "/nowhere.json"]],
  ])("ends with 2 for %s", async (_, args) => {
    const { code, json } = await runHere(args);
    expect(json()).toMatchObject({ ok: false, error: { exitCode: 2, retryable: false } });
    expect(code).toBe(2);
  });

  it("ends with 3 when the registry's web service is away, or something else answers in its place", async () => {
    const { origin } = await serveFiles();
    for (const url of [deadOrigin, origin]) {
      const { code, json } = await runHere(["verify", did, "--registry", url]);
      expect(json()).toMatchObject({
        ok: false,
        error: { name: "ServiceUnavailableError", retryable: true, exitCode: 3 },
      });
      expect(code).toBe(3);
    }
  });

  it.each(["--private-key", "--private-key=", "--mnemonic", "--password", "--key"])(
    "refuses %s without repeating what was given",
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
