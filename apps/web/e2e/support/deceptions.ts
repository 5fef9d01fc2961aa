import { type AppRegistryClient, Interfaces } from "@app-registry/sdk";
import { startDidHost } from "@app-registry/test-kit/didHost";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { getAddress } from "viem";
import { passTime, testAccount } from "./chain.ts";
import { registerAnyHost, untilIndexed } from "./registry.ts";

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
/** Service that the look-alike contract imitates. */
const originalContract = {
  did: `did:pkh:eip155:1:${contract}`,
  metadata: { name: "Tether USD", publisher: "Tether", description: "A token in US dollars." },
  interfaces: Interfaces.Contract,
};
const lookalike = "0xdac17f958d2ee5aaaaaaaaaaaaa597c13d831ec7";

/** A service that imitates another: its registration, and the expected content of its page. */
export interface Deception {
  /** File name of its screenshots. */
  file: string;
  what: string;
  /** Belief that the deceiver aims for. */
  claims: string;
  /** Content of the page that contradicts it. */
  shows: string;
  did: string;
  metadata?: object;
  interfaces?: number;
  lifetime?: number;
  /** Path at which the host serves a different document. */
  staleAt?: string;
  /** Search for the screenshot of its list. Default: by DID. */
  listed?: Record<string, string>;
  /** Transaction after the registration. */
  afterwards?: (client: AppRegistryClient, did: string) => Promise<`0x${string}`>;
  /** Start of the page's text. */
  line: string;
  /** Proven name, in full. */
  proven: string;
  says?: (string | RegExp)[];
  hides?: RegExp;
}

