import { describe, expect, it } from "vitest";
import { contractErrorTexts } from "./contractErrorTexts.ts";
import { contractErrorsAbi } from "./contractRevertError.ts";

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);

describe("contractErrorTexts", () => {
  it.each(contractErrorsAbi.map((error) => [error.name, error] as const))(
    "has a sentence and an action for %s, with its arguments only",
    (name, { inputs }) => {
      const [sentence, action] = contractErrorTexts[name] ?? [];
      expect(sentence).toMatch(/^["{A-Z].*\.$/s);
      expect(action).toMatch(/^[A-Z].*\.$/s);
      const names = inputs.map((input) => input.name);
      for (const placeholder of placeholders(`${sentence} ${action}`)) {
        expect(names).toContain(placeholder);
      }
    },
  );

  it("has no entry for an error that the contracts do not have", () => {
    const names = contractErrorsAbi.map(({ name }) => name);
    expect(Object.keys(contractErrorTexts).filter((name) => !names.includes(name))).toEqual([]);
  });
});
