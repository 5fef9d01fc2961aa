import { endpointsUnder } from "@app-registry/test-kit/testRegistry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";

let fixture: CliFixture;
let key: Key;
let did: string;

beforeAll(async () => {
  fixture = await createCliFixture();
  key = await fixture.newKey();
  did = fixture.newDid(key);
  const file = await fixture.writeMetadata("First");
  await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0"], key);
});

afterAll(() => fixture.close());

const update = async (name: string, ...more: string[]) =>
  fixture.cli(["update", await fixture.writeMetadata(name), "--did", did, "--json", ...more], key);

describe("update, the alias of publish", () => {
  it("publishes what the changes ask for, refuses a breaking change and an earlier document", async () => {
    const own = fixture.newDid(key);
    const write = (...tools: string[]) =>
      fixture.writeMetadata("Tools", {
        traits: ["api:mcp"],
        endpoints: [
          {
            ...endpointsUnder(own).endpoints[0],
            name: "MCP",
            tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
          },
        ],
      });
    const send = async (command: string, file: string, ...more: string[]) =>
      fixture.cli([command, file, "--did", own, "--json", ...more], key);
    await send("publish", await write("echo"), "--version", "1.0.0");
    const added = await send("update", await write("echo", "sum"));
    expect(added.json()).toMatchObject({ status: "published", action: "update", version: "1.1.0" });

    const old = await send("update", await write("echo"));
    expect(old.json()).toMatchObject({ error: { code: "superseded" } });
    expect(old.code).toBe(1);
    const oldJob = await send("publish", await write("echo"));
    expect(oldJob.json()).toMatchObject({
      error: {
        message: `This document is already published as ${own} 1.0.0, superseded by 1.1.0.`,
        action: "Pass --rollback to publish it again as a new version.",
      },
    });

    const nonce = await fixture.nonce(key);
    const replaced = await send("update", await write("other"));
    expect(replaced.json()).toMatchObject({
      error: {
        message: "The changes may break callers, so they ask for 2.0.0, which mints a new record.",
        action: expect.stringContaining("--new-major"),
      },
    });
    expect(replaced.code).toBe(2);
    expect(await fixture.nonce(key)).toBe(nonce);
    const forced = await send("update", await write("other"), "--version", "patch");
    expect(forced.json()).toMatchObject({ version: "1.1.1" });
    const back = await send("publish", await write("echo"), "--rollback", "--new-major");
    expect(back.json()).toMatchObject({ status: "published", action: "mint", version: "2.0.0" });
  });

  it("publishes a changed document as the next patch, the next minor or the given version", async () => {
    expect((await update("Second")).json()).toMatchObject({ status: "published", version: "1.0.1" });
    expect((await update("Third", "--version", "minor")).json()).toMatchObject({ version: "1.1.0" });
    expect((await update("Fourth", "--version", "1.7.2")).json()).toMatchObject({ version: "1.7.2" });
  });

  it("does nothing for an unchanged document", async () => {
    const nonce = await fixture.nonce(key);
    const { code, json } = await update("Fourth");
    expect(json()).toMatchObject({ status: "already-published", version: "1.7.2" });
    expect(code).toBe(0);
    expect(await fixture.nonce(key)).toBe(nonce);
  });

  it("refuses a step of a version that is not registered", async () => {
    const { code, json } = await update("Fifth", "--version", "minor", "--major", "3");
    expect(json()).toMatchObject({ error: { message: `Major version 3 of ${did} is not registered.` } });
    expect(code).toBe(2);
  });

  it("requires a higher minor version if an interface is added", async () => {
    const file = await fixture.writeMetadata("Sixth", {
      screenshotUrls: ["https://example.com/1.png"],
      platforms: { web: { launchUrl: "https://example.com" } },
    });
    const args = ["update", file, "--did", did, "--interfaces", "api,human", "--version", "patch", "--json"];
    expect((await fixture.cli(args, key)).json()).toMatchObject({
      error: { name: "PublicationConflictError", code: "interfaces" },
    });
  });
});

describe("status", () => {
  it("shows and sets the status, and sends nothing if it is unchanged", async () => {
    expect((await fixture.cli(["status", did, "--json"])).json()).toMatchObject({
      status: "unchanged",
      major: 1,
      recordStatus: "Active",
    });
    const set = await fixture.cli(["status", did, "deprecated", "--json"], key);
    expect(set.json()).toMatchObject({ status: "done", recordStatus: "Deprecated" });
    const nonce = await fixture.nonce(key);
    const again = await fixture.cli(["status", did, "deprecated", "--json"], key);
    expect(again.json()).toMatchObject({ ok: true, status: "unchanged", recordStatus: "Deprecated" });
    expect(await fixture.nonce(key)).toBe(nonce);
    expect((await fixture.cli(["status", did, "gone"], key)).code).toBe(2);
  });

  it("exits with 1 if the registry rejects the account", async () => {
    const stranger = await fixture.newKey();
    const { code, json } = await fixture.cli(["status", did, "replaced", "--json"], stranger);
    expect(json()).toMatchObject({ error: { name: "ContractRevertError", action: expect.any(String) } });
    expect(code).toBe(1);
    expect(await fixture.nonce(stranger)).toBe(0);
  });
});

describe("a record that search hides", () => {
  const show = async () => (await fixture.cli(["status", did, "--json"])).json().recordStatus;

  it("stays hidden with a notice when a version is published, or is reactivated by an option", async () => {
    const hidden = await update("Seventh");
    expect(hidden.json()).toMatchObject({ status: "published", recordStatus: "Deprecated" });
    const shown = await fixture.cli(["update", await fixture.writeMetadata("Eighth"), "--did", did], key);
    expect(shown.stdout).toContain(
      "It is Deprecated, so it's hidden from search by default. To set it to Active, use --reactivate",
    );
    expect((await update("Ninth", "--reactivate")).json()).toMatchObject({
      status: "published",
      recordStatus: "Active",
    });
    expect(await show()).toBe("Active");
    expect((await update("Ninth")).json()).not.toHaveProperty("recordStatus");
  });

  it("is replaced in two transactions: a version with the successor, and the status", async () => {
    const nonce = await fixture.nonce(key);
    const by = ["status", did, "replaced", "--by", "did:web:Next.example.com", "--json"];
    const first = (await fixture.cli(by, key)).json();
    expect(first).toMatchObject({ status: "published", action: "update", recordStatus: "Replaced" });
    expect(await fixture.nonce(key)).toBe(nonce + 2);
    const { json } = (await fixture.registry.publisher.getMetadata(did)) ?? { json: "{}" };
    expect(JSON.parse(json)).toMatchObject({ name: "Ninth", replacedBy: "did:web:next.example.com" });
    expect(await show()).toBe("Replaced");
    // A second call sends nothing.
    expect((await fixture.cli(by, key)).json()).toMatchObject({ status: "already-published" });
    expect(await fixture.nonce(key)).toBe(nonce + 2);
  });

  it("can't be its own successor, and accepts --by only for replaced", async () => {
    const own = await fixture.cli(["status", did, "replaced", "--by", did, "--json"], key);
    expect(own.json()).toMatchObject({ error: { message: expect.stringContaining("can't replace itself") } });
    const active = await fixture.cli(["status", did, "active", "--by", "did:web:next.example.com"], key);
    expect(active.code).toBe(2);
  });
});
