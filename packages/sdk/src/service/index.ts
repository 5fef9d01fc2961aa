export {
  type ConnectAppRegistryOptions,
  connectAppRegistry,
  connectionSchema,
} from "./connectAppRegistry.ts";
export type { ServiceOptions } from "./requestJson.ts";
