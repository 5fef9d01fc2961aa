/** One line about how callers authenticate; `url` is set where the text is an address. */
export type AuthenticationLine = { term: string; text: string; url?: string };

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function texts(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value : [value];
  const strings = list.filter((item) => typeof item === "string" || typeof item === "number").map(String);
  return strings.length > 0 ? strings.join(", ") : undefined;
}

function line(term: string, value: unknown): AuthenticationLine[] {
  const text = texts(value);
  return text === undefined ? [] : [{ term, text }];
}

function link(term: string, value: unknown): AuthenticationLine[] {
  return typeof value === "string" ? [{ term, text: value, url: value }] : [];
}

/** What an endpoint declares about authentication (oauth2, blockchain, or an agent's methods), in lines to read. */
export function authenticationLines(authentication: unknown): AuthenticationLine[] {
  const declared = record(authentication);
  if (declared === undefined) return [];
  const oauth2 = record(declared.oauth2);
  const blockchain = record(declared.blockchain);
  return [
    ...(oauth2 === undefined
      ? []
      : [
          { term: "Access", text: "OAuth 2" },
          ...link("Authorize at", oauth2.authorizationUrl),
          ...link("Token from", oauth2.tokenUrl),
          ...line("Scopes", oauth2.scopes),
        ]),
    ...(blockchain === undefined
      ? []
      : [
          { term: "Access", text: "An account on a chain" },
          ...line("Chain", blockchain.chainId),
          ...line("Contract", blockchain.contractAddress),
          ...line("Required NFT", blockchain.requiredNFT),
        ]),
    ...line("Methods", declared.methods),
    ...link("Keys", declared.jwksUrl),
    ...line("Issued by", declared.issuer),
  ];
}
