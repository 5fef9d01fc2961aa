import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { restMetadata } from "@app-registry/test-kit/testRegistry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";

let fixture: CliFixture;
let key: Key;

beforeAll(async () => {
  fixture = await createCliFixture();
});
afterAll(() => fixture.close());

let folders = 0;

/** Writes documents of new services into a new folder. */
async function writeServices(count: number) {
  key = await fixture.newKey();
  const folder = join(fixture.directory, `services-${folders++}`);
  await mkdir(folder);
  const services = Array.from({ length: count }, (_, index) => ({
    name: `service-${index}-of-${folders}`,
    did: fixture.service.did(`service-${index}-of-${folders}`, key.address),
  }));
  for (const { name } of services)
    await writeFile(join(folder, `${name}.json`), JSON.stringify(restMetadata(name)));
  const dids = services.map(({ did }) => did);
  const lines = services.map(({ name, did }) => JSON.stringify({ file: `${name}.json`, did }));
  const list = join(folder, "services.jsonl");
  await writeFile(list, `${lines.join("\n")}\n`);
  return { folder, list, dids, template: `did:web:${fixture.service.didHost}:{name}` };
}

type Row = { did: string; status: string; version: string; error?: { name: string; code?: string } };
const readRows = (json: Record<string, unknown>) => json.services as Row[];

describe("publish, with several documents", () => {
  it("names the files of a folder, and fails with the services that couldn't be published", async () => {
    const { folder, dids, template } = await writeServices(3);
    const name = `foreign-${folders}`;
    const did = fixture.newDid(await fixture.newKey());
    await writeFile(join(folder, `${did.split(":").at(-1)}.json`), JSON.stringify(restMetadata(name)));
    await writeFile(join(folder, "broken.json"), "{");
    const args = ["publish", folder, "--did", template, "--version", "1.0.0"];
    const { code, json } = await fixture.cli([...args, "--json"], key);
    expect(code).toBe(1);
    expect(json()).toMatchObject({ ok: false, status: "incomplete" });
    const failed = readRows(json()).filter(({ status }) => status === "failed");
    expect(failed.map(({ error }) => error?.code ?? error?.name).sort()).toEqual([
      "not-json",
      "wallet-not-in-did-document",
    ]);
    expect(readRows(json()).filter(({ status }) => status === "published")).toHaveLength(3);
    const { publisher } = fixture.registry;
    for (const published of dids) {
      const { dataHash } = await publisher.getAppSummary({ did: published, major: 1 });
      expect(await publisher.checkDataHashAttestation({ did: published, dataHash })).toBe(true);
    }
    // A second run sends nothing.
    const { stdout } = await fixture.cli(args, key);
    expect(await fixture.nonce(key)).toBe(3);
    expect(stdout).toContain("3 done, 2 failed.");
    expect(stdout).toMatch(new RegExp(`${dids[0]} +1\\.0\\.0 +already-published`));
    expect(stdout).toContain(`${did}: `);
  });

  it("shows in a dry run what it would send, and publishes the next versions", async () => {
    const { folder, list, dids } = await writeServices(2);
    const plan = async () => {
      const next = ["publish", "--list", list, "--json"];
      const planned = (await fixture.cli([...next, "--dry-run", "--from", key.address])).json();
      expect(planned.status).toBe("dry-run");
      return readRows(planned).map(({ status, version }) => `${status} ${version}`);
    };
    expect(await plan()).toEqual(["mint 1.0.0", "mint 1.0.0"]);
    expect((await fixture.cli(["publish", "--list", list], key)).code).toBe(0);
    const file = join(folder, `${dids[0]?.split(":").at(-1)}.json`);
    await writeFile(file, JSON.stringify(restMetadata("Changed")));
    expect(await plan()).toEqual(["update 1.0.1", "none 1.0.0"]);
    expect(await fixture.nonce(key)).toBe(2);
  });

  it.each([
    [
      "several documents with one DID",
      ["a.json", "b.json", "--did", "did:web:example.com", "--version", "1.0.0"],
    ],
    ["an option of one record", ["a.json", "b.json", "--list", "x.jsonl", "--contract-id", "eip155:1:0x"]],
    ["no document", ["--did", "did:web:example.com", "--version", "1.0.0"]],
    ["no DID", ["a.json", "--version", "1.0.0"]],
    ["a list with an unknown field", ["--list", "unknown.jsonl", "--version", "1.0.0"]],
  ])("refuses %s before anything is sent", async (_, args) => {
    await fixture.write("unknown.jsonl", '{"file":"a.json","did":"did:web:example.com","name":"x"}');
    const { code, json } = await fixture.cli(["publish", ...args, "--json"], await fixture.newKey());
    expect(json()).toMatchObject({ ok: false });
    expect(code).not.toBe(0);
  });
});
