/** The operator's address for reports of a service: `{did}` in it becomes the DID; a mail gets it as its subject. */
export function reportHref(reportUrl: string, did: string): string {
  const encoded = encodeURIComponent(did);
  // A URL that is parsed and written again has its braces encoded.
  if (/\{did\}|%7Bdid%7D/i.test(reportUrl)) return reportUrl.replaceAll(/\{did\}|%7Bdid%7D/gi, () => encoded);
  if (!reportUrl.startsWith("mailto:")) return reportUrl;
  return `${reportUrl}${reportUrl.includes("?") ? "&" : "?"}subject=${encodeURIComponent(`Report of ${did}`)}`;
}
