import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AddressedText } from "./identifiers.tsx";

const account = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";

describe("AddressedText", () => {
  it("keeps a full stop in the element of the address, so that no line begins with it", () => {
    const html = renderToStaticMarkup(<AddressedText text={`An issuer attests account ${account}. Next.`} />);
    expect(html).toMatch(/<\/button><\/span>\.<\/span> Next\.$/);
    expect(html.replaceAll(/<[^>]*>/g, "")).toBe(`An issuer attests account ${account}. Next.`);
  });

  it("renders the times of a sentence as elements in UTC", () => {
    const html = renderToStaticMarkup(
      <AddressedText text="Until 2026-11-21T13:02:00.000Z, unless renewed." />,
    );
    expect(html).toBe(
      'Until <time dateTime="2026-11-21T13:02:00.000Z">21 Nov 2026, 13:02 UTC</time>, unless renewed.',
    );
  });
});
