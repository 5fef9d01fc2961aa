import { IndexUnavailableError } from "@app-registry/index/openIndex";
import type { AppRegistryClient } from "@app-registry/sdk";
import { testAccount } from "@app-registry/test-kit/deployContracts";
import { type Address, type Hash, padHex, toHex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { newcomerTexts } from "../../control/accountControl.ts";
import { readNewcomers } from "../../control/newcomers.ts";
import { serveAccount, serveControllerFeed } from "../accounts/accountRoutes.ts";
import { readAccount } from "../accounts/readAccount.ts";
import type { Registry } from "../registry.ts";
import { type RegistryFixture, wallet } from "./registryFixture.ts";
import { serve } from "./serve.ts";
import type { IndexedRegistry, TestIndex } from "./startIndex.ts";

const WEEK = 7 * 24 * 3_600;

/** Describes the announcements of accounts that wait for control. Moves the chain's time forward by weeks. */
export function describeNewcomers(place: IndexedRegistry): void {
  let fixture: RegistryFixture;
  let index: TestIndex;
  let source: Registry;
  let issuer: AppRegistryClient;
  let did: string;

  beforeAll(async () => {
    ({ fixture, index } = place);
    ({ did } = await fixture.register());
    source = fixture.registryWith({ DATABASE_READ_URL: index.url, PUBLIC_URL: "https://registry.example" });
    issuer = fixture.issuerClient;
    // A later account waits one maturation from now on, not from the first attestation, and can be blocked.
    await pass(3_600);
  });

  async function mined(client: AppRegistryClient, hash: Promise<`0x${string}`>): Promise<void> {
    await client.waitForReceipt({ hash: await hash });
  }

  async function pass(seconds: number): Promise<void> {
    await fixture.chain.increaseTime({ seconds });
    await fixture.chain.mine({ blocks: 1 });
  }

  /** Returns the notices on the service's page. */
  async function notices(): Promise<string[]> {
    await index.untilCaughtUp();
    const found = await readNewcomers(source, [did]);
    return (found?.newcomers ?? []).map((newcomer) => Object.values(newcomerTexts(newcomer)).join(". "));
  }

  const get = (path: string) => {
    const answer = path.startsWith("/api/") ? serveAccount : serveControllerFeed;
    return serve((request) => answer(request, source))(new Request(`http://localhost${path}`));
  };
  const getFeed = async (account: Address) => (await get(`/feed.atom/controllers/${account}`)).text();
  const attest = (controller: Address, expiresAt?: number) =>
    mined(issuer, issuer.attestDid({ did, controller, expiresAt }));
  const now = async () => Number((await source.publicClient.getBlock()).timestamp);

  const entryTag = (feed: string, name: string) =>
    feed.match(new RegExp(`<entry>.*?<${name}[^>]*>(.*?)</${name}>`, "s"))?.[1];

  describe("an account waiting for control of a DID", () => {
    const { address: newcomer } = testAccount(2);
    const getPage = (account: Address) =>
      `https://registry.example/control?did=${did.replaceAll("%", "%25")}&amp;account=${account}`;

    it("is announced publicly and to controllers with the time of its control", async () => {
      expect(await notices()).toEqual([]);
      await attest(newcomer);
      const controlsFrom = (await now()) + 3_600;
      const date = new Date(controlsFrom * 1_000).toISOString();
      const [notice] = await notices();
      expect(notice).toContain(
        `An account is requesting control of this DID. Control by account ${newcomer} takes effect on `,
      );
      expect(notice).toContain(`${date} unless a controller blocks it.`);
      const { newcomers } = await (await get(`/api/accounts/${wallet.address.toLowerCase()}`)).json();
      expect(newcomers).toMatchObject([{ did, account: newcomer, controlsFrom, blockedUntil: null }]);
      const feed = await getFeed(wallet.address);
      expect(entryTag(feed, "title")).toMatch(
        /An account is waiting for control of your DID: control takes effect on .* UTC unless you block the account/,
      );
      expect(feed).toContain(`An issuer attests account ${newcomer}. DID: ${did}`);
      expect(feed).toContain(`Block for 30 days: ${getPage(newcomer)}#block`);
    });

    it("sees its own wait without a warning about itself", async () => {
      const account = await readAccount(source, newcomer);
      expect(account.newcomers.map((one) => one.account)).toEqual([newcomer]);
      expect(account.records).toMatchObject([{ did, version: "1.0.0", owner: wallet.address }]);
      expect(account.controllers).toEqual([{ did, account: wallet.address }]);
      expect(await getFeed(newcomer)).not.toContain("<entry>");
    });

    it("is never left out of an answer because the index stopped answering in between", async () => {
      let reads = 0;
      const read: Registry["index"]["read"] = (answer, signal) => {
        reads += 1;
        return reads === 1 ? source.index.read(answer, signal) : Promise.reject(new IndexUnavailableError());
      };
      const failing = { client: source.client, index: { ...source.index, read } };
      await expect(readAccount(failing, wallet.address)).rejects.toMatchObject({ code: "index-unavailable" });
      expect(reads).toBe(2);
    });

    it("stays announced during a block, and gets a second feed entry a week before the block ends", async () => {
      const before = await getFeed(wallet.address);
      await pass(60);
      const blockedUntil = (await now()) + 2 * WEEK;
      await mined(
        fixture.publisher,
        fixture.publisher.blockController({ did, controller: newcomer, until: blockedUntil }),
      );
      expect(await notices()).toEqual([
        expect.stringMatching(
          /is requesting control of this DID\. Account 0x\w+ is blocked until .*\. Control takes effect on /,
        ),
      ]);
      const { newcomers, blocks } = await readAccount(source, wallet.address);
      expect(newcomers).toMatchObject([{ account: newcomer, controlsFrom: blockedUntil, blockedUntil }]);
      expect(blocks).toMatchObject([
        { did, account: newcomer, author: wallet.address, blockedUntil, weight: 1 },
      ]);
      const after = await getFeed(wallet.address);
      expect(entryTag(after, "id")).toBe(entryTag(before, "id"));
      expect(entryTag(after, "updated")).not.toBe(entryTag(before, "updated"));
      expect(after).not.toContain("A block ends on");
      await pass(WEEK);
      const ending = await getFeed(wallet.address);
      expect(ending.match(/<entry>/g)).toHaveLength(2);
      expect(entryTag(ending, "title")).toMatch(/A block ends on .* unless you extend it/);
      expect(ending).toContain(`Extend block: ${getPage(newcomer)}#block`);
    });

    it("is no longer announced after a controller ends the block of a matured attestation", async () => {
      await mined(fixture.publisher, fixture.publisher.unblockController({ did, controller: newcomer }));
      expect(await notices()).toEqual([]);
      expect(await getFeed(wallet.address)).not.toContain("<entry>");
      expect((await readAccount(source, wallet.address)).blocks).toEqual([]);
    });

    it("is listed among the blocks even without an attestation", async () => {
      const { address: controller } = testAccount(4);
      const until = (await now()) + WEEK;
      await mined(fixture.publisher, fixture.publisher.blockController({ did, controller, until }));
      expect(await notices()).toEqual([]);
      const { blocks } = await readAccount(source, wallet.address);
      expect(blocks.map(({ account }) => account)).toEqual([controller]);
      await pass(WEEK);
      expect((await readAccount(source, wallet.address)).blocks).toEqual([]);
    });

    it("is announced until its control takes effect", async () => {
      await attest(testAccount(3).address);
      expect(await notices()).toHaveLength(1);
      await pass(3_600);
      expect(await notices()).toEqual([]);
      expect(await source.client.checkDid({ did, controller: testAccount(3).address })).toBe(true);
    });

    it("is listed first even if many others are attested after it", async () => {
      const { address: first } = testAccount(5);
      await attest(first);
      const decoys = Array.from({ length: 25 }, (_, place) => padHex(toHex(0xabc000 + place), { size: 20 }));
      const sent: Hash[] = [];
      for (const controller of decoys) sent.push(await issuer.attestDid({ did, controller }));
      await Promise.all(sent.map((hash) => issuer.waitForReceipt({ hash })));
      await index.untilCaughtUp();
      const found = await readNewcomers(source, [did]);
      expect(found?.newcomers[0]?.account).toBe(first);
      expect(found?.newcomers).toHaveLength(20);
      expect(found?.more).toBe(6);
    });

    it.each(["/api/accounts/nobody", "/feed.atom/controllers/0x1234", "/feed.atom/controllers/%3Cscript%3E"])(
      "is not found at the invalid path %s",
      async (path) => {
        const response = await get(path);
        expect([response.status, (await response.json()).code]).toEqual([404, "not-found"]);
      },
    );

    it("is reported as unknown while the index is unavailable, instead of an empty list", async () => {
      expect(await readNewcomers(fixture.registry, [did])).toBeUndefined();
      const response = await serve((request) => serveAccount(request, fixture.registry))(
        new Request(`http://localhost/api/accounts/${wallet.address}`),
      );
      expect([response.status, (await response.json()).code]).toEqual([503, "index-unavailable"]);
    });
  });
}
