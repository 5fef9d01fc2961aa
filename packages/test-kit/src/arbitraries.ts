import fc from "fast-check";

/**
 * Texts that are nearly right: one of `text` with up to three slips in it, each a character left out or doubled, or
 * one of `pieces` pasted in or over a character. Random text alone rarely gets past a parser's first check.
 */
export function nearly(text: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> {
  const slip = fc.record({
    kind: fc.constantFrom("leave out", "double", "paste in", "paste over"),
    at: fc.nat(),
    piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", minLength: 1, maxLength: 2 })),
  });
  return fc.tuple(text, fc.array(slip, { maxLength: 3 })).map(([start, slips]) =>
    slips.reduce((current, { kind, at, piece }) => {
      const place = at % (current.length + 1);
      const [before, after] = [current.slice(0, place), current.slice(place)];
      switch (kind) {
        case "leave out":
          return before + after.slice(1);
        case "double":
          return before + after.slice(0, 1) + after;
        case "paste in":
          return before + piece + after;
        default:
          return before + piece + after.slice(1);
      }
    }, start),
  );
}

/**
 * JSON values that are nearly right: `value` with up to three of its members, at any depth, replaced by another value
 * or left out.
 */
export function nearlyJson(value: unknown, replacement: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const edit = fc.record({ at: fc.nat(), remove: fc.boolean(), replacement });
  return fc.array(edit, { maxLength: 3 }).map((edits) => {
    const copy = { root: structuredClone(value) };
    for (const { at, remove, replacement } of edits) {
      const places = listMembers(copy);
      const place = places[at % places.length];
      if (!place) continue;
      if (remove) Reflect.deleteProperty(place.holder, place.key);
      // A later slip may change the replacement, which is the generator's own.
      else Reflect.set(place.holder, place.key, structuredClone(replacement));
    }
    return copy.root;
  });
}

type Member = { holder: object; key: string };

function listMembers(holder: object): Member[] {
  return Object.entries(holder).flatMap(([key, member]) => [
    { holder, key },
    ...(typeof member === "object" && member !== null ? listMembers(member) : []),
  ]);
}

/** What `parse` returns, or undefined when it throws an error of the class that it says it throws. */
export function unlessRefused<T>(
  parse: () => T,
  ...own: (abstract new (
    ...args: never[]
  ) => Error)[]
): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (own.some((type) => error instanceof type)) return undefined;
    throw error;
  }
}
