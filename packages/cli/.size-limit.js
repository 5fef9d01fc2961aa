/**
 * Returns the size check of an entry point, whose limits are for minified and gzipped code with all dependencies except
 * peers. Run it by `pnpm --filter @app-registry/cli size` after a build.
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
  { name: "@app-registry/sdk", ...sdk("index"), limit: "92.5 kB" },
  { name: "@app-registry/sdk: parseDid alone", ...sdk("index", "{ parseDid }"), limit: "2.4 kB" },
  { name: "@app-registry/sdk: searchApps alone", ...sdk("index", "{ searchApps }"), limit: "19.5 kB" },
  {
    name: "@app-registry/sdk: verifyApp with a client",
    ...sdk("index", "{ createAppRegistryClient, verifyApp }"),
    limit: "46.5 kB",
  },
  {
    name: "@app-registry/sdk: publishApp with a client",
    ...sdk("index", "{ createAppRegistryClient, publishApp }"),
    limit: "50 kB",
  },
  { name: "@app-registry/sdk/abi", ...sdk("abi/index"), limit: "3.45 kB" },
  { name: "@app-registry/sdk/ethers", ...sdk("ethers/index"), limit: "34 kB" },
  { ...onNode("outbound"), limit: "472.5 kB" },
  { ...onNode("issuer"), limit: "158.3 kB" },
];
