import { findAddressProblem } from "@app-registry/sdk/internal";

/**
 * Explains that a page of a source repository or of a package is not a service, and which address to enter instead.
 * Returns `undefined` for any other URL, and for the raw files of a repository.
 */
export function describeRepository({ href, hostname, pathname }: URL): string | undefined {
  if (findAddressProblem(href)?.code !== "not-a-service") return undefined;
  const [, name = ""] = /^\/([^/]+\/[^/]+?)(?:\.git)?(?:\/|$)/.exec(pathname) ?? [];
  const raw = `, for example https://raw.githubusercontent.com/${name}/HEAD/server.json`;
  return `${href} is the page of a package or a source repository, not a running service. Enter the address at which \
the service runs. If the source has a server.json with remotes, you can enter the raw address of that file\
${/github/.test(hostname) ? raw : ""}.`;
}
