import { getAtPointer, Interfaces, parseJsonPointer, toJsonPointer } from "@app-registry/sdk";
import { type Draft, isContractEndpoint, type StepId } from "./draft.ts";

/** Text fields of a draft outside the metadata. */
export type DraftTextField = "did" | "version" | "contractId" | "fungibleTokenId" | "dataUrl";

/** Field of the form. The sdk's rules validate its value; `draftProblems` assigns problems to the field. */
export interface FieldSpec {
  /** JSON pointer into the metadata, or the name of a draft field. Relative to the group for fields within one. */
  at: string;
  label: string;
  help?: string;
  placeholder?: string;
  required?: boolean;
  /**
   * Input type: `tags` lists short texts in one line, `urls` and `texts` one per line, `rows` lists objects, `schema`
   * is a JSON Schema, `check` is true or unset (or false or unset, with `isDefault`), `answer` is true, false or unset.
   * Default: one text.
   */
  control?:
    | "text"
    | "tags"
    | "json"
    | "schema"
    | "urls"
    | "texts"
    | "rows"
    | "platforms"
    | "check"
    | "answer";
  /** Suggested values; `chains` means well-known chains. Other values may be entered. */
  suggestions?: readonly string[] | "chains";
  /** True if the value is true while unset. */
  isDefault?: boolean;
  /** True if a tag may contain spaces. */
  phrases?: boolean;
  /** Labels of true and false. */
  answers?: readonly [whenTrue: string, whenFalse: string];
  /** True for DIDs, URLs and other machine-readable texts. */
  mono?: boolean;
  /** Minimum number of lines, and the maximum before the text scrolls. */
  lines?: number;
  maxLines?: number;
  /** True for long documents, which use the full width. */
  wide?: boolean;
  /** Name of one list entry: "Screenshot". */
  item?: string;
  /** Fields of each row, relative to the row. The first one is the title of a folded row. */
  columns?: readonly FieldSpec[];
}

/** Related fields under one heading. */
export interface GroupSpec {
  title: string;
  help: string;
  fields: readonly FieldSpec[];
}

/** Screen of the wizard. The screen's own component renders fields that depend on the draft. */
interface ScreenSpec {
  title: string;
  intro: string;
  /** Interface that a service needs for this screen to be shown. */
  interface?: number;
  content?: readonly (FieldSpec | GroupSpec)[];
  /** Metadata keys and draft fields that the screen's own component renders. */
  keys?: readonly string[];
}

type More = Omit<FieldSpec, "at" | "label" | "help">;

/** Creates a field, by default of one text. */
export const field = (at: string, label: string, help?: string, more: More = {}): FieldSpec => ({
  at,
  label,
  ...(help !== undefined && { help }),
  ...more,
});

/** Creates a field for a machine-readable value such as a URL. */
export const machineField = (at: string, label: string, placeholder = "", help?: string, more: More = {}) =>
  field(at, label, help, { mono: true, placeholder, ...more });

const urls = (at: string, label: string, item: string, placeholder: string, help?: string, more: More = {}) =>
  field(at, label, help, { control: "urls", item, placeholder, ...more });

