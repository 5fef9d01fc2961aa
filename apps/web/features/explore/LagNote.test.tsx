import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LagNote } from "./LagNote.tsx";

it.each([undefined, 0, 100])("LagNote renders nothing with a lag of %s blocks, at most the limit", (lag) => {
  expect(renderToStaticMarkup(<LagNote lag={lag} limit={100} />)).toBe("");
});

it("LagNote says that the chain doesn't respond", () => {
  expect(renderToStaticMarkup(<LagNote lag={null} limit={100} />)).toContain("Not checked now");
});

it("LagNote shows the number of blocks above the limit", () => {
  expect(renderToStaticMarkup(<LagNote lag={1_101} limit={100} />)).toContain(
    "1,101 blocks behind the chain",
  );
});
