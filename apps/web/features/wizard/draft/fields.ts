import { metadataSchema, parseJsonPointer, toJsonPointer } from "@app-registry/sdk";
import {
  authenticationSchema,
  endpointEntrySchema,
  type FieldDescription,
  fieldDescriptions,
  getUsualSchema,
  isUrlSchema,
  transportSchema,
} from "@app-registry/sdk/internal";
import type * as z from "zod/mini";

/** Field of the form. The sdk's rules validate its value; `draftProblems` assigns problems to the field. */
export interface FieldSpec extends Omit<FieldDescription, "label" | "control"> {
  /** JSON pointer into the metadata, or the name of a draft field. Relative to the group for fields within one. */
  at: string;
  label: string;
  required?: boolean;
  /**
   * Input type: `tags` lists short texts in one line, `urls` and `texts` one per line, `rows` lists objects, `schema`
   * is a JSON Schema, `traits` omits the API type, `check` is true or unset (or false or unset, with `isDefault`), `answer` is true, false or unset.
   * Default: one text.
   */
  control?: FieldDescription["control"] | "tags" | "urls" | "rows" | "platforms" | "check";
  /** Maximum number of lines before the text scrolls. */
  maxLines?: number;
  /** True for long documents, which use the full width. */
  wide?: boolean;
  /** Fields of each row, relative to the row. The first one is the title of a folded row. */
  columns?: readonly FieldSpec[];
}

/** Related fields under one heading. */
export interface GroupSpec {
  title: string;
  help: string;
  fields: FieldSpec[];
}

type Fields = { shape: Record<string, z.core.$ZodType> };

/** Returns the control for the type of a schema, with the fields of each entry. */
function getControl(schema: z.core.$ZodType): Pick<FieldSpec, "control" | "columns"> {
  const { def } = getUsualSchema(schema)._zod;
  if (def.type === "boolean") return { control: "check" };
  if (def.type !== "array" && def.type !== "record") return {};
  const entry = def.type === "array" ? def.element : def.valueType;
  const { def: fields } = getUsualSchema(entry)._zod;
  const columns = fields.type === "object" ? { columns: getFields(fields) } : {};
  if (def.type === "record") return { control: "platforms", ...columns };
  return { control: fields.type === "object" ? "rows" : isUrlSchema(entry) ? "urls" : "tags", ...columns };
}

/** Returns the form fields of an object and of the objects in it, in the order of the form. */
export function getFields({ shape }: Fields, at = ""): FieldSpec[] {
  const fields = Object.entries(shape).flatMap(([key, schema]): FieldSpec[] => {
    const pointer = at + toJsonPointer([key]);
    const { label, control, ...description } = fieldDescriptions.get(schema) ?? {};
    const { def } = getUsualSchema(schema)._zod;
    if (def.type === "object" && control === undefined) return getFields(def, pointer);
    if (label === undefined) return [];
    const required = schema._zod.def.type !== "optional";
    const mono = description.mono ?? isUrlSchema(schema);
    const described = { ...getControl(schema), ...(control && { control }) };
    return [{ ...description, at: pointer, label, required, mono, ...described }];
  });
  const following = (place: string) => fields.filter(({ after }) => after === place);
  return fields
    .filter(({ after }) => !fields.some((other) => other.at === after))
    .flatMap((field) => [field, ...following(field.at)]);
}

/** Returns the metadata fields of a screen and their groups, without those that have a component of their own. */
export function getPlacedFields(screen: string, schema: Fields = metadataSchema): (FieldSpec | GroupSpec)[] {
  const parts: (FieldSpec | GroupSpec)[] = [];
  for (const field of getFields(schema)) {
    if (field.screen !== screen || field.control === "custom") continue;
    const last = parts.at(-1);
    if (field.group === undefined) parts.push(field);
    else if (last && "fields" in last && last.title === field.group.title) last.fields.push(field);
    else parts.push({ ...field.group, fields: [field] });
  }
  return parts;
}

/** Returns the metadata keys whose fields are on a screen. */
export const getMetadataKeys = (screen: string): string[] =>
  Object.entries(metadataSchema.shape).flatMap(([key, schema]) =>
    fieldDescriptions.get(schema)?.screen === screen ? [key] : [],
  );

