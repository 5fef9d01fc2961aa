import * as z from "zod/mini";

// Rules that a schema checks in code, as regular expressions of JSON Schema, which have no flags.

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const SEGMENT = "(?!\\.{1,2}(?::|$))(?:[A-Za-z0-9._-]|%[2-9A-F][0-9A-F])+";

export const DID_PATTERN =
  `^did:(?:web:${LABEL}(?:\\.${LABEL})*(?:%3A[1-9][0-9]{0,4})?(?::(?!\\.well-known(?::|$))${SEGMENT})*|` +
  "pkh:eip155:[1-9][0-9]*:0x[0-9a-f]{40})$";

/** Pattern of a trait before it is normalized. */
export const TRAIT_PATTERN = "^\\s*[A-Za-z0-9][A-Za-z0-9:._-]{0,63}\\s*$";

/** Adds to a pattern that a text must not be blank. */
export const notBlank = ({ source }: RegExp): string => `^(?=[\\s\\S]*\\S)${source.slice(1)}`;

/** Pattern of a word in lower case, in any case. */
export const anyCase = (word: string, between = ""): string =>
  Array.from(word, (letter) => `[${letter}${letter.toUpperCase()}]`).join(between);

/** Pattern of a URI that has none of these schemes, which a browser reads through white space. */
export const withoutSchemes = (schemes: readonly string[]): string => {
  const space = "[\\u0000-\\u0020]*";
  return `^(?!${space}(?:${schemes.map((scheme) => anyCase(scheme, space)).join("|")})${space}:)`;
};

/** Schemes whose URLs have a host. */
const schemesWithHost = new Set(["https:", "http:", "wss:", "ws:"]);
const HOST = "(?:\\[[0-9A-Fa-f:.]+\\]|[^\\s\\\\/?#@:<>^|\\[\\]]+)(?::[0-9]{0,5})?(?![^\\\\/?#])";

/** Pattern of an absolute URL of one of the schemes (such as `"https:"`) without a user name or white space. */
export function urlPattern(schemes: readonly string[]): string {
  const hasHost = (scheme: string) => schemesWithHost.has(scheme);
  const anyScheme = (some: readonly string[]) => some.map((scheme) => anyCase(scheme.slice(0, -1))).join("|");
  const others = schemes.filter((scheme) => !hasHost(scheme));
  const starts = [
    `(?:${anyScheme(schemes.filter(hasHost))}):[\\\\/]*${HOST}`,
    ...(others.length > 0 ? [`(?:${anyScheme(others)}):(?!//[^/?#]*@)`] : []),
  ];
  return `^(?:${starts.join("|")})[^\\s\\u0000-\\u001f\\u007f]*$`;
}

/** Description of a metadata field for people: its labels, its place in the form and its place on pages. */
export interface FieldDescription {
  /** Label in the form and in lists of problems, and title in the JSON Schema. Without one, the form omits the field. */
  label?: string;
  /** Meaning in the documents and in the JSON Schema, if the help for publishers does not say it. */
  meaning?: string;
  /** Label among the publisher's claims at the head of a service's page. */
  claim?: string;
  /** Weight of the field's words in search: that of a name, or that of running text. Without one, search ignores it. */
  search?: "name" | "text";
  /** Screen of the wizard. */
  screen?: "identity" | "about" | "human" | "api" | "discovery" | "advanced";
  /** Heading above the field and its neighbors of the same group. */
  group?: { title: string; help: string };
  /** API type (`api:mcp`) whose endpoints usually have the field. */
  offeredBy?: string;
  /** Field of the same form that this one follows. */
  after?: string;
  /** Control, if the type of the schema does not decide it. A `custom` field has a component of its own. */
  control?: "texts" | "json" | "schema" | "answer" | "traits" | "custom";
  help?: string;
  /** Help for an endpoint of an API type. */
  helpByType?: Readonly<Record<string, string>>;
  placeholder?: string;
  /** Bitmap of the interfaces that require the field, although the schema does not. */
  requiredFor?: number;
  /** Suggested values; `chains` means well-known chains. Other values may be entered. */
  suggestions?: readonly string[] | "chains";
  /** True if the value is true while unset. */
  isDefault?: boolean;
  /** True if a tag may contain spaces. */
  phrases?: boolean;
  /** Labels of true and false. */
  answers?: readonly [whenTrue: string, whenFalse: string];
  /** True for machine-readable texts. URLs are always shown as such. */
  mono?: boolean;
  /** Minimum number of lines. */
  lines?: number;
  /** Name of one list entry: "Screenshot". */
  item?: string;
}

export const field = (
  label: string,
  help?: string,
  more?: Omit<FieldDescription, "label" | "help">,
): FieldDescription => ({ label, ...(help !== undefined && { help }), ...more });

export const getMeaning = ({ meaning, help, label }: FieldDescription): string | undefined =>
  (meaning ?? help?.replace(/ ?Optional\.$/, "")) || label;

/** Returns the description of every field of an object, each with the schema of the field. */
export const describe = <Shape extends z.core.$ZodLooseShape>(
  { shape }: z.ZodMiniObject<Shape>,
  fields: { [Key in keyof Shape]: FieldDescription },
) =>
  Object.entries<FieldDescription>(fields).map(
    ([key, description]) => [shape[key] as z.core.$ZodType, description] as const,
  );

const unwrap = (schema: z.core.$ZodType): z.core.$ZodTypes => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "optional" ? unwrap(def.innerType) : (schema as z.core.$ZodTypes);
};

/** Schema that accepts any value, with a description of the usual ones. */
export type UncheckedSchema<Usual extends z.core.$ZodType = z.core.$ZodType> = z.ZodMiniUnknown & {
  usual: Usual;
};

/** Returns true if a document may have any value in a field. */
export const isUnchecked = (schema: z.core.$ZodType): boolean => "usual" in unwrap(schema);

/** Returns the schema of a field's usual values: without `undefined`, and also if the values are not checked. */
export function getUsualSchema(schema: z.core.$ZodType): z.core.$ZodTypes {
  const field = unwrap(schema);
  return "usual" in field ? unwrap((field as UncheckedSchema).usual) : field;
}

/** Returns true if a schema is one of URLs. */
export const isUrlSchema = (schema: z.core.$ZodType): boolean =>
  z.globalRegistry.get(getUsualSchema(schema))?.format === "uri";
