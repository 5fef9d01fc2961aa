import { Interfaces } from "@app-registry/sdk";
import { type Draft, isContractEndpoint, type StepId } from "./draft.ts";

import { getAt, pointerOf, pointerTokens } from "./pointer.ts";

/** A screen of the wizard as the list on the left names it. */
export interface Step {
  id: StepId;
  title: string;
}

const titles: Record<StepId, string> = {
  identity: "DID and version",
  about: "About the service",
  interfaces: "Interfaces",
  human: "Website or app",
  api: "API",
  contract: "Contract",
  discovery: "Traits and payments",
  publication: "Hash and storage",
  json: "Metadata as JSON",
  review: "Review and publish",
};

const interfaceSteps: Partial<Record<StepId, number>> = {
  human: Interfaces.Human,
  api: Interfaces.Api,
  contract: Interfaces.Contract,
};

const order: StepId[] = [
  "identity",
  "about",
  "interfaces",
  "human",
  "api",
  "contract",
  "discovery",
  "publication",
  "review",
];

export function stepTitle(id: StepId): string {
  return titles[id];
}

/** The screens that a service with these interfaces passes, in order. "Metadata as JSON" stands beside them. */
export function stepsOf(interfaces: number): Step[] {
  return order
    .filter((id) => interfaceSteps[id] === undefined || (interfaces & interfaceSteps[id]) !== 0)
    .map((id) => ({ id, title: titles[id] }));
}

const stepOfKey: Record<string, StepId> = {
  did: "identity",
  version: "identity",
  wallet: "identity",
  interfaces: "interfaces",
  apiType: "interfaces",
  contractId: "contract",
  fungibleTokenId: "discovery",
  dataUrl: "publication",
  storage: "publication",
  name: "about",
  description: "about",
  publisher: "about",
  image: "about",
  external_url: "about",
  supportUrl: "about",
  platforms: "human",
  screenshotUrls: "human",
  videoUrls: "human",
  threeDAssetUrls: "human",
  portalUrl: "human",
  endpoint: "api",
  interfaceVersions: "api",
  traits: "discovery",
  payments: "discovery",
};

/**
 * The screen on which a field can be mended. A part of the metadata that the form has no field for, or whose
 * screen the service does not pass, is mended in the JSON itself.
 */
export function stepOfField(field: string, draft: Draft): StepId {
  const [key, index] = field.startsWith("/") ? pointerTokens(field) : [field];
  let step = stepOfKey[key ?? ""] ?? "json";
  if (key === "endpoints") {
    const entry = index === undefined ? undefined : getAt(draft.metadata, pointerOf("endpoints", index));
    step = isContractEndpoint(entry) ? "contract" : "api";
  }
  return stepsOf(draft.interfaces).some(({ id }) => id === step) ? step : "json";
}
