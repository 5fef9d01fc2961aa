const repositories = /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/([^/]+\/[^/]+)/i;
const packages = /^(?:www\.)?(?:npmjs\.com\/package|pypi\.org\/project)\/[^/]/i;

/**
 * Explains that a page of a source repository or of a package is not a service, and which address to enter instead.
 * Returns `undefined` for any other URL, and for the raw files of a repository.
 */
export function describeRepository({ href, hostname, pathname }: URL): string | undefined {
  const [, name] = repositories.exec(hostname + pathname) ?? [];
  const isRepository = name !== undefined && !/^\/[^/]+\/[^/]+\/(?:-\/)?raw\//.test(pathname);
  if (!isRepository && !packages.test(hostname + pathname)) return undefined;
  const raw = `https://raw.githubusercontent.com/${name?.replace(/\.git$/, "")}/HEAD/server.json`;
  return `${href} is a ${isRepository ? "source repository" : "package"}, not a running service. Enter the address \
at which the service runs. If the source has a server.json with remotes, you can enter the raw address of that file\
${/github/.test(hostname) ? `, for example ${raw}` : ""}.`;
}
