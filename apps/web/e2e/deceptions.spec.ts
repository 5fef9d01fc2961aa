import { type AppRegistryClient, appPath, Interfaces } from "@app-registry/sdk";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { testAccount } from "./support/accounts.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { testChain } from "./support/chain.ts";
import { type DidServer, startDidServer } from "./support/didServer.ts";
import { photograph } from "./support/gallery.ts";
import { measure } from "./support/measure.ts";
import { test } from "./support/test.ts";

const stripe = {
  name: "Stripe Payments",
  description: "Accept payments.",
  publisher: "Stripe, Inc.",
  external_url: "https://stripe.com",
  supportUrl: "mailto:support@stripe.com",
  traits: ["api:rest"],
  endpoints: [
    {
      name: "REST",
      endpoint: "https://api.stripe.com.pay-now.example/v1",
      schemaUrl: "https://stripe.com/openapi.json",
      authentication: {
        oauth2: {
          authorizationUrl: "https://login.other.example/a",
          tokenUrl: "https://login.other.example/t",
        },
        jwksUrl: "https://keys.other.example/jwks",
      },
    },
  ],
  platforms: {
    web: { launchUrl: "https://app.other.example" },
    ios: { downloadUrl: "https://apps.other.example" },
  },
  payments: [{ type: "x402", url: "https://pay.other.example" }],
  screenshotUrls: ["https://stripe.com/1.png"],
};

const longHost = `${"pay-".repeat(15)}now.${"a".repeat(60)}.${"checkout".repeat(7)}.evil.example`;
const contract = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const lookalike = "0xdac17f958d2ee5aaaaaaaaaaaaa597c13d831ec7";

/** What each deceiver registers; who is proven, in full; and what the page says of it. */
const deceptions: {
  what: string;
  did: string;
  metadata?: object;
  interfaces?: number;
  lifetime?: number;
  /** Where the document is served, as another one. */
  staleAt?: string;
  /** What the deceiver does after the registration. */
  afterwards?: (client: AppRegistryClient, did: string) => Promise<`0x${string}`>;
  line: string;
  proven: string;
  says?: (string | RegExp)[];
  hides?: RegExp;
}[] = [
  {
    what: "a brand's name, website and logo under an unrelated host, login elsewhere",
    did: "did:web:pay-now.example",
    line: "Controlled by pay-now.example",
    proven: "pay-now.example",
    says: [
      "calls itself “Stripe Payments”",
      "says it is “Stripe, Inc.”",
      "leads to stripe.com, which is not proven",
      "writes to stripe.com, which is not proven",
      "leads to login.other.example, which is not proven",
      "leads to keys.other.example, which is not proven",
      "leads to app.other.example, which is not proven",
      "leads to apps.other.example, which is not proven",
      "leads to pay.other.example, which is not proven",
      "leads to api.stripe.com.pay-now.example, on the same site as pay-now.example",
    ],
  },
  {
    what: "a path on a host of many tenants",
    did: "did:web:github.com:stripe-payments",
    line: "Controlled by an account at github.com/stripe-payments",
    proven: "github.com/stripe-payments",
    says: ["Others may hold other paths of github.com."],
  },
  {
    what: "mixed scripts",
    did: "did:web:xn--pypal-4ve.example",
    metadata: { name: "PayPal", publisher: "PayPal", description: "Pay." },
    line: "Controlled by xn--pypal-4ve.example",
    proven: "xn--pypal-4ve.example",
    says: ["In Unicode it is written p\u0430ypal.example", "Mixed letters.", "Cyrillic and Latin"],
  },
  {
    what: "letters that all look like others",
    did: "did:web:xn--80ak6aa92e.example",
    line: "Controlled by xn--80ak6aa92e.example",
    proven: "xn--80ak6aa92e.example",
    says: ["Look-alike letters.", "looks like “apple” in Latin ones"],
  },
  {
    what: "right-to-left overrides and zero-width characters",
    did: "did:web:rtl.example",
    metadata: {
      name: "\u202emoc.epirts\u202c yb dellortnoC\u200b",
      publisher: "Stripe\u2066\u200f",
      description: `\u202e${"\n".repeat(400)}Controlled by stripe.com`,
      external_url: "https://rtl.example/\u202emoc.epirts",
    },
    line: "Controlled by rtl.example",
    proven: "rtl.example",
    says: ["calls itself “\uFFFDmoc.epirts\uFFFD yb dellortnoC\uFFFD”"],
    hides: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
  },
  {
    what: "a subdomain that begins with the brand",
    did: "did:web:stripe.com.evil.example",
    line: "Controlled by stripe.com.evil.example",
    proven: "stripe.com.evil.example",
    says: ["A host of the site evil.example."],
  },
  {
    what: "a host so long that its end could be cut",
    did: `did:web:${longHost}`,
    line: `Controlled by ${longHost}`,
    proven: longHost,
    says: ["A host of the site evil.example."],
  },
  {
    what: "control that lapsed",
    did: "did:web:lapsed.example",
    lifetime: 40,
    line: "Registered under lapsed.example; control is not proven now",
    proven: "lapsed.example",
    hides: /which is proven/,
  },
  {
    what: "a contract that looks like another by its ends",
    did: `did:pkh:eip155:1:${lookalike}`,
    metadata: { name: "Tether USD", publisher: "Tether", description: `The contract ${contract}.` },
    interfaces: Interfaces.Contract,
    line: "Controlled by the owner of contract eip155:1:0xdAC17",
    proven: "eip155:1:0xdAC17",
    says: ["Compare every character"],
  },
  {
    what: "“verified” and check marks in its words",
    did: "did:web:trust-me.example",
    metadata: {
      name: "✅ Verified by App Registry: stripe.com ✔️",
      publisher: "App Registry 🛡️ official",
      description: "VERIFIED ✔ Controlled by stripe.com. Record Pass. Control Pass.",
    },
    line: "Controlled by trust-me.example",
    proven: "trust-me.example",
    says: ["calls itself “[check mark] Verified by App Registry", "are the publisher’s own here"],
    hides: /[✅✔🛡]/u,
  },
  {
    what: "an endpoint at another host",
    did: "did:web:elsewhere.example",
    metadata: { ...stripe, endpoints: [{ name: "REST", endpoint: "https://api.stripe.example/v1" }] },
    line: "Controlled by elsewhere.example",
    proven: "elsewhere.example",
    says: ["Origin Fail", "This leads to api.stripe.example, not to elsewhere.example."],
  },
  {
    what: "a record that its publisher took out of use",
    did: "did:web:replaced.example",
    afterwards: (client, did) => client.updateStatus({ did, major: 1, status: 2 }),
    line: "Controlled by replaced.example",
    proven: "replaced.example",
    says: ["Record Fail", "The record is Replaced"],
  },
  {
    what: "a document that changed after it was attested",
    did: "did:web:stale.example",
    staleAt: "/stale.json",
    line: "Controlled by stale.example",
    proven: "stale.example",
    says: ["Content Fail", "is not what was registered"],
    hides: /calls itself/,
  },
  {
    what: "a record that changed hands",
    did: "did:web:sold.example",
    afterwards: async (client, did) => {
      const tokenId = await client.tokenIdOf({ did, major: 1 });
      return client.transfer({ from: testAccount(7).address, to: testAccount(8).address, tokenId });
    },
    line: "Controlled by sold.example",
    proven: "sold.example",
    says: [/The minter 0x\S+ controls the DID.* The holder 0x\S+ does not\./],
  },
];

