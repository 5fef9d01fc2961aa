import { endpointsOf, isJsonObject, type Metadata } from "@app-registry/sdk";
import type { EndpointView } from "../../components/record/connecting.ts";
import type { ToolView } from "../../components/record/ToolPanel.tsx";

export type ResourceView = { uri: string; name?: string; description?: string; mimeType?: string };
export type PromptView = {
  name: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
};
export type SkillView = { name: string; description?: string };
type PlatformView = { name: string; launchUrl?: string; downloadUrl?: string; artifactDid?: string };

/** An endpoint with what it offers. */
export type ServiceEndpoint = EndpointView & {
  /** The `api:*` trait that describes it, where that is certain. */
  apiTrait?: string | undefined;
  tools: ToolView[];
  resources: ResourceView[];
  prompts: PromptView[];
  skills: SkillView[];
};

/** What a service's page shows of its metadata document. */
export type ServiceMetadata = {
  name?: string;
  description?: string;
  publisher?: string;
  imageUrl?: string;
  websiteUrl?: string;
  supportUrl?: string;
  portalUrl?: string;
  traits: string[];
  endpoints: ServiceEndpoint[];
  platforms: PlatformView[];
  screenshotUrls: string[];
  videoUrls: string[];
  threeDAssetUrls: string[];
  payments: { type: string; url?: string; chains: string[] }[];
};

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields => (isJsonObject(value) ? value : {});

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: unknown): string[] {
  return list(value).filter((item) => typeof item === "string");
}

/** The named string fields that are there and not empty. */
function texts<Name extends string>(source: Fields, ...names: Name[]): { [K in Name]?: string } {
  const found: { [K in Name]?: string } = {};
  for (const name of names) {
    const value = source[name];
    if (typeof value === "string" && value.trim() !== "") found[name] = value;
  }
  return found;
}

/** Entries of a list that have a name of their own. */
function named(value: unknown): { name: string; entry: Fields }[] {
  return list(value).flatMap((item) => {
    const entry = fields(item);
    return typeof entry.name === "string" ? [{ name: entry.name, entry }] : [];
  });
}

/**
 * The `api:*` trait of an endpoint: the one that its name spells, else the only one that the document declares and
 * no other endpoint's name takes.
 */
function apiTraitOf(name: string | undefined, traits: string[], endpointNames: string[]): string | undefined {
  if (name === "Contract") return undefined;
  const apiTraits = traits.filter((trait) => trait.startsWith("api:"));
  const spelled = (text: string | undefined) =>
    apiTraits.find((trait) => trait === `api:${text?.toLowerCase().replace(/[^a-z0-9]/g, "")}`);
  const taken = new Set(endpointNames.map(spelled));
  const free = apiTraits.filter((trait) => !taken.has(trait));
  return spelled(name) ?? (free.length === 1 ? free[0] : undefined);
}

/** Reads a metadata document, of either layout, into what a page shows. Fields of other types are passed over. */
export function readServiceMetadata(metadata: unknown): ServiceMetadata {
  const source = fields(metadata);
  const traits = strings(source.traits);
  const entries = endpointsOf(metadata as Metadata).map(fields);
  const endpointNames = entries.flatMap((entry) => (typeof entry.name === "string" ? [entry.name] : []));
  const { image, external_url, ...rest } = texts(
    source,
    "name",
    "description",
    "publisher",
    "supportUrl",
    "portalUrl",
    "image",
    "external_url",
  );
  return {
    ...rest,
    ...(image === undefined ? {} : { imageUrl: image }),
    ...(external_url === undefined ? {} : { websiteUrl: external_url }),
    traits,
    endpoints: entries.map((entry) => ({
      ...texts(entry, "name", "endpoint", "schemaUrl"),
      interfaceVersions: strings(entry.interfaceVersions),
      transport: entry.transport,
      authentication: entry.authentication,
      apiTrait: apiTraitOf(texts(entry, "name").name, traits, endpointNames),
      tools: named(entry.tools).map(({ name, entry: tool }) => ({
        name,
        ...texts(tool, "description"),
        inputSchema: tool.inputSchema,
        annotations: tool.annotations,
      })),
      resources: list(entry.resources).flatMap((item) => {
        const resource = texts(fields(item), "uri", "name", "description", "mimeType");
        const { uri } = resource;
        return uri === undefined ? [] : [{ ...resource, uri }];
      }),
      prompts: named(entry.prompts).map(({ name, entry: prompt }) => ({
        name,
        ...texts(prompt, "description"),
        arguments: named(prompt.arguments).map(({ name: argument, entry: detail }) => ({
          name: argument,
          ...texts(detail, "description"),
          required: detail.required === true,
        })),
      })),
      skills: named(entry.skills).map(({ name, entry: skill }) => ({ name, ...texts(skill, "description") })),
    })),
    platforms: Object.entries(fields(source.platforms)).map(([name, platform]) => ({
      name,
      ...texts(fields(platform), "launchUrl", "downloadUrl", "artifactDid"),
    })),
    screenshotUrls: strings(source.screenshotUrls),
    videoUrls: strings(source.videoUrls),
    threeDAssetUrls: strings(source.threeDAssetUrls),
    payments: list(source.payments).flatMap((item) => {
      const { type, url } = texts(fields(item), "type", "url");
      const chains = strings(fields(item).chains);
      return type === undefined ? [] : [{ type, ...(url === undefined ? {} : { url }), chains }];
    }),
  };
}
