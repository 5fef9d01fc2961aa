import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** Time until an attestation on a claimed DID matures, wherever real services live: 48 hours, in seconds. */
export const DEFAULT_MATURATION = 48n * 3600n;
/** Time until a challenge can be resolved: 7 days, in seconds. */
export const DEFAULT_CHALLENGE_PERIOD = 7n * 24n * 3600n;
/** Longest lifetime of an attestation: one year, in seconds. */
export const DEFAULT_MAX_TTL = 365n * 24n * 3600n;

/**
 * The three contracts, linked. The deployer (account 0) becomes the resolver's owner, and authorises the issuers
 * afterwards: they are no part of what an interrupted deployment must repeat unchanged.
 *
 * Parameters, in seconds: `maturation` (1 hour to 7 days), `challengePeriod` (7 to 60 days), `maxTTL` (30 days to
 * 2 years). They can't be changed later.
 */
export default buildModule("AppRegistryModule", (m) => {
  const ResolverWithStore = m.contract("ResolverWithStore", [
    m.getAccount(0),
    m.getParameter("maturation", DEFAULT_MATURATION),
    m.getParameter("challengePeriod", DEFAULT_CHALLENGE_PERIOD),
    m.getParameter("maxTTL", DEFAULT_MAX_TTL),
  ]);
  const AppRegistry = m.contract("AppRegistry", [ResolverWithStore]);
  const AppMetadata = m.contractAt("AppMetadata", m.staticCall(AppRegistry, "metadata"));
  return { AppRegistry, AppMetadata, ResolverWithStore };
});
