/**
 * Most bytes that each entry point may weigh: minified, gzipped, with everything it pulls in but the peers.
 * `pnpm --filter @app-registry/sdk size` measures them.
 */
const entry = (path) => ({
  path: `dist/src/${path}index.js`,
  import: "*",
  ignore: ["viem", "ethers"],
  gzip: true,
});
const node = (config) => ({ ...config, platform: "node" });

export default [
  { name: "@app-registry/sdk", ...entry(""), limit: "78 kB" },
  { name: "@app-registry/sdk: parseDid alone", ...entry(""), import: "{ parseDid }", limit: "2.5 kB" },
  { name: "@app-registry/sdk: searchApps alone", ...entry(""), import: "{ searchApps }", limit: "34 kB" },
  {
    name: "@app-registry/sdk: verifyApp with a client",
    ...entry(""),
    import: "{ createAppRegistryClient, verifyApp }",
    limit: "60 kB",
  },
  { name: "@app-registry/sdk/abi", ...entry("abi/"), limit: "4 kB" },
  { name: "@app-registry/sdk/ethers", ...entry("ethers/"), limit: "34 kB" },
  { name: "@app-registry/sdk/import", ...entry("import/"), modifyEsbuildConfig: node, limit: "215 kB" },
  { name: "@app-registry/sdk/issuer", ...entry("issuer/"), modifyEsbuildConfig: node, limit: "275 kB" },
];
