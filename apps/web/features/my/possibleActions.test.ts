import {
  type AppRegistryClient,
  ContractRevertError,
  createAppRegistryClient,
  estimateCall,
  MAX_BLOCK,
} from "@app-registry/sdk";
import { testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import type { Address, Hash } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../lib/server/accounts/readAccount.ts";
import { provideRegistry, wallet } from "../../lib/server/test/registryFixture.ts";
import {
  didActions,
  explainUnresolvable,
  NO_SUCCESSOR,
  nextActions,
  type RecordAction,
  recordActions,
} from "./possibleActions.ts";
import { type MyDid, readMyDids } from "./readMyDids.ts";

const DAY = 24 * 3_600;
const [publisher, other, buyer] = [wallet.address, testAccount(2).address, testAccount(3).address];

const fixture = provideRegistry();
let did: string;
let tokenId: bigint;
const clients = new Map<Address, AppRegistryClient>();
let issuer: AppRegistryClient;

const createClient = (index: number) =>
  createAppRegistryClient({
    deployment: fixture.registry.deployment,
    ...testClients(fixture.rpcUrl, testAccount(index)),
  });
const mined = async (hash: Promise<Hash>) => issuer.waitForReceipt({ hash: await hash });
const pass = async (seconds: number) => {
  await fixture.chain.increaseTime({ seconds });
  await fixture.chain.mine({ blocks: 1 });
};

beforeAll(async () => {
  ({ did } = await fixture.register());
  issuer = createClient(19);
  for (const index of [1, 2, 3]) clients.set(testAccount(index).address, createClient(index));
  tokenId = await issuer.tokenIdOf({ did, major: 1 });
});

/** Returns the data of a wallet's page, as if the index had returned the record and the other attested accounts. */
async function page(
  account: Address,
  challenges: Account["challenges"] = [],
  { attested = [publisher, other, buyer], claimants = [other] as Address[] } = {},
): Promise<MyDid> {
  const controllers = attested.filter((one) => one !== account).map((one) => ({ did, account: one }));
  const record = {
    did,
    major: 1,
    version: "1.0.0",
    tokenId: "1",
    status: 0,
    owner: publisher,
    minter: publisher,
    name: null,
  };
  // Only the chain's state of a reclaim is used.
  const times = { openedAt: 0, finishableFrom: 0, expiresAt: 0 };
  const known = {
    account,
    records: [record],
    controllers,
    newcomers: [],
    blocks: [],
    reclaims: claimants.map((claimant) => ({ tokenId: "1", claimant, ...times })),
    moreNewcomers: 0,
    challenges,
    unregistered: 0,
  };
  const [my] = await readMyDids(issuer, account, known as Account);
  if (!my) throw new Error(`${account} has nothing to do with ${did}.`);
  return my;
}

it("readMyDids omits a DID that the wallet neither controls nor has a part in", async () => {
  await expect(page(testAccount(9).address)).rejects.toThrow("has nothing to do with");
});

/** Compares the page's actions with those that the chain accepts. Returns the reasons. */
async function reasons(account: Address): Promise<Partial<Record<RecordAction, string | undefined>>> {
  const my = await page(account);
  const [record] = my.records;
  if (!record) throw new Error("There is no record.");
  const { owner } = record.summary;
  const calls = {
    activate: issuer.prepareUpdateStatus({ did, major: 1, status: 0 }),
    deprecate: issuer.prepareUpdateStatus({ did, major: 1, status: 1 }),
    replace: issuer.prepareUpdateStatus({ did, major: 1, status: 2 }),
    transfer: issuer.prepareTransfer({ from: owner, to: testAccount(9).address, tokenId }),
    openReclaim: issuer.prepareOpenReclaim({ did, major: 1 }),
    finishReclaim: issuer.prepareFinishReclaim({ did, major: 1 }),
    dismissReclaims: issuer.prepareDismissReclaims({ did, major: 1 }),
  };
  const offered = recordActions(my.control, record);
  for (const { id, reason } of offered) {
    if (id === "publish" || reason === NO_SUCCESSOR) continue;
    const accepted = await estimateCall(issuer, calls[id], account).then(
      () => true,
      (error) => {
        if (error instanceof ContractRevertError) return false;
        throw error;
      },
    );
    expect({ id, accepted }, reason).toEqual({ id, accepted: reason === undefined });
  }
  return Object.fromEntries(offered.map(({ id, reason }) => [id, reason]));
}

describe("the page offers exactly the actions that the chain accepts if the wallet", () => {
  it("holds and minted the record and controls the DID", async () => {
    expect(await reasons(publisher)).toEqual({
      publish: undefined,
      deprecate: undefined,
      replace: undefined,
      transfer: undefined,
    });
    const [renew] = didActions(await page(publisher));
    expect(renew?.reason).toMatch(
      /^No renewal needed yet. Issuers renew this attestation from 20\d\d-.*Z\.$/,
    );
  });

  it("waits for control and is blocked", async () => {
    await pass(3_600);
    await mined(issuer.attestDid({ did, controller: other }));
    const waiting = await reasons(other);
    expect(waiting.publish).toBe("Only the record's minter or holder can do this. This wallet is neither.");
    expect(waiting.deprecate).toMatch(
      /^This wallet's control takes effect on .* unless a controller blocks it\.$/,
    );
    const until = (await page(other)).control.now + MAX_BLOCK;
    await mined(fixture.publisher.blockController({ did, controller: other, until }));
    expect((await reasons(other)).deprecate).toMatch(
      /^A controller of this DID has blocked this wallet until .*\.$/,
    );
    await mined(fixture.publisher.unblockController({ did, controller: other }));
  });

  it("controls the DID of another account's record", async () => {
    await pass(3_600);
    const controls = await reasons(other);
    expect([controls.deprecate, controls.replace]).toEqual([undefined, NO_SUCCESSOR]);
    expect(controls.openReclaim).toBe(
      `${publisher} holds or minted the record, and controls the DID or did in the last 7 days.`,
    );
    expect(didActions(await page(other)).map(({ reason }) => reason === undefined)).toEqual([false, true]);
  });

  it("challenges a controller with as many issuers, or before the challenge can be resolved", async () => {
    const client = clients.get(other);
    if (!client) throw new Error("No client.");
    await mined(client.challengeDid({ did, incumbent: publisher }));
    const found = await client.getChallenge({ did, incumbent: publisher, challenger: other });
    if (!found) throw new Error("There is no challenge.");
    const challenge = { did, incumbent: publisher, challenger: other, ...found };
    const early = await page(other, [challenge]);
    expect(explainUnresolvable(challenge, early)).toMatch(/^The challenge can be resolved from /);
    await pass(7 * DAY);
    const late = await page(other, [challenge]);
    expect(explainUnresolvable(challenge, late)).toContain("Currently 1 to 1.");
    // The index does not list accounts with an expired attestation, although their resistance lasts longer.
    const unnamed = await page(other, [challenge], { attested: [] });
    expect(explainUnresolvable(challenge, unnamed)).toContain("Currently 1 to 1.");
    await expect(
      estimateCall(
        issuer,
        issuer.prepareResolveChallenge({ did, incumbent: publisher, challenger: other }),
        other,
      ),
    ).rejects.toThrow();
  });

  it("bought the token without control of the DID", async () => {
    await mined(fixture.publisher.transfer({ from: publisher, to: buyer, tokenId }));
    const bought = await reasons(buyer);
    expect(bought).toMatchObject({
      publish: undefined,
      deprecate: "No issuer attests that this wallet controls the DID.",
      transfer: undefined,
    });
    const sold = await reasons(publisher);
    expect(sold).toMatchObject({
      publish: undefined,
      deprecate: undefined,
      transfer: "Only the token's holder can do this.",
    });
  });

  it("lost control, and another account reclaims the record weeks later", async () => {
    await mined(issuer.revokeDid({ did, controller: publisher }));
    expect((await reasons(publisher)).deprecate).toMatch(/^This wallet's attestation was ended\./);
    expect((await reasons(other)).openReclaim).toMatch(/did in the last 7 days\.$/);
    await pass(7 * DAY);
    expect((await reasons(other)).openReclaim).toBeUndefined();
    await mined((clients.get(other) as AppRegistryClient).openReclaim({ did, major: 1 }));
    expect((await reasons(other)).finishReclaim).toMatch(/^Your reclaim can be finished from .* until .*\.$/);
    await pass(30 * DAY);
    expect(await reasons(other)).toMatchObject({ finishReclaim: undefined });
    await mined(issuer.attestDid({ did, controller: buyer }));
    await pass(3_600);
    expect((await reasons(other)).finishReclaim).toBe(
      `${buyer} holds or minted the record, and controls the DID or did in the last 7 days.`,
    );
  });

  it("holds the record and controls the DID again, and dismisses the reclaim", async () => {
    expect(await reasons(buyer)).toMatchObject({ dismissReclaims: undefined });
    expect((await reasons(publisher)).dismissReclaims).toMatch(/attest/);
    const client = clients.get(buyer) as AppRegistryClient;
    await mined(client.dismissReclaims({ did, major: 1 }));
    expect(await reasons(buyer)).not.toHaveProperty("dismissReclaims");
    expect(await reasons(other)).not.toHaveProperty("finishReclaim");
  });

  it("holds the record, and reclaims it from a minter that controls the DID", async () => {
    await mined(issuer.attestDid({ did, controller: publisher }));
    await pass(3_600);
    expect(await reasons(publisher)).toMatchObject({ publish: undefined, deprecate: undefined });
    expect(await reasons(buyer)).toMatchObject({ openReclaim: undefined });
    const client = clients.get(buyer) as AppRegistryClient;
    await mined(client.openReclaim({ did, major: 1 }));
    await pass(30 * DAY);
    expect(await reasons(buyer)).toMatchObject({ finishReclaim: undefined });
    await mined(client.finishReclaim({ did, major: 1 }));
    expect(await reasons(buyer)).not.toHaveProperty("openReclaim");
    expect(await reasons(publisher)).toMatchObject({
      publish: "Another account reclaimed this record, which ended this wallet's part in it as the minter.",
      deprecate: undefined,
    });
  });

  it("has an attestation that is about to expire or overdue", async () => {
    const { expiresAt } = (await issuer.getDidAttestations({ did, controller: other }))[0] ?? {
      expiresAt: 0,
    };
    const now = (await page(other)).control.now;
    await pass(expiresAt - now - 80 * DAY);
    expect(didActions(await page(other))[0]?.reason).toBeUndefined();
    await pass(81 * DAY);
    expect((await reasons(other)).deprecate).toMatch(
      /^This wallet's attestation expired on .* Renew the attestation by .*\.$/,
    );
    expect(didActions(await page(other))[0]?.reason).toBeUndefined();
  });
});

describe("nextActions", () => {
  const possible = (...ids: (RecordAction | "renew")[]) => ids.map((id) => ({ id, reason: undefined }));

  it("returns the urgent actions, or else the next version", () => {
    expect(nextActions(possible("renew", "publish", "transfer"))).toEqual(["renew"]);
    expect(nextActions(possible("publish", "deprecate", "transfer"))).toEqual(["publish"]);
  });

  it("omits actions that are not possible", () => {
    const actions = [{ id: "renew" as const, reason: "No renewal needed yet." }, ...possible("deprecate")];
    expect(nextActions(actions)).toEqual([]);
  });
});
