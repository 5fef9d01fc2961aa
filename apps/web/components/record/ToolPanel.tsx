import { isJsonObject, visibleLines, visibleText } from "@app-registry/sdk";
import { RawJson } from "./documents.tsx";
import styles from "./record.module.css";

type ToolView = {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
  annotations?: unknown;
};

/** Words for the annotations of the Model Context Protocol, which are the publisher's claims. */
const annotationWords: Record<string, [whenTrue: string, whenFalse: string]> = {
  readOnlyHint: ["read-only", "may change data"],
  destructiveHint: ["may delete or overwrite data", "doesn't delete or overwrite data"],
  idempotentHint: ["safe to repeat", "not safe to repeat"],
  openWorldHint: ["contacts other systems", "doesn't contact other systems"],
};

function annotationTexts(annotations: unknown): string[] {
  if (typeof annotations !== "object" || annotations === null) return [];
  return Object.entries(annotations).flatMap(([key, value]) => {
    const words = annotationWords[key];
    return words !== undefined && typeof value === "boolean" ? [value ? words[0] : words[1]] : [];
  });
}

/** Renders a tool: its name, description and arguments, and its schema as JSON in a fold. */
export function ToolPanel({ tool }: { tool: ToolView }) {
  const hints = annotationTexts(tool.annotations);
  return (
    <details className={styles.tool}>
      <summary>
        <code className="strong">{visibleText(tool.name)}</code>
        {tool.description === undefined ? null : <bdi className="soft">{visibleText(tool.description)}</bdi>}
      </summary>
      <div className="stack">
        {tool.description === undefined ? null : (
          <p className="prose" style={{ whiteSpace: "pre-line" }} dir="auto">
            {visibleLines(tool.description)}
          </p>
        )}
        {hints.length > 0 ? (
          <p className="quiet">Publisher's hints (not verified): {hints.join(", ")}.</p>
        ) : null}
        <SchemaTree schema={tool.inputSchema} />
        {tool.inputSchema === undefined ? null : <RawJson value={tool.inputSchema} label="Input schema" />}
      </div>
    </details>
  );
}

function Nodes({ nodes, className }: { nodes: SchemaNode[]; className: string }) {
  return (
    <ul className={className}>
      {nodes.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: variants have no name, and the list never changes
        <li key={`${node.name}-${index}`}>
          <p className="row">
            {node.name === "" ? null : <code className="strong">{visibleText(node.name)}</code>}
            <span className="quiet">{visibleText(node.type)}</span>
            {node.required ? <span className="quiet strong">required</span> : null}
          </p>
          {node.description === undefined ? null : (
            <p className="prose soft">
              <bdi>{visibleText(node.description)}</bdi>
            </p>
          )}
          {node.notes.length > 0 ? (
            <p className="quiet anywhere">{visibleText(node.notes.join("; "))}</p>
          ) : null}
          {node.children.length > 0 ? <Nodes nodes={node.children} className="stack inset" /> : null}
        </li>
      ))}
    </ul>
  );
}

/** Renders a JSON Schema as a tree. */
export function SchemaTree({ schema }: { schema: unknown }) {
  const nodes = schemaTree(schema);
  return nodes.length > 0 ? (
    <Nodes nodes={nodes} className="stack" />
  ) : (
    <p className="quiet">No arguments.</p>
  );
}

/** Line of a JSON Schema. */
export type SchemaNode = {
  /** Property name. Empty for a variant or the items of an array. */
  name: string;
  /** "string", "array of number", "object", "one of". */
  type: string;
  required: boolean;
  description?: string;
  /** Short constraints: `one of "a", "b"`, `default 5`, `0 to 100`. */
  notes: string[];
  children: SchemaNode[];
};

/** Limits of the tree. Deeper levels and further properties are only in the raw JSON. */
const MAX_DEPTH = 6;
const MAX_CHILDREN = 60;
const MAX_LISTED_VALUES = 12;

type JsonObject = Record<string, unknown>;

function getType(schema: JsonObject): string {
  if (typeof schema.$ref === "string") return `see ${schema.$ref}`;
  const type = schema.type;
  if (type === "array" || (type === undefined && isJsonObject(schema.items))) {
    return isJsonObject(schema.items) ? `array of ${getType(schema.items)}` : "array";
  }
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.filter((item) => typeof item === "string").join(" or ");
  if (isJsonObject(schema.properties)) return "object";
  if (Array.isArray(schema.anyOf) || Array.isArray(schema.oneOf)) return "one of";
  if (Array.isArray(schema.allOf)) return "all of";
  if (schema.const !== undefined || Array.isArray(schema.enum)) return "value";
  return "any";
}

function rangeNote(low: unknown, high: unknown, unit: string): string | undefined {
  const hasLow = typeof low === "number";
  const hasHigh = typeof high === "number";
  if (hasLow && hasHigh) return `${low} to ${high}${unit}`;
  if (hasLow) return `at least ${low}${unit}`;
  return hasHigh ? `at most ${high}${unit}` : undefined;
}

function listNotes(schema: JsonObject): string[] {
  const notes: string[] = [];
  if (Array.isArray(schema.enum)) {
    const listed = schema.enum.slice(0, MAX_LISTED_VALUES).map((value) => JSON.stringify(value));
    const more = schema.enum.length - listed.length;
    notes.push(`one of ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`);
  }
  if (schema.const !== undefined) notes.push(`always ${JSON.stringify(schema.const)}`);
  if (typeof schema.format === "string") notes.push(schema.format);
  if (typeof schema.pattern === "string") notes.push(`matches ${schema.pattern}`);
  const ranges = [
    rangeNote(schema.minimum, schema.maximum, ""),
    rangeNote(schema.minLength, schema.maxLength, " characters"),
    rangeNote(schema.minItems, schema.maxItems, " items"),
  ];
  for (const range of ranges) if (range !== undefined) notes.push(range);
  if (schema.default !== undefined) notes.push(`default ${JSON.stringify(schema.default)}`);
  return notes;
}

function listChildren(schema: JsonObject, depth: number): SchemaNode[] {
  if (depth >= MAX_DEPTH) return [];
  const children: SchemaNode[] = [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  if (isJsonObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      children.push(createNode(name, property, required.has(name), depth + 1));
    }
  }
  if (isJsonObject(schema.items)) children.push(...listChildren(schema.items, depth + 1));
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const variants = schema[key];
    if (Array.isArray(variants)) {
      for (const variant of variants) children.push(createNode("", variant, false, depth + 1));
    }
  }
  return children.slice(0, MAX_CHILDREN);
}

function createNode(name: string, schema: unknown, required: boolean, depth: number): SchemaNode {
  if (!isJsonObject(schema))
    return { name, type: schema === false ? "never" : "any", required, notes: [], children: [] };
  const description = typeof schema.description === "string" ? schema.description : undefined;
  return {
    name,
    type: getType(schema),
    required,
    ...(description === undefined ? {} : { description }),
    notes: listNotes(schema),
    children: listChildren(schema, depth),
  };
}

/**
 * Returns the properties of a JSON Schema object as a tree, up to six levels deep. Other parts (`$defs`, conditions)
 * are only in the raw JSON.
 */
export function schemaTree(schema: unknown): SchemaNode[] {
  return isJsonObject(schema) ? listChildren(schema, 0) : [];
}
