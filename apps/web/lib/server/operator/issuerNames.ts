import { operatorText, readOperatorFile } from "@app-registry/server/operatorFile";
import { type Address, getAddress, isAddress } from "viem";
import { z } from "zod";

const issuerNameSchema = z.strictObject({
  name: operatorText(80),
  url: z.url({ protocol: /^https$/, error: "must be an https URL" }).optional(),
  note: operatorText(500).optional(),
});

/** What the operator says of an issuer. */
type IssuerName = z.output<typeof issuerNameSchema>;

/** By checksummed address. */
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

/** Lower case is taken; a wrong EIP-55 checksum is a typing error. */
const parseAddress = (text: string): Address | undefined => (isAddress(text) ? getAddress(text) : undefined);

/**
 * The issuers' names out of ISSUERS_FILE: `{"0x…": {"name", "url", "note"}}`.
 *
 * @throws InvalidEnvironmentError
 */
export const readIssuerNames = (file: string | undefined): IssuerNames =>
  file === undefined ? new Map() : readOperatorFile("ISSUERS_FILE", file, issuersFileSchema);
