import { Interfaces } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { type EnterTarget, getAdjacentSteps, parseStepHash, shouldContinueOnEnter } from "./navigation.ts";

describe("parseStepHash", () => {
  const draft = { interfaces: Interfaces.Api };

  it("returns a screen that the service has, or the JSON screen", () => {
    expect(parseStepHash("#api", draft)).toBe("api");
    expect(parseStepHash("#json", draft)).toBe("json");
    for (const hash of ["", "#", "#human", "#toString", "#API"]) {
      expect(parseStepHash(hash, draft)).toBeUndefined();
    }
  });
});

describe("getAdjacentSteps", () => {
  it("returns the neighbors among the service's screens", () => {
    expect(getAdjacentSteps({ interfaces: Interfaces.Human, step: "start" }).previous).toBeUndefined();
    expect(getAdjacentSteps({ interfaces: Interfaces.Human, step: "about" }).next).toBe("human");
    expect(getAdjacentSteps({ interfaces: Interfaces.Api, step: "about" }).next).toBe("api");
    expect(getAdjacentSteps({ interfaces: Interfaces.Api, step: "review" }).next).toBeUndefined();
  });

  it("returns the last screens for the JSON screen", () => {
    expect(getAdjacentSteps({ interfaces: 0, step: "json" })).toEqual({
      previous: "advanced",
      next: "review",
    });
  });
});

describe("shouldContinueOnEnter", () => {
  const field: EnterTarget = {
    type: "text",
    id: "field:/name",
    form: null,
    ariaExpanded: null,
    closest: () => null,
  };

  const within = (place: string): Partial<EnterTarget> => ({
    closest: (selectors: string) => (selectors.split(", ").includes(place) ? ({} as HTMLElement) : null),
  });

  it("returns true in a single-line field", () => {
    expect(shouldContinueOnEnter(field)).toBe(true);
    expect(shouldContinueOnEnter({ ...field, id: "field:/endpoints/0/endpoint", type: "url" })).toBe(true);
  });

  it.each<[string, Partial<EnterTarget>]>([
    ["a multi-line text", { type: "textarea" }],
    ["a choice", { type: "radio" }],
    ["a separate form", { form: {} as HTMLFormElement }],
    ["an entry of a list", within("li")],
    ["a fold", within("details")],
    ["a dialog", within("[role=dialog]")],
    ["a row of a list", { id: "field:/screenshotUrls/0" }],
    ["open suggestions", { ariaExpanded: "true" }],
  ])("returns false in %s", (_, different) => {
    expect(shouldContinueOnEnter({ ...field, ...different })).toBe(false);
  });
});
