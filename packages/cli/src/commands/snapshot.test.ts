import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SnapshotManifest, signSnapshot, snapshotLine } from "@app-registry/sdk";
import { abiHash } from "@app-registry/sdk/internal";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deadOrigin, serveFiles, serveHttp } from "../../../sdk/test/httpServer.ts";
import { runHere } from "../../test/runHere.ts";

const account = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey()).address;
const registry = "0x00000000000000000000000000000000000000AA";

async function snapshotOf(
  day: string,
  chainId = 31337,
): Promise<{ manifest: SnapshotManifest; ndjson: string }> {
  const takenAt = Date.parse(day) / 1_000 + 600;
  const ndjson = [1, 2, 3]
    .map((tokenId) => {
      const did = `did:web:host-${tokenId}.example`;
      const what = {
        tokenId: String(tokenId),
        did,
        version: "1.0.0",
        dataHash: `0x${"ab".repeat(32)}`,
      } as const;
      const asked = { outcome: "answers", drift: null, probedAt: takenAt - 9, answeredAt: null } as const;
      return `${snapshotLine({ ...what, ...asked })}\n`;
    })
    .join("");
  const sha256 = `0x${createHash("sha256").update(ndjson).digest("hex")}` as const;
  const place = { chainId, registry, day, takenAt, block: 1 } as const;
  return {
    manifest: await signSnapshot({ ...place, services: 3, bytes: ndjson.length, sha256 }, account),
    ndjson,
  };
}

const one = await snapshotOf("2026-11-23");
const two = await snapshotOf("2026-11-24");

/** A registry's web service with two snapshots. */
async function serveRegistry() {
  const { origin, files } = await serveFiles();
  const contract = (name: "AppRegistry" | "AppMetadata" | "ResolverWithStore") => ({
    ...{ address: registry, abiHash: abiHash(name) },
  });
  const deployment = {
    ...{ chainId: 31337, network: "local", deployBlock: 0, rpcUrl: deadOrigin },
    contracts: {
      ...{ AppRegistry: contract("AppRegistry"), AppMetadata: contract("AppMetadata") },
      ResolverWithStore: contract("ResolverWithStore"),
    },
    compiler: { version: "0.8.30", settings: {} },
  };
  files.set("/api/deployment", JSON.stringify(deployment));
  const snapshots = [two, one].map(({ manifest }) => manifest);
  files.set("/api/snapshots", JSON.stringify({ signer: account.address, snapshots, nextCursor: null }));
  for (const { manifest, ndjson } of [one, two]) {
    files.set(`/api/snapshots/${manifest.day}.json`, JSON.stringify(manifest));
    files.set(`/api/snapshots/${manifest.day}.ndjson`, ndjson);
  }
  return { origin, files };
}

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "snapshots-"));
});
afterAll(() => rm(directory, { recursive: true }));

const verify = (...args: string[]) => runHere(["snapshot", "verify", ...args]);
async function local(file: string | Uint8Array, manifest: unknown, ...args: string[]) {
  const paths = [join(directory, "file.ndjson"), join(directory, "manifest.json")] as const;
  await writeFile(paths[0], file);
  await writeFile(paths[1], JSON.stringify(manifest));
  return verify(paths[0], "--manifest", paths[1], ...args);
}

describe("snapshot verify", () => {
  it("ends with 0 for a registry's newest snapshot, or that of a day, and says who signed it", async () => {
    const { origin } = await serveRegistry();
    const newest = await verify("--registry", origin, "--signer", account.address);
    expect(newest.code).toBe(0);
    expect(newest.json()).toEqual({ ok: true, manifest: two.manifest, problems: [] });
    const other = await verify("--registry", origin, "--day", "2026-11-23");
    expect(other.text).toMatch(/^day +2026-11-23\ntaken +2026-11-23T00:10:00Z\n/);
    expect(other.text).toContain(account.address);
    expect(other.text).toContain("give --signer");
  });

  it("ends with 1 when the registry serves another file, day, chain or signer than it should", async () => {
    const { origin, files } = await serveRegistry();
    const codes = async (...args: string[]) => {
      const { code, json } = await verify("--registry", origin, ...args);
      return [code, (json().problems as { code: string }[]).map((problem) => problem.code)];
    };
    expect(await codes("--signer", stranger)).toEqual([1, ["signer"]]);
    files.set("/api/snapshots/2026-11-23.json", JSON.stringify(two.manifest));
    expect(await codes("--day", "2026-11-23")).toEqual([1, ["day"]]);
    files.set("/api/snapshots/2026-11-24.ndjson", one.ndjson);
    expect(await codes()).toEqual([1, ["hash"]]);
    const { manifest, ndjson } = await snapshotOf("2026-11-23", 1);
    files.set("/api/snapshots/2026-11-23.json", JSON.stringify(manifest));
    files.set("/api/snapshots/2026-11-23.ndjson", ndjson);
    expect(await codes("--day", "2026-11-23")).toEqual([1, ["registry"]]);
  });

  it("reads a file and its manifest without asking anybody", async () => {
    expect((await local(two.ndjson, two.manifest, "--signer", account.address)).code).toBe(0);
    const cut = await local(two.ndjson.slice(0, -2), two.manifest);
    expect([cut.code, cut.text]).toEqual([1, expect.stringMatching(/FAIL +Its last line does not end\./)]);
    expect((await local(two.ndjson, two.manifest, "--day", "2026-11-23")).code).toBe(1);
    expect((await local(two.ndjson, { ...two.manifest, sha256: undefined })).code).toBe(1);
    expect((await local("x".repeat(10_000_000), two.manifest)).code).toBe(1);
  });

  it("ends with 2 for arguments that make no sense", async () => {
    const { origin } = await serveRegistry();
    for (const args of [["--day", "today"], ["--signer", "me"], ["a.ndjson"], ["--manifest", "a.json"]]) {
      expect((await verify("--registry", origin, ...args)).code, args.join(" ")).toBe(2);
    }
    expect((await local(two.ndjson, two.manifest)).code).toBe(0);
    expect((await verify("/nowhere", "--manifest", join(directory, "manifest.json"))).code).toBe(2);
  });

  it("ends with 1 for a day without a snapshot, and with 3 for a registry that does not answer or breaks off", async () => {
    const { origin, files } = await serveRegistry();
    expect((await verify("--registry", origin, "--day", "2020-01-01")).code).toBe(1);
    expect((await verify("--registry", deadOrigin)).code).toBe(3);
    const breaking = await serveHttp((request, response) => {
      if (!request.url?.endsWith(".ndjson")) return void response.end(files.get(request.url ?? ""));
      response.writeHead(200, { "content-length": String(two.manifest.bytes) });
      response.write(two.ndjson.slice(0, 100), () => response.destroy());
    });
    expect((await verify("--registry", breaking)).code).toBe(3);
    const silent = await serveHttp((request, response) => {
      if (!request.url?.endsWith(".ndjson")) return void response.end(files.get(request.url ?? ""));
      response.writeHead(200).write(two.ndjson.slice(0, 100));
    });
    expect((await verify("--registry", silent, "--timeout", "0.5")).code).toBe(3);
    files.set("/api/snapshots", JSON.stringify({ signer: null, snapshots: [], nextCursor: null }));
    expect((await verify("--registry", origin)).code).toBe(1);
  });
});
