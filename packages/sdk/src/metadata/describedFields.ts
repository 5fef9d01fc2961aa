import * as z from "zod/mini";
import { Interfaces } from "../recordEnums.ts";
import { SUCCESSOR_MESSAGE } from "./checkPublishable.ts";
import { endpointFields } from "./describedEndpointFields.ts";
import { CONTRACT_ENDPOINT_NAME, endpointEntrySchema, singleEndpointSchema } from "./endpointSchema.ts";
import { describe, type FieldDescription, field, getMeaning } from "./fieldDescription.ts";
import {
  metadataSchema,
  packageSchema,
  paymentSchema,
  platformSchema,
  priceSchema,
} from "./metadataSchema.ts";
import { serviceAddressRules } from "./serviceAddress.ts";

/** Places fields on a screen of the wizard. */
const onScreen = <Fields extends Record<string, FieldDescription>>(
  screen: NonNullable<FieldDescription["screen"]>,
  fields: Fields,
) => Object.fromEntries(Object.entries(fields).map(([key, about]) => [key, { ...about, screen }])) as Fields;

const moreMedia = { title: "More media", help: "All optional." };

const allFields = [
  ...describe(metadataSchema, {
    ...onScreen("about", {
      name: field("Name", "Use the name shown on your own site.", {
        meaning: "Name of the service, one line.",
      }),
      description: field(
        "Description",
        "What the service does and who it's for, in one or two sentences. Used in search.",
        { lines: 3, search: "text" },
      ),
      publisher: field("Publisher", "The person or organization responsible for the service.", {
        claim: "Publisher",
      }),
      image: field("Icon URL", "A square image. Required for websites and apps.", {
        requiredFor: Interfaces.Human,
        placeholder: "https://example.com/icon.png",
      }),
      external_url: field("Website URL", "The service's home page. Optional.", {
        claim: "Website",
        placeholder: "https://example.com",
      }),
      supportUrl: field("Support URL", "Where users get help. Optional.", {
        claim: "Support",
        placeholder: "https://example.com/support",
      }),
    }),
    ...onScreen("human", {
      screenshotUrls: field("Screenshots", "Current screenshots of the service.", {
        requiredFor: Interfaces.Human,
        item: "Screenshot",
        placeholder: "https://example.com/screenshot-1.png",
      }),
      platforms: field("Platforms", undefined, {
        meaning: "How people open or get an app, by platform: `web`, `ios`, `android`, …",
        group: {
          title: "Platforms",
          help: "Add each platform the service runs on, with its launch or download URL.",
        },
      }),
      videoUrls: field("Videos", undefined, {
        group: moreMedia,
        item: "Video",
        placeholder: "https://example.com/tour.mp4",
      }),
      threeDAssetUrls: field("3D assets", undefined, {
        group: moreMedia,
        item: "3D asset",
        placeholder: "https://example.com/model.glb",
      }),
      portalUrl: field("Portal URL", "Entry point in a virtual world. Optional.", { group: moreMedia }),
    }),
    ...onScreen("api", {
      endpoints: field("Endpoints", undefined, {
        meaning: "Where programs call the service.",
        control: "custom",
      }),
      endpoint: field("Endpoint URL", undefined, {
        meaning: "The earlier layout: one endpoint without a name.",
        control: "custom",
      }),
      interfaceVersions: field("Interface versions", undefined, {
        meaning: "The earlier layout: versions of `endpoint`.",
        control: "custom",
      }),
    }),
    ...onScreen("discovery", {
      traits: field("Traits", undefined, {
        meaning: "Tags that search compares by hash ([traits](identifiers.md#traits)).",
        control: "traits",
        placeholder: "travel, booking",
      }),
      payments: field("Payments", undefined, {
        meaning: "Ways to pay.",
        group: {
          title: "Payments",
          help: "How callers pay, for example x402. Leave empty if the service is free. Search finds the traits pay:x402 and, for one chain, pay:x402:eip155:8453.",
        },
        item: "Payment",
      }),
      packages: field("Packages", undefined, {
        meaning: "Programs that people can install, as in the MCP registry's `server.json`.",
        group: {
          title: "Packages",
          help: "Programs with which people run the service themselves, for example from npm. Optional.",
        },
        item: "Package",
      }),
      representativeQueries: field("Example requests", undefined, {
        meaning: "Questions or tasks that the service handles.",
        group: {
          title: "When to use the service",
          help: "Questions or tasks that this service handles, one sentence each. Optional.",
        },
        control: "texts",
        item: "Example request",
        search: "text",
        placeholder: "Which trains leave Vienna before nine?",
      }),
    }),
    ...onScreen("identity", {
      releaseNotes: field("Release notes", "Shown next to this version on the service's page. Optional.", {
        meaning: "Changes in this version.",
        control: "custom",
        lines: 3,
      }),
      deprecation: field(
        "Deprecation reason",
        "Say why, and what to use instead. Shown next to this version on the service's page. Optional.",
        { control: "custom", lines: 2 },
      ),
      replacedBy: field(
        "Successor DID",
        `The service that replaces this one. Optional. ${SUCCESSOR_MESSAGE}`,
        { control: "custom", mono: true, placeholder: "did:web:next.example.com" },
      ),
    }),
    ...onScreen("advanced", {
      probe: field(
        "Run live checks on this service",
        "This registry checks the service about once a day. The service's page shows the last response and whether the service matches the registered version. Your choice is stored in the record.",
        {
          meaning: "`false` opts out of [live checks](live.md#opt-out).",
          control: "custom",
          isDefault: true,
        },
      ),
    }),
  }),
  ...describe(platformSchema, {
    downloadUrl: field("download URL", "Where people download the app.", {
      placeholder: "https://example.com/download",
    }),
    launchUrl: field("launch URL", "Opens the service on this platform.", {
      placeholder: "https://app.example.com",
    }),
    artifactDid: field("artifact DID", "Identifies the exact app package. Optional.", {
      mono: true,
      placeholder: "did:web:example.com:app",
    }),
  }),
  ...describe(paymentSchema, {
    type: field("Payment method", "For example x402.", {
      meaning: "For example `x402`.",
      placeholder: "x402",
      suggestions: ["x402", "stripe", "lightning"],
    }),
    url: field("Payment URL", "Where callers pay. Optional.", { placeholder: "https://example.com/pay" }),
    chains: field("Chains", "Chains on which you accept payment. Choose a chain, or enter its CAIP-2 id.", {
      meaning: "CAIP-2 chains, for example `eip155:1`.",
      placeholder: "Base, Ethereum …",
      suggestions: "chains",
    }),
    price: { meaning: "Price of a request." },
    payTo: field("Recipient", "The account that receives the payment. Optional.", { mono: true }),
  }),
  ...describe(priceSchema, {
    amount: field("Price of a request", "A decimal number in whole units of the asset. Optional.", {
      meaning:
        "Decimal number in whole units of the asset, for example `0.01`. The most that a request costs if that varies.",
      placeholder: "0.01",
    }),
    symbol: field("Currency", "Symbol of the asset. Optional.", { placeholder: "USDC" }),
    asset: field("Asset", "Contract of the token, or an ISO 4217 code. Optional.", {
      mono: true,
      placeholder: "0x…",
    }),
  }),
  ...describe(packageSchema, {
    identifier: field("Package", "Its name, image or download URL.", { mono: true }),
    registryType: field("Package registry", "For example npm, pypi, oci, nuget or mcpb.", { mono: true }),
    version: field("Package version", "Optional.", { mono: true }),
    registryBaseUrl: field("Registry URL", "Only if it isn't the usual registry. Optional."),
    fileSha256: field("SHA-256 hash", "Hash of the package's file. Optional.", { mono: true }),
    runtimeHint: field("Runtime", "For example npx. Optional.", { mono: true }),
    transport: { meaning: "How a client calls the program." },
  }),
  ...endpointFields,
];

