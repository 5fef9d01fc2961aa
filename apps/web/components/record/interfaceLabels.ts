import type { InterfaceName } from "@app-registry/sdk";

/** The interfaces as people read them. */
export const interfaceLabels: Record<InterfaceName, string> = {
  Human: "Human",
  Api: "API",
  Contract: "Contract",
};
