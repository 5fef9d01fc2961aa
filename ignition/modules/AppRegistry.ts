import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** Wait of a newcomer wherever real services live: 48 hours, in seconds. */
export const DEFAULT_MATURATION = 48n * 3600n;

/**
 * The three contracts, linked. The deployer (account 0) becomes the resolver's owner, and authorises the issuers
 * afterwards: they are no part of what an interrupted deployment must repeat unchanged.
 *
 * Parameter: `maturation` (seconds, 1 hour to 30 days).
 */
export default buildModule("AppRegistryModule", (m) => {
  const ResolverWithStore = m.contract("ResolverWithStore", [
    m.getAccount(0),
    m.getParameter("maturation", DEFAULT_MATURATION),
  ]);
  const AppRegistry = m.contract("AppRegistry", [ResolverWithStore]);
  const AppMetadata = m.contractAt("AppMetadata", m.staticCall(AppRegistry, "metadata"));
  return { AppRegistry, AppMetadata, ResolverWithStore };
});
