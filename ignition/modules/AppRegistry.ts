import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** Wait of a newcomer wherever real services live: 48 hours, in seconds. */
export const DEFAULT_MATURATION = 48n * 3600n;

/**
 * The three contracts, linked, with one authorised issuer. The deployer (account 0) becomes the resolver's owner.
 *
 * Parameters: `maturation` (seconds, 1 hour to 30 days) and `issuer` (default: the deployer).
 */
export default buildModule("AppRegistryModule", (m) => {
  const deployer = m.getAccount(0);
  const resolver = m.contract("ResolverWithStore", [
    deployer,
    m.getParameter("maturation", DEFAULT_MATURATION),
  ]);
  const registry = m.contract("AppRegistry", [resolver]);
  const metadata = m.contractAt("AppMetadata", m.staticCall(registry, "metadata"));
  m.call(resolver, "addIssuer", [m.getParameter("issuer", deployer)]);
  return { resolver, registry, metadata };
});
