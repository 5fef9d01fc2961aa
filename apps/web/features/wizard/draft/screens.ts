import { Interfaces, parseJsonPointer } from "@app-registry/sdk";
import { type Draft, isContractEndpoint, type StepId } from "./draft.ts";
import {
  type FieldSpec,
  type GroupSpec,
  getMetadataKeys,
  getMetadataLabel,
  getPlacedFields,
} from "./fields.ts";
import { toList } from "./pointer.ts";

/** Text fields of a draft outside the metadata. */
export type DraftTextField = "did" | "version" | "contractId" | "fungibleTokenId" | "dataUrl";

/** Screen of the wizard. The screen's own component renders fields that depend on the draft. */
interface ScreenSpec {
  title: string;
  intro: string;
  /** Interface that a service needs for this screen to be shown. */
  interface?: number;
  content?: readonly (FieldSpec | GroupSpec)[];
  /** Names of draft fields that the screen's own component renders, for lists of problems. */
  labels?: Readonly<Record<string, string>>;
}

/** All screens with their fields, in order. "Metadata as JSON" is outside the sequence. */
export const screens: Record<StepId, ScreenSpec> = {
  start: {
    title: "Your service",
    intro:
      "Enter the address of your service and the registry fills in what it finds. Or choose a type and fill in the form yourself.",
    labels: { interfaces: "Interfaces", apiType: "API type" },
  },
  identity: {
    title: "DID and version",
    intro: "The DID is the service's permanent identifier. Only its controller can register it.",
    content: [
      {
        at: "did",
        label: "DID",
        help: "For a website, API or agent: did:web: followed by your domain. For a contract: did:pkh:eip155: followed by the chain id and address.",
        required: true,
        placeholder: "did:web:example.com",
      },
      {
        at: "version",
        label: "Version",
        help: "Use major.minor.patch, each from 0 to 255. Start a new major version for breaking changes.",
        required: true,
        placeholder: "1.0.0",
      },
    ],
  },
  about: {
    title: "About the service",
    intro: "What people and agents see, and where they get help.",
    content: getPlacedFields("about"),
  },
  human: {
    title: "Website or app",
    intro:
      "Where people open or install the service. Add at least one platform and one screenshot, plus the icon under About the service.",
    interface: Interfaces.Human,
    content: getPlacedFields("human"),
  },
  api: {
    title: "API",
    intro:
      "Where programs and agents call the service. Add at least one endpoint. Use the DID's host or site, or another host that your wallet controls.",
    interface: Interfaces.Api,
  },
  contract: {
    title: "Contract",
    intro: "The DID already contains the contract's address. Add what programs need to call it.",
    interface: Interfaces.Contract,
  },
  discovery: {
    title: "Traits and payments",
    intro: "Traits are tags that people can search by. The registry stores a hash of each one.",
    content: getPlacedFields("discovery"),
  },
  advanced: {
    title: "Advanced",
    intro: "Hashing, storage and optional IDs. The defaults suit most services.",
    labels: {
      storage: "Metadata storage",
      dataUrl: "Data URL",
      contractId: "Contract ID",
      fungibleTokenId: "Service token",
    },
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

/** Names of the fields that screens list or render, by field. */
const listLabels = ({ content = [], labels }: ScreenSpec): Record<string, string> => ({
  ...Object.fromEntries(content.flatMap((part) => ("at" in part ? [[part.at, part.label]] : []))),
  ...labels,
});

const labels: Record<string, string> = Object.assign({}, ...Object.values(screens).map(listLabels));

const stepOfKey = new Map(
  order.flatMap((id) =>
    [...Object.keys(listLabels(screens[id])), ...getMetadataKeys(id)].map((key): [string, StepId] => [
      key,
      id,
    ]),
  ),
);

/**
 * Returns the screen that contains a field. Metadata without a form field, or whose screen the service does not have,
 * belongs to the JSON screen.
 */
export function getStepOfField(field: string, draft: Draft): StepId {
  const [key = "", index] = field.startsWith("/") ? parseJsonPointer(field) : [field];
  let step = stepOfKey.get(key) ?? "json";
  if (key === "endpoints")
    step = isContractEndpoint(draft, toList(draft.metadata.endpoints)[Number(index)]) ? "contract" : "api";
  return getSteps(draft.interfaces).includes(step) ? step : "json";
}

/** Returns the name of a field for problem lists, such as "Tools 3, Input schema". */
export const fieldLabel = (field: string): string =>
  field.startsWith("/") ? getMetadataLabel(field) : (labels[field] ?? field);

/** Returns the DOM id of a field, which problems link to. */
export const fieldId = (field: string): string => `field:${field}`;