/** Returns the form field of a metadata key. */
export function getMetadataField(key: keyof typeof metadataSchema.shape & string): FieldSpec {
  const { [key]: schema } = metadataSchema.shape;
  const [field] = getFields({ shape: { [key]: schema } });
  if (field === undefined) throw new Error(`The form has no field for ${key}.`);
  return field;
}

/** Names of fields that problem lists show below the name of their list. */
const shortLabels: Record<string, string> = {
  name: "Name",
  description: "Description",
  url: "URL",
  uri: "URI",
};

/** Returns the name of a place in the metadata for problem lists, such as "Tools 3, Input schema". */
export function getMetadataLabel(pointer: string, root: z.core.$ZodType = metadataSchema): string {
  const parts: string[] = [];
  let schema: z.core.$ZodType | undefined = root;
  for (const token of parseJsonPointer(pointer)) {
    const def: z.core.$ZodTypes["_zod"]["def"] | undefined = schema && getUsualSchema(schema)._zod.def;
    const field: z.core.$ZodType | undefined = def?.type === "object" ? def.shape[token] : undefined;
    if (/^\d+$/.test(token)) parts.push(`${parts.pop() ?? ""} ${Number(token) + 1}`.trim());
    else parts.push(shortLabels[token] ?? (field && fieldDescriptions.get(field)?.label) ?? token);
    schema = def?.type === "array" ? def.element : def?.type === "record" ? def.valueType : field;
  }
  // Omit the endpoint number if it is the first one, because most services have one endpoint.
  return (parts.length > 1 && parts[0] === "Endpoints 1" ? parts.slice(1) : parts).join(", ");
}

const entryFields = getFields(endpointEntrySchema);

/** Returns the fields that every endpoint has, with help for its API type. */
export const endpointFields = (trait: string): FieldSpec[] =>
  entryFields
    .filter(({ control, offeredBy }) => control !== "custom" && offeredBy === undefined)
    .map((field) => ({ ...field, ...(field.helpByType?.[trait] && { help: field.helpByType[trait] }) }));

/** Fields for the transport of an endpoint. */
export const transportFields: readonly FieldSpec[] = getFields(transportSchema);

/** All capabilities that an endpoint may list, as an MCP server or as an A2A agent. */
export const capabilityFields: readonly FieldSpec[] = entryFields.filter(
  ({ offeredBy }) => offeredBy !== undefined,
);

const methods = Object.keys(authenticationSchema.shape) as (keyof typeof authenticationSchema.shape)[];

function getWayLabel(key: (typeof methods)[number]): string {
  const { label = key, group } = fieldDescriptions.get(authenticationSchema.shape[key]) ?? {};
  return group?.title ?? label;
}

/** Ways to authenticate, each with its members of `authentication` and their fields. An endpoint may accept several. */
export const authenticationWays = [...new Set(methods.map(getWayLabel))].map((label) => {
  const keys = methods.filter((key) => getWayLabel(key) === label);
  const fields = getFields(authenticationSchema).filter(({ at }) =>
    keys.some((key) => key === parseJsonPointer(at)[0]),
  );
  return { label, keys, fields };
});

/** Members of `authentication` that declare a method even if they are empty objects. */
export const emptyMethods: readonly string[] = methods.filter(
  (key) => authenticationSchema.safeParse({ [key]: {} }).success,
);

/** Names of well-known chains by CAIP-2 id, offered as suggestions. Users may enter any other id. */
export const chainNames: Readonly<Record<string, string>> = {
  "eip155:1": "Ethereum",
  "eip155:8453": "Base",
  "eip155:137": "Polygon",
  "eip155:42161": "Arbitrum One",
  "eip155:10": "OP Mainnet",
  "eip155:43114": "Avalanche",
  "eip155:56": "BNB Smart Chain",
  "eip155:100": "Gnosis",
  "eip155:59144": "Linea Mainnet",
  "eip155:42220": "Celo",
  "eip155:11155111": "Sepolia",
  "eip155:84532": "Base Sepolia",
  "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "Solana",
};
