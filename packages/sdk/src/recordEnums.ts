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

/** Names of the statuses. */
export const appStatusLabels = { 0: "Active", 1: "Deprecated", 2: "Replaced" } as const;

/** Status of a record: 0 Active, 1 Deprecated, 2 Replaced. */
export type AppStatus = keyof typeof appStatusLabels;

/** Status in lower case, as in queries and URLs. */
export type AppStatusName = Lowercase<(typeof appStatusLabels)[AppStatus]>;

/** Status names in lower case, in the order of their values. */
export const appStatusNames = Object.values(appStatusLabels).map(
  (name) => name.toLowerCase() as AppStatusName,
);

/**
 * Reads the name of a status, in any case. Returns `undefined` for any other text.
 *
 * @example
 * parseStatus("Deprecated"); // 1
 */
export function parseStatus(text: string): AppStatus | undefined {
  const status = appStatusNames.indexOf(text.toLowerCase() as AppStatusName);
  return status < 0 ? undefined : (status as AppStatus);
}
