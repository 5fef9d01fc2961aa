import { describe, expect, it } from "vitest";
import type { UrlVariable } from "../finding.ts";
import { fillVariables, listVariables } from "./namedAddresses.ts";

const fill = (template: string, given: Record<string, string>, more: Partial<UrlVariable> = {}) =>
  fillVariables(template, [{ name: "x", ...more }], given);

describe("fillVariables", () => {
  it("uses the given value, else the default", () => {
    const template = "https://api.example.com/{x}/mcp?again={x}";
    expect(fill(template, {}, { value: "main" }).url?.href).toBe(
      "https://api.example.com/main/mcp?again=main",
    );
    expect(fill(template, { x: "own" }, { value: "main" })).toMatchObject({
      url: new URL("https://api.example.com/own/mcp?again=own"),
      variables: [{ name: "x", value: "own" }],
    });
  });

  it("returns no URL if a value is missing", () => {
    expect(fill("https://api.example.com/{x}/mcp", {})).toEqual({
      url: undefined,
      variables: [{ name: "x" }],
    });
    expect(fill("https://api.example.com/{x}/mcp", { ["__proto__"]: "a" }).url).toBeUndefined();
  });

  it("returns no URL with a user name", () => {
    expect(fill("https://user:word@docs.example.com/{x}", { x: "a" }).url).toBeUndefined();
  });

  it.each([
    ["https://{x}.example.com/mcp", "eu-1", "https://eu-1.example.com/mcp"],
    ["https://{x}/mcp", "mcp.example.com:8443", "https://mcp.example.com:8443/mcp"],
    ["{x}/mcp", "https://api.example.com/base", "https://api.example.com/base/mcp"],
    ["https://api.example.com/{x}", "a/b.c", "https://api.example.com/a/b.c"],
  ])("fills %s with %s", (template, x, expected) => {
    expect(fill(template, { x }).url?.href).toBe(expected);
  });

  // @threat services: A link, variable or OAuth metadata that leads users to another host
  it.each([
    ["https://api.example.com/{x}/mcp", ".."],
    ["https://api.example.com/{x}/mcp", "a/../../admin"],
    ["https://api.example.com/{x}/mcp", "%2e%2e"],
    ["https://api.example.com/{x}/mcp", "a\\b"],
    ["https://api.example.com/{x}/mcp", "a?b"],
    ["https://api.example.com/{x}/mcp", "{y}"],
    ["https://api.example.com{x}/mcp", "@evil.example"],
    ["https://api.example.com{x}/mcp", ":80@evil.example"],
    ["https://{x}.example.com/mcp", "evil.example/"],
    ["https://{x}.example.com/mcp", "user@evil"],
    ["{x}/mcp", "javascript:alert(1)//"],
    ["{x}/mcp", "https://user:word@docs.example.com"],
  ])("refuses to fill %s with %s", (template, x) => {
    expect(fill(template, { x })).toEqual({ url: undefined, variables: [{ name: "x" }] });
  });
});

describe("listVariables", () => {
  it("lists the variables of a URL once, with descriptions, defaults and allowed values", () => {
    const inputs = {
      region: { description: "Where\u202e?", choices: ["eu", "us"], default: "eu" },
      version: { value: 2 },
      tenant: { default: "YOUR_TENANT" },
    };
    expect(
      listVariables("https://{region}.example.com/{tenant}/{tenant}?v={version}&k={__proto__}", inputs),
    ).toEqual([
      { name: "region", description: "Where\\u{202e}? One of: eu, us.", value: "eu" },
      { name: "tenant" },
      { name: "version", value: "2" },
      { name: "__proto__" },
    ]);
  });
});
