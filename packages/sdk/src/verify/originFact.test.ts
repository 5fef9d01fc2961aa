import {
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { beforeAll, describe, expect, it } from "vitest";
import { getSite } from "../../test/getSite.ts";
import type { ClassifiedAddress } from "./originFact.ts";
import { verifyApp } from "./verifyApp.ts";

const endpoint = (url: string, authentication = {}) => ({ name: "REST", endpoint: url, authentication });

describe("fact origin", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  /** Registers a service with this metadata, and returns its fact *origin* with the relation of each address. */
  async function getOrigin(did: string, extra: object, before = async () => {}) {
    await registerApp(registry, mintParameters(did, restMetadata("Stripe Payments", extra)));
    await before();
    const { origin } = (await verifyApp({ client: registry.publisher, did, siteOf: getSite })).facts;
    const addresses = (origin.evidence.addresses ?? []) as ClassifiedAddress[];
    return { ...origin, leads: Object.fromEntries(addresses.map(({ pointer, leads }) => [pointer, leads])) };
  }

  const attestAgain = (did: string) => () =>
    registry.attest(did, registry.publisher.account.address).then(() => {});

  it("fails for a login on another host, and does not fail for website, media and schema", async () => {
    const origin = await getOrigin("did:web:shop.example", {
      external_url: "https://stripe.com",
      supportUrl: "mailto:help@stripe.com",
      platforms: {
        web: { launchUrl: "https://login-stripe.example/", downloadUrl: "https://apps.example/a.apk" },
      },
      endpoints: [
        {
          ...endpoint("https://shop.example/v1", {
            oauth2: { authorizationUrl: "https://shop.example/login", tokenUrl: "https://tokens.example/" },
            jwksUrl: "https://keys.example/jwks.json",
          }),
          schemaUrl: "https://schemas.example/openapi.json",
        },
      ],
      payments: [{ type: "x402", url: "https://pay.example/" }],
    });
    expect(origin.outcome).toBe("fail");
    expect(origin.reason).toBe(
      "The token address at tokens.example, the JWKS address at keys.example, the launch address at login-stripe.example, and 1 more are not proven to belong to shop.example.",
    );
    expect(origin.leads).toEqual({
      "/endpoints/0/endpoint": "same-host",
      "/endpoints/0/authentication/oauth2/authorizationUrl": "same-host",
      "/endpoints/0/authentication/oauth2/tokenUrl": "elsewhere",
      "/endpoints/0/authentication/jwksUrl": "elsewhere",
      "/endpoints/0/schemaUrl": "elsewhere",
      "/platforms/web/launchUrl": "elsewhere",
      "/platforms/web/downloadUrl": "elsewhere",
      "/payments/0/url": "elsewhere",
      "/external_url": "elsewhere",
      "/supportUrl": "elsewhere",
      "/image": "elsewhere",
    });
  });

  it("checks every transport and every interface of an agent", async () => {
    const { outcome, leads } = await getOrigin("did:web:agent.example", {
      endpoints: [
        {
          name: "A2A",
          endpoint: "https://agent.example/.well-known/agent-card.json",
          transport: {
            sse: { url: "https://events.example/sse" },
            "a/b": { url: "wss://agent.example/socket" },
            stdio: { command: "npx" },
          },
          supportedInterfaces: [
            { url: "https://agent.example/rpc", protocolBinding: "JSONRPC" },
            { url: "https://thief.example/grpc", protocolBinding: "GRPC" },
            "https://not-an-interface.example",
          ],
        },
      ],
    });
    expect(outcome).toBe("fail");
    expect(leads).toMatchObject({
      "/endpoints/0/transport/sse/url": "elsewhere",
      "/endpoints/0/transport/a~1b/url": "same-host",
      "/endpoints/0/supportedInterfaces/0/url": "same-host",
      "/endpoints/0/supportedInterfaces/1/url": "elsewhere",
    });
    expect(Object.keys(leads)).not.toContain("/endpoints/0/supportedInterfaces/2/url");
  });

  it("checks an endpoint named Contract, unless the DID names a contract", async () => {
    const extra = {
      endpoints: [
        {
          ...endpoint("https://login-stripe.example/v1", { jwksUrl: "https://keys.example/jwks.json" }),
          name: "Contract",
        },
      ],
    };
    const web = await getOrigin("did:web:payments.example", extra);
    expect(web).toMatchObject({
      outcome: "fail",
      reason:
        "The endpoint at login-stripe.example and the JWKS address at keys.example are not proven to belong to payments.example.",
    });
    const pkh = await getOrigin(`did:pkh:eip155:1:0x${"c0".repeat(20)}`, extra);
    expect(pkh).toMatchObject({
      outcome: "fail",
      reason: expect.stringContaining("The JWKS address at keys.example is not proven to belong to "),
    });
    expect(pkh.evidence.addresses).toContainEqual(
      expect.objectContaining({ use: "rpc", url: "https://login-stripe.example/v1" }),
    );
  });

  it("passes without an address to check, and names the pages on other hosts", async () => {
    const quiet = await getOrigin("did:web:names-nothing.example", {
      endpoints: [],
      supportUrl: "mailto:help@names-nothing.example",
    });
    expect(quiet).toMatchObject({
      outcome: "pass",
      reason: "It lists no addresses used to reach it, so there was nothing to check.",
    });
    const { outcome, reason } = await getOrigin("did:web:names-pages.example", {
      endpoints: [],
      external_url: "https://stripe.com",
      supportUrl: "https://names-pages.example/help",
      platforms: { android: { downloadUrl: "https://apps.example/a.apk" } },
    });
    expect(outcome).toBe("pass");
    expect(reason).toBe(
      "It lists no addresses used to reach it, so there was nothing to check. The download at apps.example and the website at stripe.com are not proven to belong to names-pages.example.",
    );
  });

  it("passes for addresses on the host and its site, with any claimed website", async () => {
    const origin = await getOrigin("did:web:app.site-a.example", {
      external_url: "https://stripe.com",
      endpoints: [endpoint("https://api.site-a.example/v1")],
    });
    expect(origin).toMatchObject({
      outcome: "pass",
      reason: "All addresses used to reach the service lead to app.site-a.example.",
      leads: { "/endpoints/0/endpoint": "same-site" },
    });
  });

  it("passes for another host only if the same account controls it", async () => {
    const elsewhere = "did:web:api.other-host.example";
    const extra = { endpoints: [endpoint("https://api.other-host.example/v1")] };
    expect((await getOrigin("did:web:alone.example", extra)).outcome).toBe("fail");
    const linked = await getOrigin("did:web:linked.example", extra, attestAgain(elsewhere));
    expect(linked).toMatchObject({ outcome: "pass", leads: { "/endpoints/0/endpoint": "linked" } });
    expect(linked.reason).toContain("api.other-host.example, controlled by the same account");
  });

  it("fails for a host that another account controls", async () => {
    const stranger = await registry.newAccount();
    const origin = await getOrigin(
      "did:web:stranger.example",
      { endpoints: [endpoint("https://victim.example/v1")] },
      () => registry.attest("did:web:victim.example", stranger.account.address).then(() => {}),
    );
    expect(origin).toMatchObject({ outcome: "fail", leads: { "/endpoints/0/endpoint": "elsewhere" } });
  });

  it("checks at most 20 hosts on the chain, and returns unknown for the others", async () => {
    const endpoints = Array.from({ length: 22 }, (_, index) => endpoint(`https://host-${index}.example/`));
    const origin = await getOrigin("did:web:many-hosts.example", { endpoints });
    expect(Object.values(origin.leads).filter((leads) => leads === "elsewhere")).toHaveLength(21);
    expect(origin.leads["/endpoints/21/endpoint"]).toBe("unknown");
  });

  it("is unknown for another host without a public suffix list", async () => {
    const { did } = await registerApp(registry, mintParameters(newDid()));
    const { origin } = (await verifyApp({ client: registry.publisher, did })).facts;
    expect(origin.outcome).toBe("unknown");
  });
});
