import { operatorText, readOperatorFile } from "@app-registry/server/hiddenServices";
import { type Address, getAddress, isAddress } from "viem";
import { z } from "zod";

const issuerNameSchema = z.strictObject({
  name: operatorText(80),
  url: z.url({ protocol: /^https$/, error: "must be an https URL" }).optional(),
  note: operatorText(500).optional(),
});

/** Operator's description of an issuer. */
type IssuerName = z.output<typeof issuerNameSchema>;

/** Issuer names by checksummed address. */
export type IssuerNames = ReadonlyMap<Address, IssuerName>;

const issuersFileSchema = z.record(z.string(), issuerNameSchema).transform((named, context) => {
  const names = new Map<Address, IssuerName>();
  for (const [key, name] of Object.entries(named)) {
    const address = parseAddress(key);
    const problem =
      address === undefined
        ? "is not an address with a valid checksum"
        : names.has(address)
          ? "is listed twice"
          : undefined;
    if (problem === undefined && address !== undefined) names.set(address, name);
    else context.addIssue({ code: "custom", path: [key], message: problem ?? "" });
  }
  return names;
});

/** Parses an address. Accepts lower case, but rejects a wrong EIP-55 checksum as a typing error. */
const parseAddress = (text: string): Address | undefined => (isAddress(text) ? getAddress(text) : undefined);

/**
 * Reads the issuers' names from ISSUERS_FILE: `{"0x…": {"name", "url", "note"}}`.
 *
 * @throws InvalidEnvironmentError
 */
export const readIssuerNames = (file: string | undefined): IssuerNames =>
  file === undefined ? new Map() : readOperatorFile("ISSUERS_FILE", file, issuersFileSchema);