/** All screens with their fields, in order. "Metadata as JSON" is outside the sequence. */
export const screens: Record<StepId, ScreenSpec> = {
  start: {
    title: "Your service",
    intro:
      "Enter the address of your service and the registry fills in what it finds. Or choose a type and fill in the form yourself.",
    keys: ["interfaces", "apiType"],
  },
  identity: {
    title: "DID and version",
    intro: "The DID is the service's permanent identifier. Only its controller can register it.",
    content: [
      field(
        "did",
        "DID",
        "For a website, API or agent: did:web: followed by your domain. For a contract: did:pkh:eip155: followed by the chain id and address.",
        { required: true, placeholder: "did:web:example.com" },
      ),
      field(
        "version",
        "Version",
        "Use major.minor.patch, each from 0 to 255. Start a new major version for breaking changes.",
        { required: true, placeholder: "1.0.0" },
      ),
    ],
    keys: ["wallet", "status", "replacedBy", "releaseNotes", "deprecation"],
  },
  about: {
    title: "About the service",
    intro: "What people and agents see, and where they get help.",
    content: [
      field("/name", "Name", "Use the name shown on your own site.", {
        required: true,
      }),
      field(
        "/description",
        "Description",
        "What the service does and who it's for, in one or two sentences. Used in search.",
        {
          required: true,
          lines: 3,
        },
      ),
      field("/publisher", "Publisher", "The person or organisation responsible for the service.", {
        required: true,
      }),
      machineField(
        "/image",
        "Icon URL",
        "https://example.com/icon.png",
        "A square image. Required for websites and apps.",
      ),
      machineField(
        "/external_url",
        "Website URL",
        "https://example.com",
        "The service's home page. Optional.",
      ),
      machineField(
        "/supportUrl",
        "Support URL",
        "https://example.com/support",
        "Where users get help. Optional.",
      ),
    ],
  },
  human: {
    title: "Website or app",
    intro:
      "Where people open or install the service. Add at least one platform and one screenshot, plus the icon under About the service.",
    interface: Interfaces.Human,
    content: [
      urls(
        "/screenshotUrls",
        "Screenshots",
        "Screenshot",
        "https://example.com/screenshot-1.png",
        "Current screenshots of the service.",
        { required: true },
      ),
      {
        title: "Platforms",
        help: "Add each platform the service runs on, with its launch or download URL.",
        fields: [field("/platforms", "Platforms", undefined, { control: "platforms" })],
      },
      {
        title: "More media",
        help: "All optional.",
        fields: [
          urls("/videoUrls", "Videos", "Video", "https://example.com/tour.mp4"),
          urls("/threeDAssetUrls", "3D assets", "3D asset", "https://example.com/model.glb"),
          machineField("/portalUrl", "Portal URL", "", "Entry point in a virtual world. Optional."),
        ],
      },
    ],
  },
  api: {
    title: "API",
    intro:
      "Where programs and agents call the service. Add at least one endpoint. Use the DID's host or site, or another host that your wallet controls.",
    interface: Interfaces.Api,
    keys: ["endpoints", "endpoint", "interfaceVersions"],
  },
  contract: {
    title: "Contract",
    intro: "The DID already contains the contract's address. Add what programs need to call it.",
    interface: Interfaces.Contract,
  },
  discovery: {
    title: "Traits and payments",
    intro: "Traits are tags that people can search by. The registry stores a hash of each one.",
    content: [
      {
        title: "Payments",
        help: "How callers pay, for example x402. Leave empty if the service is free.",
        fields: [
          field("/payments", "Payments", undefined, {
            control: "rows",
            item: "Payment",
            columns: [
              field("/type", "Payment method", "For example x402.", {
                placeholder: "x402",
                suggestions: ["x402", "stripe", "lightning"],
                required: true,
              }),
              machineField("/url", "Payment URL", "https://example.com/pay", "Where callers pay. Optional."),
              field(
                "/chains",
                "Chains",
                "Chains on which you accept payment. Choose a chain, or enter its CAIP-2 id.",
                {
                  control: "tags",
                  placeholder: "Base, Ethereum …",
                  suggestions: "chains",
                },
              ),
            ],
          }),
        ],
      },
      {
        title: "When to use the service",
        help: "Questions or tasks that this service handles, one sentence each. Optional.",
        fields: [
          field("/representativeQueries", "Example requests", undefined, {
            control: "texts",
            item: "Example request",
            placeholder: "Which trains leave Vienna before nine?",
          }),
        ],
      },
    ],
    keys: ["traits"],
  },
  advanced: {
    title: "Advanced",
    intro: "Hashing, storage and optional ids. The defaults suit most services.",
    keys: ["storage", "dataUrl", "contractId", "fungibleTokenId", "probe"],
  },
  review: {
    title: "Review and publish",
    intro: "Check the service's page and what you'll sign. Nothing is published until your wallet signs.",
  },
  json: {
    title: "Metadata as JSON",
    intro:
      "Paste or edit the full document. The document and the form stay in sync. Fields that the form doesn't show are preserved.",
    content: [{ at: "", label: "Metadata JSON", control: "json", wide: true, lines: 20, maxLines: 40 }],
  },
};

