export { type FilledMetadata, fillMetadata } from "./discover/fillMetadata.ts";
export type { Discovery, Finding, FindingKind } from "./discover/finding.ts";
export { createProposal, type Proposal } from "./discover/proposalOf.ts";