/**
 * Descriptions of the metadata fields, by the schema of the field. They are kept apart from the schemas, so that
 * programs that only check documents don't load them.
 */
export const fieldDescriptions = z.registry<FieldDescription>();
for (const [schema, description] of allFields) fieldDescriptions.add(schema, description);

/** Entries of `endpoints` need a URL, unless they describe a contract. */
const needsUrl = {
  if: { properties: { name: { const: CONTRACT_ENDPOINT_NAME } }, required: ["name"] },
  else: { properties: { endpoint: {} }, required: ["endpoint"] },
};

/**
 * Returns the JSON Schema (draft 2020-12) of the metadata JSON, for editors and other languages. `checkPublishable`
 * also checks rules that JSON Schema cannot express: the requirements of each interface, the size of the document,
 * traits that are listed twice, every rule of host names, and lengths in UTF-16 code units (JSON Schema counts
 * characters).
 *
 * @example
 * metadataJsonSchema().type; // "object"
 */
export function metadataJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = toDescribedJsonSchema(metadataSchema);
  return { $schema, $id: "urn:app-registry:metadata", title: "App Registry metadata", ...schema };
}

/** Returns the JSON Schema of a schema, with the label and the meaning of each field. */
export function toDescribedJsonSchema(schema: z.core.$ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // Validators differ in what they accept as this format. The pattern is the rule.
      delete jsonSchema.format;
      if (zodSchema === endpointEntrySchema)
        Object.assign(jsonSchema, needsUrl, serviceAddressRules("endpoint"));
      if (zodSchema === singleEndpointSchema) Object.assign(jsonSchema, serviceAddressRules("url"));
      const description = fieldDescriptions.get(zodSchema);
      if (description)
        Object.assign(jsonSchema, { title: description.label, description: getMeaning(description) });
    },
  });
}