const order = Object.keys(screens).filter((id) => id !== "json") as StepId[];

/** Returns the screens for a service with these interfaces, in order. */
export function getSteps(interfaces: number): StepId[] {
  return order.filter((id) => {
    const bit = screens[id].interface ?? 0;
    return (interfaces & bit) === bit;
  });
}

const isField = (part: FieldSpec | GroupSpec): part is FieldSpec => "at" in part;

const toKey = (field: string): string => (field.startsWith("/") ? (parseJsonPointer(field)[0] ?? "") : field);

const allFields = order.flatMap((id) =>
  (screens[id].content ?? [])
    .flatMap((part) => (isField(part) ? [part] : part.fields))
    .map((field) => ({ id, field })),
);

const stepOfKey = new Map<string, StepId>([
  ...order.flatMap((id) => (screens[id].keys ?? []).map((key): [string, StepId] => [key, id])),
  ...allFields.map(({ id, field }): [string, StepId] => [toKey(field.at), id]),
]);

/**
 * Returns the screen that contains a field. Metadata without a form field, or whose screen the service does not have,
 * belongs to the JSON screen.
 */
export function getStepOfField(field: string, draft: Draft): StepId {
  const [key, index] = field.startsWith("/") ? parseJsonPointer(field) : [field];
  let step = stepOfKey.get(key ?? "") ?? "json";
  if (key === "endpoints") {
    const entry =
      index === undefined ? undefined : getAtPointer(draft.metadata, toJsonPointer(["endpoints", index]));
    step = isContractEndpoint(draft, entry) ? "contract" : "api";
  }
  return getSteps(draft.interfaces).includes(step) ? step : "json";
}

/** Labels for problem lists, of parts without a field of their own or with a longer label. */
const otherLabels: Record<string, string> = {
  interfaces: "Interfaces",
  apiType: "API type",
  contractId: "Contract ID",
  fungibleTokenId: "Service token",
  dataUrl: "Data URL",
  storage: "Metadata storage",
  replacedBy: "Successor DID",
  releaseNotes: "Release notes",
  deprecation: "Deprecation reason",
  platforms: "Platforms",
  endpoints: "Endpoints",
  endpoint: "Endpoint URL",
  url: "URL",
  uri: "URI",
  schemaUrl: "Schema URL",
  interfaceVersions: "Interface versions",
  inputSchema: "Input schema",
  outputSchema: "Output schema",
  authentication: "Authentication",
  authorizationUrl: "Authorization URL",
  tokenUrl: "Token URL",
  jwksUrl: "JWKS URL",
  chainId: "Chain",
  contractAddress: "Contract address",
  chains: "Chains",
  traits: "Traits",
  tools: "Tools",
  resources: "Resources",
  prompts: "Prompts",
  resourceTemplates: "Resource templates",
  skills: "Skills",
  launchUrl: "launch URL",
  downloadUrl: "download URL",
};

const labels: Record<string, string> = {
  ...Object.fromEntries(allFields.map(({ field }) => [toKey(field.at), field.label])),
  ...otherLabels,
};

const isIndex = (token: string | undefined): boolean => token !== undefined && /^\d+$/.test(token);

/** Returns the name of a field for problem lists, such as "Tools 3, Input schema". */
export function fieldLabel(field: string): string {
  if (field === "") return "Metadata JSON";
  const tokens = field.startsWith("/") ? parseJsonPointer(field) : [field];
  const parts = tokens.flatMap((token, place) => {
    if (isIndex(token)) return [];
    const name = labels[token] ?? token;
    const next = tokens[place + 1];
    return [isIndex(next) ? `${name} ${Number(next) + 1}` : name];
  });
  // Omit the endpoint number if it is the first one, because most services have one endpoint.
  const shown = parts.length > 1 && parts[0] === "Endpoints 1" ? parts.slice(1) : parts;
  return shown.join(", ");
}
