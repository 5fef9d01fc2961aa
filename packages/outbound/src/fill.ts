export { type FilledMetadata, fillMetadata } from "./discover/fillMetadata.ts";
export type { Discovery, Finding, FindingKind } from "./discover/finding.ts";
export { type Proposal, proposalOf } from "./discover/proposalOf.ts";
