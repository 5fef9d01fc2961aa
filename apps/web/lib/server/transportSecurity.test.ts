import { describe, expect, it } from "vitest";
import { transportSecurity } from "./transportSecurity.ts";

describe("transportSecurity", () => {
  it("keeps browsers to https for a year where the site is reached over it", () => {
    expect(transportSecurity("https://registry.example")).toBe("max-age=31536000");
  });

  it("says nothing of a site that is reached over http, such as a local stack", () => {
    expect(transportSecurity("http://localhost:3000")).toBeUndefined();
  });
});
