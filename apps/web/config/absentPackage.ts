/** Replaces optional wallet packages that are not installed, which the bundler must resolve, and `server-only` in tests. */
export default {};
