import { type Schema, Validator } from "@cfworker/json-schema";

export type JsonSchema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  pattern?: string;
};

type Content = Record<string, { schema: JsonSchema }>;
export type ApiOperation = {
  parameters?: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
export type ApiDocument = { paths: Record<string, Record<string, ApiOperation>> };

/** Creates a check of responses against an OpenAPI 3.1 document. */
export function createAnswerCheck(document: ApiDocument) {
  /** Returns the problem of a response, or `undefined` if the document allows it. */
  return (path: string, method: string, answer: { status: number; type: string | null; body: string }) => {
    const documented = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
    if (!documented) return `${answer.status} is not documented`;
    if (!documented.content) return answer.body === "" ? undefined : "has a body that is not documented";
    const schema = documented.content[answer.type ?? ""]?.schema;
    if (!schema) return `content type ${answer.type} is not documented`;
    if (schema.contentMediaType) return answer.body === "" ? "has no body" : undefined;
    const { valid, errors } = new Validator(schema as Schema, "2020-12", false).validate(
      JSON.parse(answer.body),
    );
    return valid
      ? undefined
      : errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join(", ");
  };
}
