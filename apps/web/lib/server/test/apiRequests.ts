import { codePoint } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import type { ApiDocument, ApiOperation, JsonSchema } from "./apiDocument.ts";

/** Request to the API in its wire format. */
export type ApiRequest = {
  /** Path in the document, such as `/api/apps/{versionedDid}`. */
  documented: string;
  method: string;
  /** Path and query in wire format. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** True to send the body without a Content-Length. */
  chunked: boolean;
};

/** Valid values by field name. Purely generated values would rarely pass the first check. */
export type KnownValues = Record<string, readonly unknown[]>;

/** Chooses among values by their weights. */
const weighted = <T>(...choices: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const hostile = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "\u202e",
  "\ud800",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "' OR 1=1 --",
  "%00%0d%0aSet-Cookie: a=b",
  "%E0%A4%A",
  "\ufeff{}",
  "9007199254740993",
  "-0",
  "1e400",
  "x".repeat(3_000),
  "😀".repeat(300),
);

const anyText = fc.oneof(
  hostile,
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);
const anyJson = fc.jsonValue({ maxDepth: 3 });

/** Creates values of a schema, with occasional invalid ones. */
function createValues(schema: JsonSchema, known: readonly unknown[]): fc.Arbitrary<unknown> {
  const generated = weighted<unknown>([6, conforming(schema)], [2, anyText], [1, anyJson]);
  return known.length > 0 ? weighted([24, fc.constantFrom(...known)], [9, generated]) : generated;
}

function conforming(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(conforming));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  switch (schema.type) {
    case "integer":
    case "number":
      return fc.integer({ min: Number(schema.minimum ?? -1_000), max: Number(schema.maximum ?? 1_000) });
    case "array":
      return fc.array(conforming(schema.items ?? {}), { maxLength: Number(schema.maxItems ?? 5) });
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [name, conforming(property)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case "string":
      return fc.string({ maxLength: Math.min(80, Number(schema.maxLength ?? 80)) });
    default:
      return anyJson;
  }
}

function createBody(schema: JsonSchema, known: KnownValues): fc.Arbitrary<string | undefined> {
  const { properties = {}, required = [] } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, createValues(property, known[name] ?? [])]),
  );
  const complete = fc.record(fields, { requiredKeys: required }).map((value) => JSON.stringify(value));
  const partial = fc.record(fields, { requiredKeys: [] }).map((value) => JSON.stringify(value));
  const extended = fc.tuple(complete, fc.string({ maxLength: 20 }), anyJson).map(([text, name, value]) => {
    return `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
  });
  const cut = fc.tuple(complete, fc.nat(200)).map(([text, length]) => text.slice(0, length));
  const large = fc
    .integer({ min: 15_000, max: 40_000 })
    .map((length) => JSON.stringify({ x: "x".repeat(length) }));
  const deep = fc.integer({ min: 10, max: 5_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth));
  const other = fc.oneof(
    anyJson.map((value) => JSON.stringify(value)),
    anyText,
    large,
    deep,
  );
  const partly = fc.oneof(partial, extended, cut);
  return weighted<string | undefined>([12, complete], [6, partly], [4, other], [1, fc.constant(undefined)]);
}

const headerArbitrary = fc.record(
  {
    "content-type": weighted(
      [12, fc.constant("application/json")],
      [1, fc.constantFrom("text/plain", "application/json; charset=utf-8", "multipart/form-data", "*")],
    ),
    "content-encoding": fc.constantFrom("gzip", "identity"),
    "x-request-id": fc.constantFrom("trace-12345", "a", "x".repeat(65), "<script>"),
    "if-none-match": fc.constantFrom("*", '"x"', 'W/"0x00", "y"', ","),
    accept: fc.constantFrom("text/html", "application/xml", "*/*"),
  },
  { requiredKeys: ["content-type"] },
);
const sparseHeaders = weighted<Record<string, string>>(
  [4, fc.constant({ "content-type": "application/json" })],
  [1, headerArbitrary as fc.Arbitrary<Record<string, string>>],
);

/** Replaces lone surrogates, which a URL cannot contain. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** Creates path texts as users and programs write them: literal, encoded twice, or malformed. */
function pathText(text: string): fc.Arbitrary<string> {
  const encoded = wellFormed(text);
  return fc.constantFrom(
    encodeURI(encoded).replaceAll("%25", "%"),
    encodeURIComponent(encoded),
    encodeURI(encoded),
  );
}

function toQuery(
  parameters: NonNullable<ApiOperation["parameters"]>,
  known: KnownValues,
): fc.Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === "query");
  const fields = Object.fromEntries(
    named.map(({ name, schema }) => [name, createValues(schema, known[name] ?? [])]),
  );
  return fc
    .tuple(fc.record(fields, { requiredKeys: [] }), weighted([9, fc.constant("")], [1, anyText]))
    .map(([values, more]) => {
      const pairs = Object.entries(values).map(([name, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return `${name}=${encodeURIComponent(wellFormed(text))}`;
      });
      if (more) pairs.push(`${encodeURIComponent(wellFormed(more))}=1`);
      return pairs.length > 0 ? `?${pairs.join("&")}` : "";
    });
}

/** Creates paths of a documented route with a value for each parameter. */
function toPath(documented: string, known: KnownValues): fc.Arbitrary<string> {
  const place = /\{(\w+)\}/.exec(documented);
  if (!place) return fc.constant(documented);
  const value = createValues({ type: "string" }, known[place[1] as string] ?? [])
    .chain((given) => pathText(typeof given === "string" ? given : JSON.stringify(given)))
    .map((text) => text.replace(/[?#\s\\]/g, (sign) => encodeURIComponent(sign)));
  const before = documented.slice(0, place.index);
  const behind = toPath(documented.slice(place.index + place[0].length), known);
  return fc.tuple(value, behind).map(([text, end]) => `${before}${text}${end}`);
}

/** Creates requests from an OpenAPI document: mostly valid ones, and ones that break a schema in every possible way. */
export function apiRequests(document: ApiDocument, known: KnownValues): fc.Arbitrary<ApiRequest> {
  const operations = Object.entries(document.paths).flatMap(([documented, methods]) =>
    Object.entries(methods).map(([method, operation]): [number, fc.Arbitrary<ApiRequest>] => {
      const { parameters = [], requestBody } = operation;
      const schema = requestBody?.content["application/json"]?.schema;
      const request = fc
        .record({
          path: toPath(documented, known),
          query: parameters.length > 0 ? toQuery(parameters, known) : fc.constant(""),
          body: schema ? createBody(schema, known) : fc.constant(undefined),
          headers: schema ? sparseHeaders : headerArbitrary,
          chunked: fc.boolean(),
        })
        .map(({ path, query, ...sent }) => ({
          ...{ documented, method: method.toUpperCase(), target: `${path}${query}` },
          ...sent,
        }));
      // Routes with input have more that can go wrong.
      return [requestBody || operation.parameters ? 6 : 1, request];
    }),
  );
  return weighted(...operations);
}
