import { expect } from "chai";
import * as z from "zod/mini";
import { getMetadataLabel, getPlacedFields } from "../../apps/web/features/wizard/draft/fields.ts";
import { listClaims, readFields } from "../../apps/web/lib/service/serviceMetadata.ts";
import { fieldDescriptions, toDescribedJsonSchema } from "../../packages/sdk/src/metadata/describedFields.ts";
import { metadataSchema } from "../../packages/sdk/src/metadata/metadataSchema.ts";
import { listFieldRows } from "../../scripts/docs/interfacePages.ts";

describe("a field that is added to the metadata schema", () => {
  const statusUrl = z.optional(z.string().check(z.meta({ format: "uri" })));
  const copy = z.extend(metadataSchema, { statusUrl });
  const url = "https://status.example.com";

  before(() => {
    fieldDescriptions.add(statusUrl, {
      label: "Status URL",
      claim: "Status page",
      screen: "about",
      help: "Where users see outages. Optional.",
    });
  });

  after(() => {
    fieldDescriptions.remove(statusUrl);
  });

  it("is checked", () => {
    const document = { name: "Maps", description: "Maps.", publisher: "Example Ltd", statusUrl: 5 };
    expect(copy.safeParse(document).error?.issues.map(({ path }) => path)).to.deep.equal([["statusUrl"]]);
  });

  it("is in the form and in lists of problems", () => {
    const field = getPlacedFields("about", copy).at(-1);
    expect(field).to.include({
      at: "/statusUrl",
      label: "Status URL",
      help: "Where users see outages. Optional.",
      mono: true,
      required: false,
    });
    expect(getMetadataLabel("/statusUrl", copy)).to.equal("Status URL");
  });

  it("is read by the service's page and its preview in the review", () => {
    const metadata = readFields(copy, { statusUrl: url });
    expect(metadata.statusUrl).to.equal(url);
    expect(listClaims(metadata, copy)).to.deep.equal([{ term: "Status page", text: url, isUrl: true }]);
  });

  it("is in the JSON Schema and in the documents", () => {
    expect(toDescribedJsonSchema(copy).properties).to.have.property("statusUrl").that.includes({
      type: "string",
      title: "Status URL",
      description: "Where users see outages.",
    });
    expect(listFieldRows(copy)).to.deep.include(["`statusUrl`", "URL", "Where users see outages."]);
  });
});
