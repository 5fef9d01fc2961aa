import { connectAppRegistry } from "@app-registry/sdk";
import { type RegistryService, startRegistryService } from "@app-registry/test-kit/registryService";
import { type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import type { LocalAccount } from "viem";

const services = new Map<string, Promise<RegistryService>>();

/** Registry and web service that all files of these tests share. They end with the run. */
export const registry: TestRegistry = await testRegistry();
export const service: RegistryService = await serviceThat("send");

/** Returns the service whose issuer sends its attestations, or only signs them. */
export function serviceThat(mode: "send" | "sign"): Promise<RegistryService> {
  const started = services.get(mode) ?? startRegistryService(registry, mode);
  services.set(mode, started);
  return started;
}

/** Creates an account with a client of a service, by default the one whose issuer sends. */
export async function newClient({ baseUrl }: Pick<RegistryService, "baseUrl"> = service) {
  const account = (await registry.newAccount()).account as LocalAccount;
  return { account, client: await connectAppRegistry(baseUrl, { account }) };
}
