import { getAddress, isAddress, zeroAddress } from "viem";
import { z } from "zod";

/** Schema of an account address. Capitals are a checksum (ERC-55). */
export const accountSchema = z
  .string()
  .trim()
  .refine((text) => isAddress(text, { strict: false }), {
    error: ({ input }) => `"${input}" is not an address (0x and 40 hexadecimal digits)`,
    abort: true,
  })
  .refine((text) => isAddress(text), {
    error: ({ input }) =>
      `${input} does not match the checksum in its capitals, so check it for a typing error`,
    abort: true,
  })
  .refine((text) => text !== zeroAddress, "the zero address is not an account")
  .transform((text) => getAddress(text));

const secondsSchema = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `"${input}" is not a whole number of seconds from ${min} to ${max}`,
    })
    .transform(BigInt)
    .optional();

/** Schema of a deployment's environment variables. docs/deployment.md lists the defaults. */
const settingsSchema = z.object({
  // A resolver has 16 seats and assigns the last one only while no issuer is active.
  ISSUER_ADDRESS: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(accountSchema).max(15, "a resolver takes at most 15 issuers"))
    .default([]),
  MATURATION: secondsSchema(3_600, 604_800),
  CHALLENGE_PERIOD: secondsSchema(604_800, 5_184_000),
  MAX_TTL: secondsSchema(2_592_000, 63_072_000),
  OWNER_ADDRESS: accountSchema.optional(),
  DEPLOYMENT_FILE: z.string().optional(),
});

export type DeploySettings = z.output<typeof settingsSchema>;

/**
 * Reads the settings of a deployment. An empty variable counts as absent.
 * @throws {z.ZodError} Lists all invalid settings.
 */
export async function readSettings(env: NodeJS.Dict<string>): Promise<DeploySettings> {
  return settingsSchema.parse(Object.fromEntries(Object.entries(env).filter(([, text]) => text)));
}
