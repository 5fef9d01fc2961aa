import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** Default waiting period of an attestation of a claimed DID on public chains: 48 hours, in seconds. */
export const DEFAULT_MATURATION = 48n * 3600n;
/** Time until a challenge can be resolved: 7 days, in seconds. */
export const DEFAULT_CHALLENGE_PERIOD = 7n * 24n * 3600n;
/** Longest lifetime of an attestation: one year, in seconds. */
export const DEFAULT_MAX_TTL = 365n * 24n * 3600n;

/**
 * Deploys and links the three contracts. The deployer (account 0) becomes the resolver's owner and authorises the
 * issuers afterwards, so that the issuers may change when an interrupted deployment is resumed.
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
