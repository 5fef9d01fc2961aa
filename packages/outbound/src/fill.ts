export { createProposal, type Proposal } from "./discover/createProposal.ts";
export { type FilledMetadata, fillMetadata } from "./discover/fillMetadata.ts";
export type { Discovery, Finding, FindingKind } from "./discover/finding.ts";
export { getOwnReason } from "./discover/labels.ts";
