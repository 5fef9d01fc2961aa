/** The weight that an `Accept` header gives a media type (RFC 9110, 12.5.1): 0 when it is not accepted. */
function getWeight(accept: string, type: string): number {
  const [kind] = type.split("/");
  let best = { precision: 0, weight: 0 };
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    const precision = [`*/*`, `${kind}/*`, type].indexOf(name) + 1;
    if (precision <= best.precision) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    best = { precision, weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  }
  return best.weight;
}

/** Whether a request prefers JSON to a page. A browser, and a client that takes anything, gets the page. */
export function wantsJson(accept: string | null): boolean {
  if (accept === null) return false;
  return getWeight(accept, "application/json") > getWeight(accept, "text/html");
}
