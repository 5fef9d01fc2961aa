export {
  type ConnectAppRegistryOptions,
  connectAppRegistry,
  registryInfoSchema,
} from "./connectAppRegistry.ts";
export type { ServiceOptions } from "./requestJson.ts";
