import { parseJsonPointer } from "@app-registry/sdk";
import {
  authenticationSchema,
  endpointEntrySchema,
  fieldDescriptions,
  transportSchema,
} from "@app-registry/sdk/internal";
import { type FieldSpec, getFields } from "./metadataFields.ts";

const allFields = getFields(endpointEntrySchema);

/** Returns the fields that every endpoint has, with help for its API type. */
export const endpointFields = (trait: string): FieldSpec[] =>
  allFields
    .filter(({ control, offeredBy }) => control !== "custom" && offeredBy === undefined)
    .map((field) => ({ ...field, ...(field.helpByType?.[trait] && { help: field.helpByType[trait] }) }));

/** Fields for the transport of an endpoint. */
export const transportFields: readonly FieldSpec[] = getFields(transportSchema);

/** All capabilities that an endpoint may list, as an MCP server or as an A2A agent. */
export const capabilityFields: readonly FieldSpec[] = allFields.filter(
  ({ offeredBy }) => offeredBy !== undefined,
);

/** Authentication method. */
export interface AuthenticationWay {
  label: string;
  /** Members of `authentication` that belong to the method. */
  keys: readonly string[];
  fields: readonly FieldSpec[];
}

function listAuthenticationWays(): AuthenticationWay[] {
  const keysByWay = new Map<string, string[]>();
  for (const [key, schema] of Object.entries(authenticationSchema.shape)) {
    const { label = key, group } = fieldDescriptions.get(schema) ?? {};
    const way = group?.title ?? label;
    keysByWay.set(way, [...(keysByWay.get(way) ?? []), key]);
  }
  const fields = getFields(authenticationSchema);
  return [...keysByWay].map(([label, keys]) => ({
    label,
    keys,
    fields: fields.filter(({ at }) => keys.includes(parseJsonPointer(at)[0] ?? "")),
  }));
}

/** Authentication methods that the form supports. An endpoint may accept several. */
export const authenticationWays: readonly AuthenticationWay[] = listAuthenticationWays();

/** Members of `authentication` that declare a method even if they are empty objects. */
export const emptyMethods: readonly string[] = Object.keys(authenticationSchema.shape).filter(
  (key) => authenticationSchema.safeParse({ [key]: {} }).success,
);
