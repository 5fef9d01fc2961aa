import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProbeRequestResult } from "@app-registry/index/live";
import type { LiveRecord } from "@app-registry/sdk";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Registry } from "../registry.ts";
import { provideRegistry } from "../test/registryFixture.ts";
import { limitedApi } from "../test/serve.ts";
import { readApp } from "./readApp.ts";
import { recordRoutes } from "./recordRoutes.ts";
import { verifyBatch } from "./verifyBatch.ts";

const fixture = provideRegistry();
let did: string;
let dataHash: string;
beforeAll(async () => {
  ({ did, dataHash } = await fixture.register());
});

/** Registry whose index returns `answer`. */
let registry: Registry;
let answer: LiveRecord | "missing" | ProbeRequestResult;

beforeEach(() => {
  answer = createRecord();
  const read = (async () => answer) as Registry["index"]["read"];
  registry = { ...fixture.registry, index: { ...fixture.registry.index, read } };
});

const createRecord = (changes: Partial<LiveRecord> = {}): LiveRecord => ({
  ...{ did, version: "1.0.0", dataHash: dataHash as LiveRecord["dataHash"] },
  probe: {
    ...{ outcome: "answers", drift: "same", probedAt: 1_770_000_000_000 },
    endpoints: [
      {
        ...{ name: "REST", url: "https://a.test/", protocol: "http", outcome: "answers" },
        ...{ reason: "It answers.", latencyMs: 12 },
      },
    ],
  },
  ...{ answeredAt: 1_770_000_000, nextAt: 1_770_080_000 },
  history: [{ period: "2026-02-02", outcomes: { answers: 1 }, changed: 0 }],
  ...changes,
});

function send(method: "GET" | "POST", path: string, { from = registry, quota = 60 } = {}) {
  const api = limitedApi(recordRoutes, from, { readClient: 600, importClient: quota });
  const posted = method === "POST" && {
    headers: { "content-type": "application/json" },
    body: "{}",
  };
  return async () => api.fetch(new Request(`http://localhost/api/live/${path}`, { method, ...posted }));
}

const ask = async (...parameters: Parameters<typeof send>) => {
  const response = await send(...parameters)();
  return { status: response.status, headers: response.headers, body: await response.json() };
};

describe("GET /api/live", () => {
  it("returns the index's live check results of the record, however its version is written", async () => {
    for (const path of [did, `${did}/v/1.0`, `${did}/v/1.0.0`, `${did.replaceAll("%", "%25")}/v/1.0.0`]) {
      expect(await ask("GET", path), path).toMatchObject({ status: 200, body: createRecord() });
    }
  });

  it("reports an unregistered record, an invalid DID and an unavailable index", async () => {
    expect(await ask("GET", "did:web:nobody.example/v/x")).toMatchObject({ status: 400 });
    answer = "missing";
    expect(await ask("GET", `${did}/v/9.0.0`)).toMatchObject({
      status: 404,
      body: { code: "app-not-found" },
    });
    const away = await ask("GET", `${did}/v/1.0.0`, { from: fixture.registry });
    expect(away).toMatchObject({ status: 503, body: { code: "index-unavailable", retryable: true } });
  });

  // @threat documents: A hidden service, or a missing index, in the history of live checks
  it("reveals nothing about a hidden service, and does not request it", async () => {
    const file = join(tmpdir(), `hidden-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ [did]: "Spam." }));
    const from = fixture.registryWith({ HIDDEN_FILE: file });
    for (const method of ["GET", "POST"] as const) {
      expect(await ask(method, `${did}/v/1.0.0`, { from })).toMatchObject({
        status: 451,
        body: { code: "hidden", detail: "Spam." },
      });
    }
  });
});

describe("POST /api/live", () => {
  it("schedules a check, and returns its time", async () => {
    answer = { nextAt: 1_770_000_000 };
    expect(await ask("POST", `${did}/v/1.0.0`)).toMatchObject({ status: 202, body: answer });
  });

  it("returns the seconds until a version can be checked again", async () => {
    answer = { retryAfter: 431 };
    const { status, headers, body } = await ask("POST", `${did}/v/1.0.0`);
    expect([status, body.code, headers.get("retry-after")]).toEqual([429, "asked-recently", "431"]);
    expect(body.detail).toContain("431 seconds");
  });

  it.each([
    ["is not registered", "not-found", 404, "app-not-found"],
    ["has no live checks", "not-asked", 409, "not-asked"],
    ["can't be looked up, because the index is unavailable", undefined, 503, "index-unavailable"],
  ] as const)("reports a record that %s", async (_, result, status, code) => {
    if (result) answer = result;
    const from = result ? registry : fixture.registry;
    expect(await ask("POST", `${did}/v/1.0.0`, { from })).toMatchObject({ status, body: { code } });
  });

  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("counts each client, and rejects scripts of other sites", async () => {
    answer = { nextAt: 1 };
    const post = send("POST", `${did}/v/1.0.0`, { quota: 1 });
    expect((await post()).headers.get("access-control-allow-origin")).toBeNull();
    const refused = await post();
    expect([refused.status, (await refused.json()).code]).toEqual([429, "rate-limited"]);
  });
});

describe("the fact live", () => {
  const getLive = async (from: Registry) => {
    const [result] = await verifyBatch(from, [did]);
    return result && "report" in result ? result.report.facts : undefined;
  };

  it("is the result of the last check, for one service and for many", async () => {
    const app = await readApp(new Request(`http://localhost/api/apps/${did}`), registry);
    expect(app.verification.facts.live).toMatchObject({ outcome: "pass", evidence: { outcome: "answers" } });
    expect((await getLive(registry))?.live).toEqual(app.verification.facts.live);
  });

  // @threat documents: A hidden service, or a missing index, in the history of live checks
  it("is the only unknown fact while the index is unavailable", async () => {
    const facts = await getLive(fixture.registry);
    expect(facts).toMatchObject({
      record: { outcome: "pass" },
      content: { outcome: "pass" },
      live: { outcome: "unknown", reason: expect.stringContaining("isn't responding") },
    });
  });

  it("is unknown for an earlier version, which is not checked", async () => {
    answer = createRecord({ version: "1.1.0" });
    expect((await getLive(registry))?.live).toMatchObject({
      outcome: "unknown",
      evidence: { version: "1.1.0" },
    });
  });
});
