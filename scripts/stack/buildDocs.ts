import { rootDirectory, run } from "./processes.ts";

/**
 * Builds the pages of docs/ that the web app serves at `/docs`.
 * @throws Error with the end of the build's output, such as a link to a page that doesn't exist
 */
export const buildDocs = () =>
  run("node_modules/.bin/vitepress", ["build", "docs"], { directory: rootDirectory });
