import { caip2Schema } from "@app-registry/sdk";
import * as chains from "viem/chains";
import { describe, expect, it } from "vitest";
import { chainNames } from "./fields.ts";

const known = new Map(Object.values(chains).map(({ id, name }) => [`eip155:${id}`, name]));

describe.each(Object.entries(chainNames))("chainNames: %s", (id, name) => {
  it(`names ${name} as viem does`, () => {
    expect(caip2Schema.safeParse(id).success).toBe(true);
    if (id.startsWith("eip155:")) expect(known.get(id)).toBe(name);
  });
});
