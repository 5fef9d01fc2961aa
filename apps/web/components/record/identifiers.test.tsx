import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AddressedText } from "./identifiers.tsx";

const account = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";

describe("AddressedText", () => {
  it("keeps a full stop in the element of the address, so that no line begins with it", () => {
    const html = renderToStaticMarkup(<AddressedText text={`An issuer attests account ${account}. Next.`} />);
    expect(html).toMatch(/<\/button><\/span><\/span>\.<\/span> Next\.$/);
    expect(html.replaceAll(/<[^>]*>/g, "")).toBe(`An issuer attests account ${account}. Next.`);
  });
});
