/** Replaces optional wallet packages that are not installed, so that the bundler can resolve their imports. */
export default {};
