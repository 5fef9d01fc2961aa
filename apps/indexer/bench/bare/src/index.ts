import { ponder } from "ponder:registry";

/** Every event that the indexer takes, and nothing done with it. */
const events = [
  "AppMetadata:MetadataSet",
  "AppRegistry:AppMinted",
  "AppRegistry:AppUpdated",
  "AppRegistry:ReclaimFinished",
  "AppRegistry:ReclaimLapsed",
  "AppRegistry:ReclaimOpened",
  "AppRegistry:StatusUpdated",
  "AppRegistry:Transfer",
  "ResolverWithStore:ChallengeResolved",
  "ResolverWithStore:ControllerRejected",
  "ResolverWithStore:ControllerVouched",
  "ResolverWithStore:DIDAttested",
  "ResolverWithStore:DIDChallenged",
  "ResolverWithStore:DIDRevoked",
  "ResolverWithStore:DataHashAttested",
  "ResolverWithStore:DataHashRevoked",
  "ResolverWithStore:IssuerAdded",
  "ResolverWithStore:IssuerRemoved",
] as const;

for (const event of events) ponder.on(event, async () => {});
