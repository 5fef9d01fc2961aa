import { getAddress } from "viem";
import { z } from "zod";

/** An address as the index writes it, which parsing checksums. */
export const indexedAddress = z.string().transform((value) => getAddress(value));

/** A page of rows in an answer of the index's GraphQL. */
export const itemsOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ items: z.array(z.object(shape)) }).transform(({ items }) => items);
