import { createGuardedFetch } from "@app-registry/outbound";
import { createMemoryJobQueue, createPoliteFetch } from "@app-registry/outbound/internal";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SPACING = 10_000;
const guardedFetch = createGuardedFetch({ allowLoopback: true });
let first: DidHost;
let second: DidHost;

beforeAll(async () => {
  [first, second] = await Promise.all([startDidHost(), startDidHost()]);
  second.put("/a.json", "{}");
  second.put("/busy.json", "", { status: 503, headers: { "retry-after": "60" } });
  for (const name of ["a", "busy"]) {
    first.put(`/${name}.json`, "", { status: 302, headers: { location: `${second.origin}/${name}.json` } });
  }
  first.put("/itself.json", "", { status: 302, headers: { location: "/b.json" } });
  first.put("/b.json", "{}");
});
afterAll(async () => void (await Promise.all([first.close(), second.close(), guardedFetch.close()])));

/** Creates a polite fetcher per document, with a shared store of free hosts and a test clock. */
function polite() {
  let time = 1_000_000;
  const store = createMemoryJobQueue();
  const fetchDocument = (url: string) =>
    createPoliteFetch(guardedFetch, {
      store,
      spacing: SPACING,
      longestPause: 60_000,
      now: () => time,
    }).fetchDocument(url);
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { fetchDocument, pass };
}

const isBusy = ({ origin }: DidHost) => ({ name: "HostBusyError", host: new URL(origin).host });

describe("a host that is the target of a redirect", () => {
  it("is not requested during its pause, and the document is read later", async () => {
    const { fetchDocument, pass } = polite();
    await fetchDocument(`${second.origin}/a.json`);
    const asked = second.requests().length;
    await expect(fetchDocument(`${first.origin}/a.json`)).rejects.toMatchObject(isBusy(second));
    expect(second.requests()).toHaveLength(asked);
    pass(SPACING);
    expect(await fetchDocument(`${first.origin}/a.json`)).toMatchObject({ url: `${second.origin}/a.json` });
  });

  it("is paused afterwards, like the first host", async () => {
    const { fetchDocument } = polite();
    await fetchDocument(`${first.origin}/a.json`);
    await expect(fetchDocument(`${second.origin}/a.json`)).rejects.toMatchObject(isBusy(second));
    await expect(fetchDocument(`${first.origin}/b.json`)).rejects.toMatchObject(isBusy(first));
  });

  it("is paused for its Retry-After, unlike the first host", async () => {
    const { fetchDocument, pass } = polite();
    await expect(fetchDocument(`${first.origin}/busy.json`)).rejects.toMatchObject({ status: 503 });
    pass(SPACING);
    await fetchDocument(`${first.origin}/b.json`);
    await expect(fetchDocument(`${second.origin}/a.json`)).rejects.toMatchObject(isBusy(second));
    pass(60_000);
    await fetchDocument(`${second.origin}/a.json`);
  });

  it("may be the same host", async () => {
    const { fetchDocument } = polite();
    expect(await fetchDocument(`${first.origin}/itself.json`)).toMatchObject({
      url: `${first.origin}/b.json`,
    });
  });
});
