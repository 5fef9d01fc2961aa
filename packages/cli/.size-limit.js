/**
 * Most bytes that each entry point may weigh: minified, gzipped, with everything it pulls in but the peers.
 * `pnpm --filter @app-registry/cli size` measures them, once the packages are built.
 */
const sdk = (module, names = "*") => ({
  path: `../sdk/dist/src/${module}.js`,
  import: names,
  ignore: ["viem", "ethers"],
  gzip: true,
});
const onNode = (name) => ({
  name: `@app-registry/${name}`,
  path: `../${name}/dist/index.js`,
  import: "*",
  ignore: ["viem"],
  gzip: true,
  modifyEsbuildConfig: (config) => ({ ...config, platform: "node" }),
});

export default [
  { name: "@app-registry/sdk", ...sdk("index"), limit: "79.3 kB" },
  { name: "@app-registry/sdk: parseDid alone", ...sdk("index", "{ parseDid }"), limit: "2.4 kB" },
  { name: "@app-registry/sdk: searchApps alone", ...sdk("index", "{ searchApps }"), limit: "19.2 kB" },
  {
    name: "@app-registry/sdk: verifyApp with a client",
    ...sdk("index", "{ createAppRegistryClient, verifyApp }"),
    limit: "45.4 kB",
  },
  {
    name: "@app-registry/sdk: publishApp with a client",
    ...sdk("index", "{ createAppRegistryClient, publishApp }"),
    limit: "48.8 kB",
  },
  { name: "@app-registry/sdk/abi", ...sdk("abi/index"), limit: "3.45 kB" },
  { name: "@app-registry/sdk/ethers", ...sdk("ethers/index"), limit: "34 kB" },
  { ...onNode("outbound"), limit: "472 kB" },
  { ...onNode("issuer"), limit: "157 kB" },
];