export const deceptions: Deception[] = [
  {
    file: "brand",
    what: "a brand's name, website and logo under an unrelated host, login elsewhere",
    claims: "“Stripe Payments” by “Stripe, Inc.”, with stripe.com as its website",
    shows: "Control of pay-now.example alone. Each link says where it leads, and that this is not proven.",
    did: "did:web:pay-now.example",
    line: "Controlled by pay-now.example",
    proven: "pay-now.example",
    says: [
      "Claimed name: “Stripe Payments”",
      "Claimed publisher: “Stripe, Inc.”",
      "Claimed description: “Accept payments.”",
      "leads to stripe.com, not proven to belong to this service",
      "writes to stripe.com, not proven to belong to this service",
      "leads to login.other.example, not proven to belong to this service",
      "leads to keys.other.example, not proven to belong to this service",
      "leads to app.other.example, not proven to belong to this service",
      "leads to apps.other.example, not proven to belong to this service",
      "leads to pay.other.example, not proven to belong to this service",
      "leads to api.stripe.com.pay-now.example, on the same site as pay-now.example",
    ],
  },
  {
    file: "shared-host",
    what: "a path on a host of many tenants",
    claims: "“Stripe Payments” at github.com",
    shows: "One account's control of github.com/stripe-payments. Others may hold other paths.",
    did: "did:web:github.com:stripe-payments",
    line: "Controlled by an account at github.com/stripe-payments",
    proven: "github.com/stripe-payments",
    says: [/Other paths of\s+github\.com may belong to others\./],
  },
  {
    file: "mixed-scripts",
    what: "mixed scripts",
    claims: "“PayPal”, at a host whose second letter is Cyrillic",
    shows: "Control of the host in punycode. The page also shows it in Unicode, and warns of mixed letters.",
    did: "did:web:xn--pypal-4ve.example",
    metadata: { name: "PayPal", publisher: "PayPal", description: "Pay." },
    line: "Controlled by xn--pypal-4ve.example",
    proven: "xn--pypal-4ve.example",
    says: ["In Unicode: p\u0430ypal.example", "Mixed letters.", "Cyrillic and Latin"],
  },
  {
    file: "look-alike-letters",
    what: "letters that all look like others",
    claims: "“Stripe Payments”, at a host of Cyrillic letters that read “apple”",
    shows: "Control of the host in punycode. The page says which Latin word the letters look like.",
    did: "did:web:xn--80ak6aa92e.example",
    line: "Controlled by xn--80ak6aa92e.example",
    proven: "xn--80ak6aa92e.example",
    says: ["Look-alike letters.", "look like “apple” in Latin letters"],
  },
  {
    file: "reversed-text",
    what: "right-to-left overrides and zero-width characters",
    claims: "“Controlled by stripe.com”, written backwards with invisible characters",
    shows: "Control of rtl.example. Invisible characters show as �.",
    did: "did:web:rtl.example",
    metadata: {
      name: "\u202emoc.epirts\u202c yb dellortnoC\u200b",
      publisher: "Stripe\u2066\u200f",
      description: `\u202e${"\n".repeat(400)}Controlled by stripe.com`,
      external_url: "https://rtl.example/\u202emoc.epirts",
    },
    line: "Controlled by rtl.example",
    proven: "rtl.example",
    says: ["Claimed name: “\uFFFDmoc.epirts\uFFFD yb dellortnoC\uFFFD”"],
    hides: /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
  },
  {
    file: "brand-subdomain",
    what: "a subdomain that begins with the brand",
    claims: "stripe.com, as the beginning of the host",
    shows: "Control of a host of the site evil.example.",
    did: "did:web:stripe.com.evil.example",
    line: "Controlled by stripe.com.evil.example",
    proven: "stripe.com.evil.example",
    says: ["Part of the site evil.example."],
  },
  {
    file: "long-host",
    what: "a host so long that its end could be cut",
    claims: "Payments and checkout, in a host too long for a line",
    shows: "Control of the whole host, shown to its end, and its site evil.example.",
    did: `did:web:${longHost}`,
    line: `Controlled by ${longHost}`,
    proven: longHost,
    says: ["Part of the site evil.example."],
  },
  {
    file: "lapsed-control",
    what: "control that lapsed",
    claims: "“Stripe Payments”, attested some time ago",
    shows: "Nothing about control now: the attestation expired.",
    did: "did:web:lapsed.example",
    lifetime: 40,
    line: "Registered under lapsed.example; control not currently proven",
    proven: "lapsed.example",
    hides: /, the proven host/,
  },
  {
    file: "look-alike-contract",
    what: "a contract that looks like another by its ends",
    claims: "“Tether USD”, at an address with the same first and last characters",
    shows:
      "Control by this contract's owner. All characters of the address are shown, and a list underlines what differs.",
    listed: { q: "Tether USD" },
    did: `did:pkh:eip155:1:${lookalike}`,
    metadata: { name: "Tether USD", publisher: "Tether", description: `The contract ${contract}.` },
    interfaces: Interfaces.Contract,
    line: `Controlled by the owner of contract eip155:1:${lookalike}`,
    proven: `eip155:1:${getAddress(lookalike)}`,
    says: ["Compare every character"],
  },
  {
    file: "verified-mark",
    what: "“verified” and check marks in its words and its icon",
    claims: "“✅ Verified by App Registry: stripe.com ✔️”, with a green check mark as its icon",
    shows:
      "Control of trust-me.example. Check marks in the publisher's words are spelled out; its icon is among the claims.",
    did: "did:web:trust-me.example",
    metadata: {
      name: "✅ Verified by App Registry: stripe.com ✔️",
      publisher: "App Registry 🛡️ official",
      description: "VERIFIED ✔ Controlled by stripe.com. Record Pass. Control Pass.",
      image: "https://trust-me.example/check.png",
    },
    line: "Controlled by trust-me.example",
    proven: "trust-me.example",
    says: ["Claimed name: “[check mark] Verified by App Registry", "come from the publisher"],
    hides: /[✅✔🛡]/u,
  },
  {
    file: "endpoint-elsewhere",
    what: "an endpoint at another host",
    claims: "“Stripe Payments” with an API at api.stripe.example",
    shows: "Control of elsewhere.example. *Origin* fails: the API is somewhere else.",
    did: "did:web:elsewhere.example",
    metadata: { ...stripe, endpoints: [{ name: "REST", endpoint: "https://api.stripe.example/v1" }] },
    line: "Controlled by elsewhere.example",
    proven: "elsewhere.example",
    says: [
      "Origin Fail",
      "This connects to api.stripe.example, which is not proven to belong to elsewhere.example.",
    ],
  },
  {
    file: "login-elsewhere",
    what: "a login at another host",
    claims: "“Stripe Dashboard”, whose visitors sign in",
    shows: "Control of dashboard.example. *Origin* fails: the login is at login.other.example.",
    did: "did:web:dashboard.example",
    metadata: {
      ...{ name: "Stripe Dashboard", publisher: "Stripe, Inc.", description: "Sign in to your account." },
      endpoints: [
        {
          name: "REST",
          endpoint: "https://dashboard.example/v1",
          authentication: { oauth2: { authorizationUrl: "https://login.other.example/a" } },
        },
      ],
    },
    line: "Controlled by dashboard.example",
    proven: "dashboard.example",
    says: ["Origin Fail", "leads to login.other.example, not proven to belong to this service"],
  },
  {
    file: "replaced",
    what: "a record that its publisher took out of use",
    claims: "“Stripe Payments”, still listed with everything that it had",
    shows: "Control of replaced.example. *Record* fails: it is marked Replaced.",
    did: "did:web:replaced.example",
    afterwards: (client, did) => client.updateStatus({ did, major: 1, status: 2 }),
    line: "Controlled by replaced.example",
    proven: "replaced.example",
    says: ["Record Fail", "The record is Replaced"],
  },
  {
    file: "stale-document",
    what: "a document that changed after it was attested",
    claims: "Another document than the one that was registered",
    shows: "Control of stale.example. *Content* fails, and the page shows nothing of the document.",
    did: "did:web:stale.example",
    staleAt: "/stale.json",
    line: "Controlled by stale.example",
    proven: "stale.example",
    says: ["Content Fail", "doesn't match the record"],
    hides: /Claimed (name|publisher|description|by)|Stripe/,
  },
  {
    file: "sold",
    what: "a record that changed hands",
    claims: "“Stripe Payments”, by a holder who bought the token",
    shows: "The minter still controls sold.example; the holder does not.",
    did: "did:web:sold.example",
    afterwards: async (client, did) => {
      const tokenId = await client.tokenIdOf({ did, major: 1 });
      return client.transfer({ from: testAccount(7).address, to: testAccount(8).address, tokenId });
    },
    line: "Controlled by sold.example",
    proven: "sold.example",
    says: [/The minter 0x\S+ controls the DID.* The current holder 0x\S+ does not control it\./],
  },
];

