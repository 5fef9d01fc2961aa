import { ponder } from "ponder:registry";

/** Every event that the indexer takes, and nothing done with it. */
const events = [
  "AppMetadata:MetadataSet",
  "AppRegistry:AppMinted",
  "AppRegistry:AppUpdated",
  "AppRegistry:ReclaimFinished",
  "AppRegistry:ReclaimOpened",
  "AppRegistry:StatusUpdated",
  "AppRegistry:Transfer",
  "DeploymentBlock:block",
  "ResolverWithStore:ChallengePeriodUpdated",
  "ResolverWithStore:ControllerObjected",
  "ResolverWithStore:ControllerOusted",
  "ResolverWithStore:ControllerVouched",
  "ResolverWithStore:DIDAttestationEnded",
  "ResolverWithStore:DIDAttested",
  "ResolverWithStore:DIDChallenged",
  "ResolverWithStore:DIDRevoked",
  "ResolverWithStore:DataHashAttestationEnded",
  "ResolverWithStore:DataHashAttested",
  "ResolverWithStore:DataHashRevoked",
  "ResolverWithStore:IssuerAdded",
  "ResolverWithStore:IssuerDistrusted",
  "ResolverWithStore:IssuerRetired",
  "ResolverWithStore:MaturationUpdated",
  "ResolverWithStore:MaxTTLUpdated",
  "ResolverWithStore:ObjectionWithdrawn",
] as const;

for (const event of events) ponder.on(event, async () => {});
