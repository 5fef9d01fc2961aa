import * as z from "zod/mini";
import { isCanonicalDid, MAX_DID_LENGTH } from "../did.ts";
import { expected, stringSchema } from "../schemas.ts";
import {
  DID_PATTERN,
  notBlank,
  type UncheckedSchema,
  urlPattern,
  withoutSchemes,
} from "./fieldDescription.ts";
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_NOTES_LENGTH, MAX_URL_LENGTH } from "./limits.ts";
import { parseUrl } from "./safeHref.ts";

/** Overrides and isolates of the Unicode bidirectional algorithm, which can disguise a text. */
const BIDI_CONTROLS = "\\u202a-\\u202e\\u2066-\\u2069";
const lineText = new RegExp(`^[^\\p{Cc}${BIDI_CONTROLS}]*$`, "u");
const blockText = new RegExp(`^(?:[\\t\\n\\r]|[^\\p{Cc}${BIDI_CONTROLS}])*$`, "u");

function textSchema(pattern: RegExp, max: number) {
  return stringSchema.check(
    z.meta({ pattern: pattern.source }),
    z.maxLength(max, { error: `At most ${max.toLocaleString("en")} characters are allowed.` }),
    z.refine((text) => pattern.test(text), {
      error: "Control characters and text direction marks are not allowed.",
      params: { code: "forbidden-character" },
    }),
  );
}

function requiredTextSchema(pattern: RegExp, max: number) {
  return textSchema(pattern, max).check(
    z.meta({ pattern: notBlank(pattern) }),
    z.refine((text) => text.trim() !== "", { error: "This is required.", params: { code: "missing" } }),
  );
}

/** Name: one line, not blank. */
export const nameSchema = requiredTextSchema(lineText, MAX_NAME_LENGTH);

/** Required description: several lines, not blank. */
export const requiredDescriptionSchema = requiredTextSchema(blockText, MAX_DESCRIPTION_LENGTH);

/** Description that may be empty. */
export const descriptionSchema = textSchema(blockText, MAX_DESCRIPTION_LENGTH);

/** Notes of a publisher about one version. May be empty. */
export const notesSchema = textSchema(blockText, MAX_NOTES_LENGTH);

/** DID of another service, in its canonical form. */
export const serviceDidSchema = stringSchema.check(
  z.refine(isCanonicalDid, {
    error: "This must be a did:web or did:pkh in canonical form.",
    params: { code: "not-canonical-did" },
  }),
  z.meta({ pattern: DID_PATTERN, maxLength: MAX_DID_LENGTH }),
);

function urlSchema(schemes: readonly string[], expectation: string) {
  return stringSchema.check(
    z.maxLength(MAX_URL_LENGTH, {
      error: `A URL has at most ${MAX_URL_LENGTH.toLocaleString("en")} characters.`,
    }),
    z.refine((text) => parseUrl(text, schemes) !== undefined, {
      error: `This URL can't be used: ${expectation}.`,
      params: { code: "unsafe-url" },
    }),
    z.meta({ format: "uri", pattern: urlPattern(schemes) }),
  );
}

/** URL of a page that a person opens. */
export const pageUrlSchema = urlSchema(["https:", "http:"], "use a full https:// URL without a user name");

/** URL of a support page, or a mail address. */
export const supportUrlSchema = urlSchema(
  ["https:", "http:", "mailto:"],
  "use a full https:// or mailto: address",
);

/** URL of an image, a video or another file. */
export const mediaUrlSchema = urlSchema(
  ["https:", "http:", "ipfs:", "ipns:", "ar:"],
  "use a full https:// or ipfs:// URL",
);

/** URL of an endpoint that a program calls. */
export const endpointUrlSchema = urlSchema(
  ["https:", "http:", "wss:", "ws:", "grpcs:", "grpc:"],
  "use a full https://, wss:// or grpcs:// URL without a user name",
);

/** URI of an MCP resource: any scheme except those that a browser executes. */
export const resourceUriSchema = stringSchema.check(
  z.maxLength(MAX_URL_LENGTH, {
    error: `A URI has at most ${MAX_URL_LENGTH.toLocaleString("en")} characters.`,
  }),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a browser skips these before and inside a scheme
  z.refine((text) => !/^(?:javascript|vbscript|data):/i.test(text.replace(/[\u0000-\u0020]/g, "")), {
    error: "A resource URI can't use the scheme javascript, vbscript or data.",
    params: { code: "unsafe-url" },
  }),
  z.meta({ pattern: withoutSchemes(["javascript", "vbscript", "data"]) }),
);

/** Returns the schema of a list of at most `max` entries. */
export function listSchema<Item extends z.core.$ZodType>(item: Item, max: number) {
  return z
    .array(item, { error: expected("a list") })
    .check(z.maxLength(max, { error: `At most ${max.toLocaleString("en")} entries are allowed.` }));
}

/** Returns the schema of an object. Parsing preserves unknown fields. */
export function objectSchema<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.looseObject(shape, { error: expected("an object") });
}

/** Returns the schema of a value that forms, pages and verifiers read, but that no document is refused for. */
export function uncheckedSchema<Usual extends z.core.$ZodType>(usual: Usual): UncheckedSchema<Usual> {
  return Object.assign(z.unknown(), { usual });
}

export const addressUseNames = {
  endpoint: "endpoint",
  launch: "launch address",
  authorization: "authorization address",
  token: "token address",
  jwks: "JWKS address",
  payment: "payment address",
  rpc: "RPC",
  download: "download",
  schema: "schema",
  media: "media",
  website: "website",
  support: "support",
  portal: "portal",
} as const;

export type AddressUse = keyof typeof addressUseNames;

/** Uses of the addresses that the fact *origin* reads, by the schema of the field. */
export const addressUses = z.registry<{ use: AddressUse }>();

/** Returns the schema of a field whose value is an address of this use. */
export function addressSchema<Schema extends z.ZodMiniType>(use: AddressUse, schema: Schema): Schema {
  const field = schema.clone();
  addressUses.add(field, { use });
  return field;
}