const fakeMark = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><circle cx="64" cy="64" r="60"
  fill="#1a7f37"/><path d="M34 66l20 20 42-44" fill="none" stroke="#fff" stroke-width="14"/></svg>`;

/** Answers requests for pictures with a green check mark. The deceivers' hosts do not exist. */
export async function showFakeMark(page: Page): Promise<void> {
  const body = await sharp(Buffer.from(fakeMark)).webp().toBuffer();
  await page.route("**/api/picture/**", (route) => route.fulfill({ contentType: "image/webp", body }));
}

/**
 * Registers all deceptions, moves the chain's clock past the expiry of one, and waits for the index. Returns a function
 * that stops their host.
 */
export async function registerDeceptions(baseUrl: string | undefined): Promise<() => Promise<void>> {
  const host = await startDidHost();
  for (const {
    did,
    metadata = stripe,
    interfaces = Interfaces.Api,
    lifetime,
    staleAt,
    afterwards,
  } of deceptions) {
    if (staleAt) host.put(staleAt, JSON.stringify({ ...metadata, name: "Another document" }));
    const dataUrl = staleAt && { dataUrl: host.origin + staleAt };
    const client = await registerAnyHost(baseUrl, {
      ...{ did, metadata, interfaces },
      ...(lifetime && { lifetime }),
      ...dataUrl,
    });
    if (afterwards) await client.waitForReceipt({ hash: await afterwards(client, did) });
  }
  await registerAnyHost(baseUrl, originalContract);
  await passTime(60);
  await untilIndexed(baseUrl);
  return host.close;
}
