/** Bits of a record's interface bitmap. */
export const Interfaces = { Human: 1, Api: 2, Contract: 4 } as const;

export type InterfaceName = keyof typeof Interfaces;

/**
 * Returns true if a number is an interface bitmap: an integer from 1 to 7.
 *
 * @example
 * isInterfaceBitmap(8); // false
 */
export function isInterfaceBitmap(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 7;
}

/**
 * Returns the names of the bits that are set, in the order Human, Api, Contract.
 *
 * @example
 * interfaceNames(3); // ["Human", "Api"]
 */
export function interfaceNames(bitmap: number): InterfaceName[] {
  return (Object.keys(Interfaces) as InterfaceName[]).filter((name) => (bitmap & Interfaces[name]) !== 0);
}
