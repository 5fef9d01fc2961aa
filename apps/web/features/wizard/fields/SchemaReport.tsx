import { getAtPointer, isJsonObject, type JsonValue, toJsonPointer } from "@app-registry/sdk";
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json";
import content from "ajv/dist/refs/json-schema-2020-12/meta/content.json";
import core from "ajv/dist/refs/json-schema-2020-12/meta/core.json";
import formats from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json";
import metadata from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json";
import unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json";
import validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json";
import draft2020 from "ajv/dist/refs/json-schema-2020-12/schema.json";
import draft7 from "ajv/dist/refs/json-schema-draft-07.json";
import { SchemaTree } from "../../../components/record/ToolPanel.tsx";

/** Renders a readable JSON Schema with its problems. They are warnings: an invalid schema may be published. */
export default function SchemaReport({ schema }: { schema: JsonValue }) {
  const problems = schemaProblems(schema);
  return (
    <div className="stack">
      {problems.length === 0 ? null : (
        <ul className="small" style={{ color: "var(--unknown)" }} aria-label="Not a valid JSON Schema">
          {problems.map(({ pointer, message }) => (
            <li key={pointer}>
              <span aria-hidden="true">▲ </span>
              {pointer === "" ? null : (
                <>
                  At <code>{pointer}</code>:{" "}
                </>
              )}
              {message}
            </li>
          ))}
        </ul>
      )}
      <details className="fold" open>
        <summary>Readable view</summary>
        <div className="inset">
          <SchemaTree schema={schema} />
        </div>
      </details>
    </div>
  );
}

/** Problem of a JSON Schema, with its location. */
export interface SchemaProblem {
  /** JSON pointer into the schema. */
  pointer: string;
  message: string;
}

const MAX_PROBLEMS = 5;

/**
 * Replaces `$dynamicRef`, which the validator does not support. In the meta-schema it always refers to the whole
 * schema.
 */
const resolved = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$dynamicRef":"#meta"', `"$ref":"${draft2020.$id}"`));

function createValidator2020(): Validator {
  const validator = new Validator(resolved(draft2020), "2020-12", false);
  for (const vocabulary of [core, applicator, unevaluated, validation, metadata, formats, content]) {
    validator.addSchema(resolved(vocabulary));
  }
  return validator;
}

const validators = {
  "2020-12": createValidator2020(),
  "7": new Validator(draft7 as Schema, "7", false),
};

/** Returns the JSON Schema draft that `$schema` names (default 2020-12), or `undefined` for unsupported drafts. */
function detectSchemaDraft({ $schema }: { $schema?: JsonValue }): keyof typeof validators | undefined {
  if ($schema === undefined) return "2020-12";
  const name = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07)\/schema#?$/.exec(
    String($schema),
  )?.[1];
  return name === undefined ? undefined : name === "draft-07" ? "7" : "2020-12";
}

/** Keywords that only apply subschemas. Their own errors are skipped in favor of the errors below them. */
const applicatorKeywords = new Set(
  "$ref allOf anyOf oneOf properties patternProperties additionalProperties items dependentSchemas dependencies propertyNames unevaluatedProperties".split(
    " ",
  ),
);

const typeWords = '"string", "number", "integer", "boolean", "object", "array" or "null"';

function getMessage({ keyword, error }: OutputUnit, key: string | undefined): string {
  if (key === "type") return `Set type to ${typeWords}, or to a list of these.`;
  if (key === "required") return "Enter a list of property names without duplicates.";
  if (keyword === "format") {
    return key === "pattern"
      ? "This isn't a valid regular expression."
      : "This value isn't in the required format.";
  }
  const expected = /^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/.exec(error);
  if (expected) return `Expected ${expected[2]?.replaceAll('", "', " or ")}, got ${expected[1]}.`;
  return error;
}

/** Returns the meta-schema's errors, only the innermost of nested ones, each location once. */
function metaProblems(schema: object, draft: keyof typeof validators): SchemaProblem[] {
  const found = new Map<string, string>();
  for (const unit of validators[draft].validate(schema).errors) {
    const pointer = decodeURIComponent(unit.instanceLocation.slice(1));
    if (applicatorKeywords.has(unit.keyword) || found.has(pointer)) continue;
    const key = pointer.split("/").findLast((token) => !/^\d+$/.test(token));
    // Ignore properties that happen to have the name of a keyword.
    const isKeyword = !/\/(properties|patternProperties|\$defs|definitions)\/[^/]*$/.test(pointer);
    found.set(pointer, getMessage(unit, isKeyword ? key : undefined));
  }
  const places = [...found.keys()];
  return [...found].flatMap(([pointer, message]) =>
    places.some((place) => place.startsWith(`${pointer}/`)) ? [] : [{ pointer, message }],
  );
}

/** Keywords whose values are data instead of schemas. */
const data = new Set(["const", "enum", "default", "examples"]);

/** Returns a problem for each reference within the document that has no target. */
function referenceProblems(root: JsonValue, value: JsonValue, pointer = ""): SchemaProblem[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => referenceProblems(root, entry, pointer + toJsonPointer([index])));
  }
  if (!isJsonObject(value)) return [];
  const own = pointer !== "" && typeof value.$id === "string" ? value : root;
  return Object.entries(value).flatMap(([key, entry]) => {
    const place = pointer + toJsonPointer([key]);
    if (key !== "$ref" || typeof entry !== "string")
      return data.has(key) ? [] : referenceProblems(own, entry, place);
    const leadsNowhere = /^#\//.test(entry) && resolveReference(own, entry) === undefined;
    return leadsNowhere
      ? [{ pointer: place, message: `The schema refers to ${entry}, which doesn't exist.` }]
      : [];
  });
}

function resolveReference(root: JsonValue, reference: string): JsonValue | undefined {
  try {
    return getAtPointer(root, decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

/**
 * Returns the problems of a JSON Schema in plain words, checked against the meta-schema of 2020-12, or of draft-07 if
 * the schema names it. Schemas of other drafts are not checked.
 */
export function schemaProblems(schema: JsonValue): SchemaProblem[] {
  if (!isJsonObject(schema)) return [{ pointer: "", message: "A schema must be a JSON object." }];
  const draft = detectSchemaDraft(schema);
  if (draft === undefined) return [];
  return [...metaProblems(schema, draft), ...referenceProblems(schema, schema)].slice(0, MAX_PROBLEMS);
}
