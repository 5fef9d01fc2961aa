import * as z from "zod/mini";
import type { UncheckedSchema } from "./fieldSchemas.ts";

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
  control?: "texts" | "json" | "schema" | "answer" | "custom";
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

/** Creates the description of a field with a label. */
export const field = (
  label: string,
  help?: string,
  more?: Omit<FieldDescription, "label" | "help">,
): FieldDescription => ({ label, ...(help !== undefined && { help }), ...more });

/** Returns the meaning of a field. */
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
