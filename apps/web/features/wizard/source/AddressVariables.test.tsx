import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AddressVariables } from "./AddressVariables.tsx";

const render = (variables: Parameters<typeof AddressVariables>[0]["variables"], readOnly = false) =>
  renderToStaticMarkup(
    <MantineProvider>
      <AddressVariables variables={variables} readOnly={readOnly} onFill={() => undefined} />
    </MantineProvider>,
  );

describe("AddressVariables", () => {
  it("asks for a value with its description", () => {
    const html = render([{ name: "tenant", description: "Your <tenant>." }]);
    expect(html).toMatch(/<input[^>]* name="tenant"/);
    expect(html).toMatch(/<input[^>]* required=""/);
    expect(html).toContain("Your &lt;tenant&gt;.");
  });

  it("shows the value in use", () => {
    expect(render([{ name: "tenant", value: "acme" }])).toMatch(/<input[^>]* value="acme"/);
  });

  it("can't be submitted once the transaction is sent", () => {
    expect(render([], true)).toMatch(/<button[^>]* disabled=""/);
  });
});