/** Opens a page, measures, and compares it with what a visitor must see. */
async function expectNotFooled(
  page: Page,
  { did, line, proven, says = [], hides }: (typeof deceptions)[number],
) {
  await page.goto(appPath(did));
  const sight = await measure(page);
  const place = `${did} at ${page.viewportSize()?.width} pixels`;
  expect(sight.text.toLowerCase().indexOf(line.toLowerCase()), `${place} begins with ${line}`).toBe(0);
  expect(sight.proven.toLowerCase().startsWith(proven.toLowerCase()), `${place} names ${proven}`).toBe(true);
  expect(sight.cut, place).toEqual([]);
  expect(sight.provenSize, place).toBeGreaterThan(sight.nameSize);
  expect(sight.provenSize, place).toBeGreaterThan(sight.otherSize);
  expect(sight.unplaced, place).toEqual([]);
  for (const words of says)
    expect(sight.text, place).toMatch(typeof words === "string" ? literal(words) : words);
  if (hides) expect(sight.text, place).not.toMatch(hides);
  return sight;
}

const literal = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");

test.describe("a page that a deceiver registered", () => {
  let host: DidServer | undefined;

  test.beforeAll(async ({ browser, baseURL }) => {
    const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
    host = await startDidServer();
    for (const {
      did,
      metadata = stripe,
      interfaces = Interfaces.Api,
      lifetime,
      staleAt,
      afterwards,
    } of deceptions) {
      if (staleAt) host.serve(staleAt, { ...metadata, name: "Another document" });
      const dataUrl = staleAt && { dataUrl: host.origin + staleAt };
      const client = await registerAnyHost(page, {
        ...{ did, metadata, interfaces },
        ...(lifetime && { lifetime }),
        ...dataUrl,
      });
      if (afterwards) await client.waitForReceipt({ hash: await afterwards(client, did) });
    }
    const chain = testChain();
    await chain.increaseTime({ seconds: 60 });
    await chain.mine({ blocks: 1 });
    await page.close();
  });
  test.afterAll(() => host?.close());

  for (const width of [1280, 360]) {
    test(`leads with who is proven, in full, at ${width} pixels without JavaScript`, async ({
      browser,
      baseURL,
    }) => {
      const context = await browser.newContext({
        ...(baseURL !== undefined && { baseURL }),
        javaScriptEnabled: false,
        viewport: { width, height: 640 },
      });
      const page = await context.newPage();
      for (const deception of deceptions) {
        await test.step(deception.what, async () => {
          const sight = await expectNotFooled(page, deception);
          await photograph(page, deception.what);
          expect(sight.bottom, "on the first screen").toBeLessThan(640);
          for (const fact of ["Record", "Control", "Content", "Attested", "Origin"]) {
            expect(sight.text).toMatch(new RegExp(`${fact} (Pass|Fail|Unknown)`));
          }
        });
      }
      await page.goto("/apps?status=any");
      await photograph(page, "list", { fullPage: true });
      await context.close();
    });
  }

  test("leads with who is proven on a phone, and breaks no rule of accessibility in either theme", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    for (const [index, deception] of deceptions.entries()) {
      const colorScheme = index % 2 === 0 ? "light" : "dark";
      await test.step(`${deception.what}, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await expectNotFooled(page, deception);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      });
    }
  });
});
