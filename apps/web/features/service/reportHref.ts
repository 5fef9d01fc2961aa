/**
 * Returns the operator's URL for reports of a service. Replaces `{did}` with the DID; a mail address gets it as its
 * subject.
 */
export function reportHref(reportUrl: string, did: string): string {
  const encoded = encodeURIComponent(did);
  // Parsing and serializing a URL encodes its braces, so match the encoded form as well.
  if (/\{did\}|%7Bdid%7D/i.test(reportUrl)) return reportUrl.replaceAll(/\{did\}|%7Bdid%7D/gi, () => encoded);
  if (!reportUrl.startsWith("mailto:")) return reportUrl;
  return `${reportUrl}${reportUrl.includes("?") ? "&" : "?"}subject=${encodeURIComponent(`Report of ${did}`)}`;
}
