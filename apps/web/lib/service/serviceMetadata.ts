import { getEndpoints, isJsonObject, type Metadata, metadataSchema } from "@app-registry/sdk";
import {
  endpointEntrySchema,
  fieldDescriptions,
  getUsualSchema,
  isUrlSchema,
  priceSchema,
  type UncheckedSchema,
} from "@app-registry/sdk/internal";
import type * as z from "zod/mini";

type Shape = Record<string, z.core.$ZodType>;

/** Value of a field. Text that is blank or of another type is undefined. */
type FieldValue<Schema> =
  Schema extends z.ZodMiniOptional<infer Inner>
    ? FieldValue<Inner>
    : Schema extends UncheckedSchema<infer Usual>
      ? FieldValue<Usual>
      : Schema extends z.ZodMiniString
        ? string | undefined
        : Schema extends z.ZodMiniBoolean
          ? boolean
          : Schema extends z.ZodMiniArray<infer Item>
            ? ListItem<Item>[]
            : Schema extends z.ZodMiniRecord<z.core.$ZodRecordKey, z.ZodMiniObject<infer Fields>>
              ? ({ name: string } & FieldValues<Fields>)[]
              : unknown;

type FieldValues<Fields> = { [Name in keyof Fields]: FieldValue<Fields[Name]> };

/** Entry of a list. The first text that an object requires identifies it; the other ones are empty if missing. */
type ListItem<Item> =
  Item extends z.ZodMiniObject<infer Fields>
    ? { [Name in keyof Fields]: Fields[Name] extends z.ZodMiniString ? string : FieldValue<Fields[Name]> }
    : string;

const readText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

/** Reads the fields that an object's schema names, and ignores values of other types. */
export function readFields<Fields extends Shape>({ shape }: { shape: Fields }, document: unknown) {
  const values = isJsonObject(document) ? document : {};
  const entries = Object.entries(shape).map(([name, field]) => [name, readField(field, values[name])]);
  return Object.fromEntries(entries) as FieldValues<Fields>;
}

function readField(field: z.core.$ZodType, value: unknown): unknown {
  const { def } = getUsualSchema(field)._zod;
  switch (def.type) {
    case "string":
      return readText(value);
    case "boolean":
      return value === true;
    case "array":
      return (Array.isArray(value) ? value : []).flatMap((item) => readItem(def.element, item) ?? []);
    case "record": {
      const { def: fields } = getUsualSchema(def.valueType)._zod;
      const entries = Object.entries(isJsonObject(value) ? value : {});
      if (fields.type !== "object") return value;
      return entries.map(([name, entry]) => ({ name, ...readFields(fields, entry) }));
    }
    default:
      return value;
  }
}

/** Returns `undefined` for an entry of another type or without the first text that it requires. */
function readItem(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = getUsualSchema(schema)._zod;
  if (def.type !== "object") return typeof value === "string" ? value : undefined;
  const required = Object.keys(def.shape).filter((name) => def.shape[name]?._zod.def.type === "string");
  const fields = readFields(def, value);
  const [key] = required;
  if (key !== undefined && fields[key] === undefined) return undefined;
  return { ...fields, ...Object.fromEntries(required.map((name) => [name, fields[name] ?? ""])) };
}

/** Endpoint with its capabilities. */
export type ServiceEndpoint = FieldValues<(typeof endpointEntrySchema)["shape"]> & {
  /** The `api:*` trait that describes the endpoint, if it is certain. */
  apiTrait: string | undefined;
};

/** Metadata document as a service's page reads it. */
export type ServiceMetadata = Omit<FieldValues<(typeof metadataSchema)["shape"]>, "endpoints" | "probe"> & {
  endpoints: ServiceEndpoint[];
};

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
  const metadata = readFields(metadataSchema, document);
  const endpoints = getEndpoints(document as Metadata).map((entry) => readFields(endpointEntrySchema, entry));
  const names = endpoints.flatMap(({ name }) => name ?? []);
  return {
    ...metadata,
    endpoints: endpoints.map((entry) => ({
      ...entry,
      apiTrait: getApiTrait(entry.name, metadata.traits, names),
    })),
  };
}

/** Describes what a request costs, on which chains, in which token and for whom. Always names the token's contract. */
export function describeTerms({ chains, price, payTo }: ServiceMetadata["payments"][number]): string {
  const { amount, symbol = "", asset } = readFields(priceSchema, price);
  const cost = amount && `${`${amount} ${symbol}`.trim()} per request`;
  return [cost, ...chains, asset && `token ${asset}`, payTo && `to ${payTo}`].filter(Boolean).join(", ");
}

/** Claim of the publisher, as a text or a link. */
type ServiceClaim = { term: string; text: string; isUrl: boolean };

/** Lists the publisher's claims that a page shows below the service's name and description. */
export function listClaims(
  metadata: Record<string, unknown>,
  { shape }: { shape: Shape } = metadataSchema,
): ServiceClaim[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const term = fieldDescriptions.get(field)?.claim;
    const text = readText(metadata[name]);
    return term === undefined || text === undefined ? [] : [{ term, text, isUrl: isUrlSchema(field) }];
  });
}
