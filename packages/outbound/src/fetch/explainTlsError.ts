const selfSigned = "is self-signed or from a private authority. Get one from a public certificate authority";
const incomplete =
  "doesn't lead to a trusted certificate authority. Serve the full chain, including intermediate certificates";

/** Descriptions of certificate problems, by the error codes of OpenSSL and Node.js. */
const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: incomplete,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incomplete,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incomplete,
  CERT_HAS_EXPIRED: "has expired. Renew it",
  CERT_NOT_YET_VALID: "is not valid yet. Check its dates and the server's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: "was issued for a different host name. Get one for this name",
  CERT_REVOKED: "has been revoked. Replace it",
};

/** Explains a TLS failure to the operator of the host. Returns `undefined` if the error has another cause. */
export function explainTlsError(code: string, host: string): string | undefined {
  const problem = certificateProblems[code];
  if (problem !== undefined) return `The HTTPS certificate of ${host} ${problem} (${code}).`;
  if (/^EPROTO$|^ERR_SSL_/.test(code)) {
    return `${host} doesn't support HTTPS on that port, or only an outdated TLS version (${code}).`;
  }
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return `The HTTPS certificate of ${host} was rejected (${code}).`;
  return undefined;
}
