/** A member of a Solidity interface, as its source declares it. */
export interface InterfaceMember {
  kind: "function" | "event" | "error" | "struct" | "enum";
  name: string;
  /** `name(type argument, …)`, with the results of a function; the fields of a struct with their comments. */
  declaration: string;
  /** NatSpec notice. */
  notice: string;
}

const members =
  /((?:^ *\/\/\/.*\n)+)(?: *\/\/ .*\n)* *(function|event|error|struct|enum) (\w+)\s*(?:\(([^)]*)\)([^;{]*);|\{\n([^}]*)\})/gm;

/** Returns the functions, events, errors, structs and enums of a Solidity interface, in their order. */
export function readInterfaceMembers(source: string): InterfaceMember[] {
  return [...source.matchAll(members)].map(
    ([, comment = "", kind, name = "", parameters = "", suffix = "", fields = ""]) => ({
      kind: kind as InterfaceMember["kind"],
      name,
      declaration: fields
        ? fields.replace(/^ {8}/gm, "").replaceAll("/// @dev ", "// ").replaceAll("///", "//").trimEnd()
        : `${name}(${toOneLine(parameters)})${formatResults(suffix)}`,
      notice: readNotice(comment),
    }),
  );
}

const toOneLine = (text: string) =>
  text
    .replace(/\b(calldata|memory) /g, "")
    .replace(/\s+/g, " ")
    .trim();

function formatResults(suffix: string): string {
  const results = /returns \(([^)]*)\)/.exec(suffix.replace(/ (memory|calldata)\b/g, ""))?.[1];
  return results ? ` → ${toOneLine(results)}` : "";
}

/** Returns the text of `@notice`, up to the next tag. */
function readNotice(comment: string): string {
  const text = comment.replace(/^ *\/\/\/ ?/gm, "").replace(/\s+/g, " ");
  const notice = /@notice (.*?)(?= @|$)/.exec(text)?.[1]?.trim();
  if (!notice) throw new Error(`A member of an interface has no notice: ${text}`);
  return notice;
}
