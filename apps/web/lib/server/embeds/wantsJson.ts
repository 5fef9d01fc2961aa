/** Returns the weight of a media type in an `Accept` header (RFC 9110, 12.5.1), or 0 if it is not accepted. */
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

/** Returns true if a request prefers JSON to HTML. Browsers and clients that accept anything get the page. */
export function wantsJson(accept: string | null): boolean {
  if (accept === null) return false;
  return getWeight(accept, "application/json") > getWeight(accept, "text/html");
}
