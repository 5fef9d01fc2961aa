import { connectAppRegistry, requestAttestation } from "@app-registry/sdk";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { registerApp } from "@app-registry/test-kit/testRegistry";
import { custom } from "viem";
import { describe, expect, it } from "vitest";
import { newClient, registry, service } from "./sharedService.ts";

describe("connectAppRegistry", () => {
  it("uses the deployment and the RPC endpoint of the service, and sends with the account", async () => {
    const { account, client } = await newClient();
    expect(client.deployment).toEqual(registry.deployment);
    const did = service.did("connected", account.address);
    const attested = await requestAttestation({
      baseUrl: service.baseUrl,
      did,
      connectedAddress: account.address,
      requiredSchemas: ["did-ownership"],
    });
    expect(attested).toMatchObject({ ok: true, status: "attested" });
    expect(await client.checkDid({ did, controller: account.address })).toBe(true);
    await expect(client.updateStatus({ did, major: 1, status: 1 })).rejects.toMatchObject({
      errorName: "AppNotFound",
    });
  });

  it("uses the caller's transport instead", async () => {
    const { did } = await registerApp(registry);
    const asked: string[] = [];
    const transport = custom({
      request: ({ method, params }) => {
        asked.push(method);
        return registry.chain.request({ method, params });
      },
    });
    const client = await connectAppRegistry(service.baseUrl, { transport });
    expect((await client.getApp({ did, major: 1 })).did).toBe(did);
    expect(asked).toContain("eth_call");
  });

  it.each([
    ["is down", async () => deadOrigin, "ServiceUnavailableError"],
    ["names no contracts", () => serveHttp((_, response) => response.end("{}")), "ServiceUnavailableError"],
    ["is silent", () => serveHttp(() => undefined), "TimeLimitError"],
  ])("reports that the service %s", async (_, start, name) => {
    await expect(connectAppRegistry(await start(), { timeoutMs: 500 })).rejects.toMatchObject({ name });
  });
});
