import type { Discovery } from "./finding.ts";

/** Formats the length of a list with a noun: `1 tool`, `2 tools`. */
export const formatCount = (list: readonly unknown[], one: string): string =>
  `${list.length} ${one}${list.length === 1 ? "" : "s"}`;

/** Joins the first items of a list, and says how many more there are. */
export const formatFirst = (items: readonly string[], most = 3): string =>
  items.slice(0, most).join(", ") + (items.length > most ? ` and ${items.length - most} more` : "");

/** Description of the attempt at the entered address itself. */
export const ADDRESS_LOOK = "a document or a page";

/** Description of an attempt to read an MCP server. */
export const MCP_SERVER = "an MCP server";

/** Returns why the entered address itself doesn't describe a service, or `undefined` if no reason is known. */
export function getOwnReason({ input, looked }: Pick<Discovery, "input" | "looked">): string | undefined {
  const own = looked.filter(({ place }) => place === input);
  const document = own.find(({ lookedFor }) => lookedFor === ADDRESS_LOOK) ?? own[0];
  // A server that refuses GET may still say why it refuses the request of an MCP client.
  const isPostOnly = document?.status === 405 || document?.status === 406;
  const server = own.find(({ lookedFor, outcome }) => lookedFor === MCP_SERVER && outcome === "failed");
  const { status, reason } = (isPostOnly ? server : undefined) ?? document ?? {};
  if (status === 421) return `${input} answers 421: the server refuses this host name.`;
  return status === undefined ? reason : `${input} answers ${status}.`;
}
