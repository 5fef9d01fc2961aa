import { setTimeout as sleep } from "node:timers/promises";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { afterEach, describe, expect, it } from "vitest";
import {
  call,
  connect,
  endAll,
  ends,
  listed,
  read,
  refusal,
  registered,
  send,
} from "../../test/guardedClient.ts";
import { NotVerifiedError } from "./registered.ts";

afterEach(endAll);

const answer = (said: string) => (method: string) =>
  method === "tools/call" ? { content: [{ type: "text", text: said }] } : undefined;

/** Starts another server, which a new version registers. */
async function startOther() {
  const other = await startMcpServer({ ...registered, answer: answer("from the new origin") });
  ends.push(other.close);
  const entry = { name: "MCP", endpoint: other.url, ...registered };
  return { other, next: { version: "2.0.0", url: other.url, entry: structuredClone(entry) } };
}

describe("a new version at another origin", () => {
  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it.each(["adopt", "ask"] as const)(
    "gets no request without consent, with --on-new-version %s",
    async (mode) => {
      const { client, register, wait, notes } = await connect({
        onNewVersion: mode,
        headers: { authorization: "Bearer secret" },
      });
      const { other, next } = await startOther();
      register(next);
      wait(60_000);
      expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
      wait(60_000);
      expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
      expect(other.log).toEqual([]);
      const origins = `${new URL(next.url).origin} instead of http://127.0.0.1:`;
      expect(notes.join("\n")).toContain(`version 2.0.0 at ${origins}`);
      expect(notes.join("\n")).toContain("This session keeps using 1.0.0.");
    },
  );

  it("is used with the header once the user accepts", async () => {
    const questions: string[] = [];
    const { client, register, wait } = await connect({
      headers: { authorization: "Bearer secret" },
      elicit: (question) => {
        questions.push(question);
        return "accept";
      },
    });
    const { other, next } = await startOther();
    register(next);
    wait(60_000);
    await call(client, "send_email");
    await expect
      .poll(() => call(client, "send_email"))
      .toMatchObject({ content: [{ text: "from the new origin" }] });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(`${new URL(next.url).origin} instead of http://127.0.0.1:`);
    expect(questions[0]).toContain("--header");
    expect(other.log.at(-1)?.headers.authorization).toBe("Bearer secret");
    // The accepted origin needs no second consent.
    register({ ...next, version: "2.0.1" });
    wait(60_000);
    await call(client, "send_email");
    expect(questions).toHaveLength(1);
  });
});

describe("a new version at another path of the origin", () => {
  it("gets the call that discovered it", async () => {
    const { client, service, register, wait } = await connect();
    register({ version: "1.0.1", url: `${service.url}/v2` });
    wait(60_000);
    expect(await call(client, "send_email")).toMatchObject({ content: [{ text: "did send_email" }] });
  });

  it("lets the running calls finish", async () => {
    const { client, service, register, wait } = await connect();
    let finish: () => void = () => undefined;
    service.offered.raw = ({ id, method }, response) => {
      if (method !== "tools/call") return false;
      service.offered.raw = undefined;
      finish = () =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "late" }] } }));
      return true;
    };
    const running = call(client, "send_email");
    await expect.poll(() => service.offered.raw).toBeUndefined();
    register({ version: "1.0.1", url: `${service.url}/v2` });
    wait(60_000);
    expect(await call(client, "read_inbox")).toMatchObject({ content: [{ text: "did read_inbox" }] });
    finish();
    expect(await running).toMatchObject({ content: [{ text: "late" }] });
  });

  it("is named by server/discover", async () => {
    const { client, service, register, wait, heard } = await connect({
      client: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    });
    register({ version: "1.0.1", url: service.url });
    wait(60_000);
    await listed(client);
    await client.request({ method: "server/discover", params: {} });
    const [last = ""] = heard().trimEnd().split("\n").slice(-1);
    expect(JSON.parse(last).result._meta["io.modelcontextprotocol/serverInfo"].version).toBe("1.0.1");
  });
});

describe("an expired verification", () => {
  it("is renewed once for all waiting calls, none of which is sent before", async () => {
    const { client, service, register, wait, reads, holdReads } = await connect();
    let go: () => void = () => undefined;
    holdReads(
      new Promise<void>((resolve) => {
        go = resolve;
      }),
    );
    register(new NotVerifiedError("control fails"));
    wait(60_000);
    const before = reads();
    const calls = Promise.all(Array.from({ length: 5 }, () => refusal(client, "send_email")));
    await sleep(100);
    expect(service.log.filter(({ method }) => method === "tools/call")).toEqual([]);
    go();
    for (const error of await calls) expect(error?.message).toContain("Verification of did:web:mail.example");
    expect(reads() - before).toBe(1);
    expect(service.log.filter(({ method }) => method === "tools/call")).toEqual([]);
  });
});

describe("a server whose lists differ at each request", () => {
  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("makes neither the chain be read at each list nor standard error grow without limit", async () => {
    const { client, service, wait, reads, notes } = await connect();
    let count = 0;
    service.offered.answer = (method) => {
      if (method !== "tools/list") return undefined;
      count += 1;
      return { tools: Array.from({ length: 30 }, (_, at) => ({ ...read, name: `n${count}-${at}` })) };
    };
    const before = reads();
    for (let second = 0; second < 120; second += 3) {
      wait(3_000);
      await client.listTools(undefined, { cacheMode: "bypass" });
    }
    // 40 lists in two minutes.
    expect(reads() - before).toBeLessThanOrEqual(8);
    expect(notes.length).toBeLessThanOrEqual(320);
    service.offered.answer = undefined;
    service.offered.tools = [send, read];
    wait(60_000);
    expect((await listed(client)).tools).toEqual([send, read]);
    expect(notes.at(-1)).toBe("did:web:mail.example matches the registered version again.");
  });
});
