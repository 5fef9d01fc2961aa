/** Custom error of an interface. */
export interface InterfaceError {
  name: string;
  /** `Name(type argument, …)`. */
  declaration: string;
  /** Its NatSpec notice. */
  notice: string;
}

const declarations = /((?:^ *\/\/\/.*\n)+) *error (\w+)\(([^)]*)\);/gm;

/** Returns the custom errors of a Solidity interface, in their order. */
export function readInterfaceErrors(source: string): InterfaceError[] {
  return [...source.matchAll(declarations)].map(([, comment = "", name = "", parameters = ""]) => ({
    name,
    declaration: `${name}(${parameters.replace(/\s+/g, " ").trim()})`,
    notice: readNotice(comment),
  }));
}

/** Returns the text of `@notice`, up to the next tag. */
function readNotice(comment: string): string {
  const text = comment.replace(/^ *\/\/\/ ?/gm, "").replace(/\s+/g, " ");
  return /@notice (.*?)(?= @|$)/.exec(text)?.[1]?.trim() ?? "";
}
