export { fillMetadata, removeProposal } from "./discover/fillMetadata.ts";
export type { Discovery, Finding, FindingKind } from "./discover/finding.ts";
export { createProposal, getFindingKey, type Proposal, type Suggestion } from "./discover/findingList.ts";
