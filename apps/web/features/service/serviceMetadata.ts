import { getEndpoints, isJsonObject, type Metadata } from "@app-registry/sdk";
import { z } from "zod";

/** Nonempty text. As with every field here, a value of another type is ignored. */
const text = z
  .string()
  .refine((value) => value.trim() !== "")
  .optional()
  .catch(undefined);
const json = z.unknown().optional();

/** Creates the schema of a list that ignores entries of other types. */
const toList = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((entries) =>
      entries.flatMap((entry): z.output<Item>[] => {
        const { success, data } = item.safeParse(entry);
        return success ? [data] : [];
      }),
    );
const texts = toList(z.string());

const described = z.object({ name: z.string(), description: text });
const toolSchema = described.extend({ inputSchema: json, annotations: json });
const resourceSchema = z.object({ uri: z.string().min(1), name: text, description: text, mimeType: text });
const argumentSchema = described.extend({ required: json.transform((value) => value === true) });
const promptSchema = described.extend({ arguments: toList(argumentSchema) });

const endpointSchema = z.object({
  name: text,
  endpoint: text,
  schemaUrl: text,
  interfaceVersions: texts,
  transport: json,
  authentication: json,
  tools: toList(toolSchema),
  resources: toList(resourceSchema),
  prompts: toList(promptSchema),
  skills: toList(described),
});

const platformSchema = z.object({ launchUrl: text, downloadUrl: text });

const metadataSchema = z.object({
  name: text,
  description: text,
  publisher: text,
  image: text,
  external_url: text,
  supportUrl: text,
  portalUrl: text,
  traits: texts,
  releaseNotes: text,
  deprecation: text,
  replacedBy: text,
  platforms: z
    .record(z.string(), platformSchema.catch({ launchUrl: undefined, downloadUrl: undefined }))
    .catch({})
    .transform((platforms) => Object.entries(platforms).map(([name, urls]) => ({ name, ...urls }))),
  screenshotUrls: texts,
  videoUrls: texts,
  threeDAssetUrls: texts,
  payments: toList(z.object({ type: z.string().min(1), url: text, chains: texts })),
});

/** Endpoint with its capabilities. */
export type ServiceEndpoint = z.output<typeof endpointSchema> & {
  /** The `api:*` trait that describes the endpoint, if it is certain. */
  apiTrait: string | undefined;
};

/** Parts of a metadata document that a service's page shows. */
export type ServiceMetadata = z.output<typeof metadataSchema> & { endpoints: ServiceEndpoint[] };

/**
 * Returns the `api:*` trait of an endpoint: the one that its name spells, or else the only declared trait that no other
 * endpoint's name spells.
 */
function getApiTrait(
  name: string | undefined,
  traits: string[],
  endpointNames: string[],
): string | undefined {
  const apiTraits = traits.filter((trait) => trait.startsWith("api:"));
  const spelled = (word: string | undefined) =>
    apiTraits.find((trait) => trait === `api:${word?.toLowerCase().replace(/[^a-z0-9]/g, "")}`);
  const taken = new Set(endpointNames.map(spelled));
  const free = apiTraits.filter((trait) => !taken.has(trait));
  return spelled(name) ?? (free.length === 1 ? free[0] : undefined);
}

/** Parses a metadata document in either format. */
export function readServiceMetadata(document: unknown): ServiceMetadata {
  const metadata = metadataSchema.parse(isJsonObject(document) ? document : {});
  const endpoints = getEndpoints(document as Metadata).map((entry) => endpointSchema.parse(entry));
  const names = endpoints.flatMap(({ name }) => name ?? []);
  return {
    ...metadata,
    endpoints: endpoints.map((entry) => ({
      ...entry,
      apiTrait: getApiTrait(entry.name, metadata.traits, names),
    })),
  };
}
