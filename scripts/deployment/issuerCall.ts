import { didHash, normalizeDid } from "@app-registry/sdk";
import { type Hex, isHash } from "viem";
import type { ResolverCall } from "./resolverCall.ts";
import { ScriptError } from "./runScript.ts";
import { parseAccount } from "./settings.ts";

/** Options of `scripts/issuers.ts` that say what its action is about, as a person wrote them. */
export interface IssuerOptions {
  since?: string | undefined;
  did?: string | undefined;
  controller?: string | undefined;
  "data-hash"?: string | undefined;
}

/** The options that each action takes; it takes no others. */
const options = {
  add: [],
  retire: [],
  distrust: ["since"],
  end: ["did", "controller", "data-hash"],
} as const satisfies Record<string, readonly (keyof IssuerOptions)[]>;

export type IssuerAction = keyof typeof options;

export const isIssuerAction = (text: string): text is IssuerAction => Object.hasOwn(options, text);

/**
 * Reads which call of the resolver's owner an action asks for.
 * @throws {ScriptError} When an account, a DID, a hash or a time is missing or wrong, or an option is of another action.
 */
export function readIssuerCall(
  action: IssuerAction,
  account: string,
  given: IssuerOptions,
): Pick<ResolverCall, "name" | "args"> {
  const issuer = parseAccount(account);
  const taken: readonly string[] = options[action];
  const other = Object.keys(given).find((name) => !taken.includes(name));
  if (other) throw new ScriptError(`--${other} is no option of ${action}.`);
  if (action === "add") return { name: "addIssuer", args: [issuer] };
  if (action === "retire") return { name: "retireIssuer", args: [issuer] };
  if (action === "distrust") return { name: "distrustIssuer", args: [issuer, parseSince(given.since)] };

  const { did, controller, "data-hash": dataHash } = given;
  if (did === undefined || (controller === undefined) === (dataHash === undefined)) {
    throw new ScriptError(
      "Say which statement: --did <did> and either --controller <address> or --data-hash <hash>.",
    );
  }
  const hash = didHash(normalizeDid(did));
  if (controller !== undefined) {
    return { name: "endDIDAttestation", args: [hash, parseAccount(controller), issuer] };
  }
  return { name: "endDataHashAttestation", args: [hash, parseHash(dataHash ?? ""), issuer] };
}

function parseHash(text: string): Hex {
  if (!isHash(text)) throw new ScriptError(`"${text}" is not a hash (0x and 64 hexadecimal digits)`);
  return text;
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** The second in which a time lies. Times without an offset are refused: they are another hour on every machine. */
export function parseSince(text: string | undefined): bigint {
  if (text === undefined) throw new ScriptError("Say since when: --since <time>.");
  if (/^\d{1,12}$/.test(text)) return BigInt(text);
  const [, day] = ISO_TIME.exec(text) ?? [];
  const time = day && isDay(day) ? Date.parse(text) : Number.NaN;
  if (!(time >= 0)) {
    throw new ScriptError(`"${text}" is neither a time like 2026-01-31T12:00:00Z nor whole Unix seconds`);
  }
  return BigInt(Math.floor(time / 1_000));
}

/** JavaScript takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
