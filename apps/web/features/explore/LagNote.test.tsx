import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LagNote } from "./LagNote.tsx";

it.each([null, undefined, 0, 100])(
  "says nothing of a list that is %s blocks behind, up to the limit",
  (lag) => {
    expect(renderToStaticMarkup(<LagNote lag={lag} limit={100} />)).toBe("");
  },
);

it("says by how many blocks a list is behind", () => {
  expect(renderToStaticMarkup(<LagNote lag={1_101} limit={100} />)).toContain(
    "1,101 blocks behind the chain",
  );
});
