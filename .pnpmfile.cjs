/** Removes what only the repository needs from the manifests of packed packages. */
module.exports = { hooks: { beforePacking: ({ devDependencies, scripts, ...manifest }) => manifest } };
