/** A member of a Solidity interface, as its source declares it. */
export interface InterfaceMember {
  kind: "function" | "event" | "error";
  name: string;
  /** True for a function that changes nothing. */
  isView: boolean;
  /** NatSpec notice. */
  notice: string;
}

const members = /((?:^ *\/\/\/.*\n)+)(?: *\/\/ .*\n)* *(function|event|error) (\w+)([^;]*);/gm;

/** Returns the functions, events and errors of a Solidity interface, in their order. */
export function readInterfaceMembers(source: string): InterfaceMember[] {
  return [...source.matchAll(members)].map(([, comment = "", kind, name = "", rest = ""]) => ({
    kind: kind as InterfaceMember["kind"],
    name,
    isView: /\b(view|pure)\b/.test(rest),
    notice: readNotice(comment),
  }));
}

/** Returns the text of `@notice`, up to the next tag. */
function readNotice(comment: string): string {
  const text = comment.replace(/^ *\/\/\/ ?/gm, "").replace(/\s+/g, " ");
  const notice = /@notice (.*?)(?= @|$)/.exec(text)?.[1]?.trim();
  if (!notice) throw new Error(`A member of an interface has no notice: ${text}`);
  return notice;
}
