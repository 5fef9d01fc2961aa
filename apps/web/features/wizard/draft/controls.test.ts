import { getAtPointer, type JsonObject, type JsonValue } from "@app-registry/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, emptyDraft } from "./draft.ts";
import {
  authenticationWays,
  capabilityFields,
  endpointFields,
  type FieldSpec,
  transportFields,
} from "./fields.ts";
import { type DraftAction, draftReducer } from "./reducer.ts";
import { screens } from "./screens.ts";

const ENDPOINT = "/endpoints/0";

/** Returns the controls of a table, including those of the first row of each list. */
function listControls(fields: readonly FieldSpec[], pointer = ""): FieldSpec[] {
  return fields.flatMap((field) => {
    const at = pointer + field.at;
    return field.columns ? listControls(field.columns, `${at}/0`) : [{ ...field, at }];
  });
}

const onScreens = Object.values(screens).flatMap(({ content = [] }) =>
  content.flatMap((part) => ("fields" in part ? part.fields : [part])),
);

const platforms = ["web", "ios", "a/b~c"].flatMap((name) =>
  ["launchUrl", "downloadUrl", "artifactDid"].map((key) => ({
    at: `/platforms/${name.replaceAll("~", "~0").replaceAll("/", "~1")}/${key}`,
    label: key,
  })),
);

const controls = [
  ...listControls(onScreens.filter(({ at, control }) => at.startsWith("/") && control !== "platforms")),
  ...platforms,
  ...["releaseNotes", "deprecation", "probe"].map((key) => ({ at: `/${key}`, label: key })),
  ...listControls(endpointFields("api:mcp"), ENDPOINT),
  ...listControls(
    capabilityFields.map((offer) => ({ ...offer, control: "rows" })),
    ENDPOINT,
  ),
  ...listControls(transportFields, `${ENDPOINT}/transport`),
  ...authenticationWays.flatMap(({ fields }) => listControls(fields, `${ENDPOINT}/authentication`)),
];

const getSample = ({ control }: FieldSpec): JsonValue => {
  switch (control) {
    case "tags":
    case "traits":
    case "urls":
    case "texts":
      return ["a", "b"];
    case "check":
    case "answer":
      return true;
    case "json":
    case "schema":
      return { type: "object", properties: {} };
    default:
      return "text";
  }
};

/** Arbitrary documents with unrelated values, including empty ones, around all form fields. */
const documents = fc
  .record({
    own: fc.dictionary(fc.stringMatching(/^x-[a-z]{1,5}$/), fc.jsonValue() as fc.Arbitrary<JsonValue>),
    deep: fc.jsonValue() as fc.Arbitrary<JsonValue>,
  })
  .map(({ own, deep }): JsonObject => {
    const row = (): JsonObject => ({ ...own, "x-empty": {} });
    const lists = Object.fromEntries(
      ["tools", "resources", "resourceTemplates", "skills"].map((key) => [key, [row()]]),
    );
    const endpoint = {
      ...row(),
      ...lists,
      prompts: [{ ...row(), arguments: [row()] }],
      transport: { sse: deep },
      authentication: { other: deep, bearer: {} },
    };
    return {
      ...own,
      endpoints: [endpoint],
      payments: [row()],
      packages: [row()],
      platforms: { tv: deep, web: row() },
    };
  });

const start = (metadata: JsonObject): Draft => ({ ...emptyDraft(), metadata });
const applied = (draft: Draft, ...actions: DraftAction[]) => actions.reduce(draftReducer, draft);

describe.each(controls.map((control): [string, FieldSpec] => [control.at, control]))(
  "the control of %s",
  (_, spec) => {
    it("shows the value that it sets, leaves no trace when emptied, and changes nothing else", () => {
      fc.assert(
        fc.property(documents, (metadata) => {
          const value = getSample(spec);
          const filled = applied(start(metadata), { type: "set", pointer: spec.at, value });
          expect(getAtPointer(filled.metadata, spec.at)).toEqual(value);
          const emptied = applied(filled, { type: "set", pointer: spec.at, value: undefined });
          expect(emptied.metadata).toEqual(metadata);
        }),
        { numRuns: 10 },
      );
    });
  },
);

it("every draft text field has its own control", () => {
  const places = controls.map(({ at }) => at);
  expect(new Set(places).size).toBe(places.length);
  expect(places.length).toBeGreaterThan(60);
});

describe("an authentication method", () => {
  const pointer = `${ENDPOINT}/authentication`;
  const authentication = {
    oauth2: { tokenUrl: "https://a.example/token", scopes: [] },
    methods: ["jwt"],
    issuer: "x",
    bearer: {},
    other: {},
  };
  const draft = start({ endpoints: [{ name: "First" }, { authentication }].reverse() });

  it.each(authenticationWays.map(({ label, keys }) => [label, keys] as const))(
    "%s is unchanged after it is switched off and on",
    (_, keys) => {
      const off = applied(draft, { type: "switch", pointer, keys, on: false });
      const rest = getAtPointer(off.metadata, pointer);
      for (const key of keys) expect(rest).not.toHaveProperty(key);
      expect(rest).toHaveProperty("other", {});
      const on = applied(off, { type: "switch", pointer, keys, on: true });
      expect(on).toEqual({ ...draft, metadata: expect.anything() });
      expect(on.metadata).toEqual(draft.metadata);
    },
  );

  it("moves with its endpoint while switched off", () => {
    const second = `/endpoints/1/authentication`;
    const keys = ["oauth2"];
    const swapped = start({ endpoints: [{ name: "First" }, { authentication }] });
    const back = applied(
      swapped,
      { type: "switch", pointer: second, keys, on: false },
      { type: "removeRow", pointer: "/endpoints", index: 0 },
      { type: "switch", pointer, keys, on: true },
    );
    expect(getAtPointer(back.metadata, pointer)).toEqual(authentication);
    expect(back.off).toEqual({});
  });

  it("keeps newly entered values when it is switched on again", () => {
    const keys = ["oauth2"];
    const back = applied(
      draft,
      { type: "switch", pointer, keys, on: false },
      { type: "set", pointer: `${pointer}/oauth2/tokenUrl`, value: "https://b.example/token" },
      { type: "switch", pointer, keys, on: true },
    );
    expect(getAtPointer(back.metadata, `${pointer}/oauth2`)).toEqual({ tokenUrl: "https://b.example/token" });
  });

  it("is declared without values if it has no required members, until it is switched off", () => {
    const keys = ["bearer"];
    const on = applied(start({ endpoints: [{ name: "A" }] }), { type: "switch", pointer, keys, on: true });
    expect(getAtPointer(on.metadata, pointer)).toEqual({ bearer: {} });
    const cleared = applied(
      on,
      { type: "set", pointer: `${pointer}/bearer/format`, value: "JWT" },
      { type: "set", pointer: `${pointer}/bearer/format`, value: "" },
    );
    expect(cleared.metadata).toEqual(on.metadata);
    const off = applied(cleared, { type: "switch", pointer, keys, on: false });
    expect(off.metadata).toEqual({ endpoints: [{ name: "A" }] });
    const required = applied(off, { type: "switch", pointer, keys: ["apiKey"], on: true });
    expect(required.metadata).toEqual(off.metadata);
  });
});
