import * as z from "zod/mini";
import { Interfaces } from "../interfaces.ts";
import { SUCCESSOR_MESSAGE } from "./checkPublishable.ts";
import { endpointFields } from "./describedEndpointFields.ts";
import { describe, type FieldDescription, field } from "./fieldDescription.ts";
import { metadataSchema, paymentSchema, platformSchema } from "./metadataSchema.ts";

/** Places fields on a screen of the wizard. Each field at the top of a document has a meaning. */
const onScreen = <Fields extends Record<string, FieldDescription & { meaning: string }>>(
  screen: NonNullable<FieldDescription["screen"]>,
  fields: Fields,
) => Object.fromEntries(Object.entries(fields).map(([key, about]) => [key, { ...about, screen }])) as Fields;

const moreMedia = { title: "More media", help: "All optional." };

const allFields = [
  ...describe(metadataSchema, {
    ...onScreen("about", {
      name: field("Name", {
        meaning: "name of the service, one line",
        help: "Use the name shown on your own site.",
      }),
      description: field("Description", {
        meaning: "what the service does",
        help: "What the service does and who it's for, in one or two sentences. Used in search.",
        lines: 3,
      }),
      publisher: field("Publisher", {
        meaning: "person or organization responsible for the service",
        claim: "Publisher",
        help: "The person or organisation responsible for the service.",
      }),
      image: field("Icon URL", {
        meaning: "icon",
        requiredFor: Interfaces.Human,
        placeholder: "https://example.com/icon.png",
        help: "A square image. Required for websites and apps.",
      }),
      external_url: field("Website URL", {
        meaning: "home page",
        claim: "Website",
        placeholder: "https://example.com",
        help: "The service's home page. Optional.",
      }),
      supportUrl: field("Support URL", {
        meaning: "page or mail address for help",
        claim: "Support",
        placeholder: "https://example.com/support",
        help: "Where users get help. Optional.",
      }),
    }),
    ...onScreen("human", {
      screenshotUrls: field("Screenshots", {
        meaning: "screenshots",
        requiredFor: Interfaces.Human,
        item: "Screenshot",
        placeholder: "https://example.com/screenshot-1.png",
        help: "Current screenshots of the service.",
      }),
      platforms: field("Platforms", {
        meaning: "how people open or get an app, by platform: `web`, `ios`, `android`, …",
        group: {
          title: "Platforms",
          help: "Add each platform the service runs on, with its launch or download URL.",
        },
      }),
      videoUrls: field("Videos", {
        meaning: "videos",
        group: moreMedia,
        item: "Video",
        placeholder: "https://example.com/tour.mp4",
      }),
      threeDAssetUrls: field("3D assets", {
        meaning: "3D assets",
        group: moreMedia,
        item: "3D asset",
        placeholder: "https://example.com/model.glb",
      }),
      portalUrl: field("Portal URL", {
        meaning: "entry point in a virtual world",
        group: moreMedia,
        help: "Entry point in a virtual world. Optional.",
      }),
    }),
    ...onScreen("api", {
      endpoints: field("Endpoints", { meaning: "where programs call the service", control: "custom" }),
      endpoint: field("Endpoint URL", {
        meaning: "the earlier layout: one endpoint without a name",
        control: "custom",
      }),
      interfaceVersions: field("Interface versions", {
        meaning: "the earlier layout: versions of `endpoint`",
        control: "custom",
      }),
    }),
    ...onScreen("discovery", {
      traits: field("Traits", {
        meaning: "tags that search compares by hash ([traits](identifiers.md#traits))",
        control: "custom",
        placeholder: "travel, booking",
      }),
      payments: field("Payments", {
        meaning: "ways to pay",
        group: {
          title: "Payments",
          help: "How callers pay, for example x402. Leave empty if the service is free.",
        },
        item: "Payment",
      }),
      representativeQueries: field("Example requests", {
        meaning: "questions or tasks that the service handles",
        group: {
          title: "When to use the service",
          help: "Questions or tasks that this service handles, one sentence each. Optional.",
        },
        control: "texts",
        item: "Example request",
        placeholder: "Which trains leave Vienna before nine?",
      }),
    }),
    ...onScreen("identity", {
      releaseNotes: field("Release notes", {
        meaning: "changes in this version",
        control: "custom",
        help: "Shown next to this version on the service's page. Optional.",
        lines: 3,
      }),
      deprecation: field("Deprecation reason", {
        meaning: "why not to use this version, and what to do instead",
        control: "custom",
        help: "Say why, and what to use instead. Shown next to this version on the service's page. Optional.",
        lines: 2,
      }),
      replacedBy: field("Successor DID", {
        meaning: "canonical DID of the successor",
        control: "custom",
        mono: true,
        placeholder: "did:web:next.example.com",
        help: `The service that replaces this one. Optional. ${SUCCESSOR_MESSAGE}`,
      }),
    }),
    ...onScreen("advanced", {
      probe: field("Run live checks on this service", {
        meaning: "`false` opts out of [live checks](live.md#opt-out)",
        control: "custom",
        isDefault: true,
        help: "This registry checks the service about once a day. The service's page shows the last response and whether the service matches the registered version. Your choice is stored in the record.",
      }),
    }),
  }),

  ...describe(platformSchema, {
    downloadUrl: field("download URL", {
      meaning: "page to get the app",
      placeholder: "https://example.com/download",
      help: "Where people download the app.",
    }),
    launchUrl: field("launch URL", {
      meaning: "page that opens the app",
      placeholder: "https://app.example.com",
      help: "Opens the service on this platform.",
    }),
    artifactDid: field("artifact DID", {
      meaning: "DID of the app's package",
      mono: true,
      placeholder: "did:web:example.com:app",
      help: "Identifies the exact app package. Optional.",
    }),
  }),

  ...describe(paymentSchema, {
    type: field("Payment method", {
      meaning: "for example `x402`",
      placeholder: "x402",
      suggestions: ["x402", "stripe", "lightning"],
      help: "For example x402.",
    }),
    url: field("Payment URL", {
      placeholder: "https://example.com/pay",
      help: "Where callers pay. Optional.",
    }),
    chains: field("Chains", {
      meaning: "CAIP-2 chains, for example `eip155:1`",
      placeholder: "Base, Ethereum …",
      suggestions: "chains",
      help: "Chains on which you accept payment. Choose a chain, or enter its CAIP-2 id.",
    }),
  }),
  ...endpointFields,
];

/**
 * Descriptions of the metadata fields, by the schema of the field. They are kept apart from the schemas, so that
 * programs that only check documents don't load them.
 */
export const fieldDescriptions = z.registry<FieldDescription>();
for (const [schema, description] of allFields) fieldDescriptions.add(schema, description);
