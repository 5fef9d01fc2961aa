import fc from "fast-check";

/**
 * Generates any code point but surrogates, for `fc.string({ unit: codePoint })`. The first text of fast-check's own unit
 * `binary` takes a process 2.6 s.
 */
export const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/**
 * Generates texts that are nearly valid: one of `text` with up to three slips, each a missing or doubled character, or
 * one of `pieces` inserted or written over a character. Random text alone rarely passes the first check of a parser.
 */
export function nearly(text: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> {
  const slip = fc.record({
    kind: fc.constantFrom("leave out", "double", "paste in", "paste over"),
    at: fc.nat(),
    piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: codePoint, minLength: 1, maxLength: 2 })),
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
 * Generates JSON values that are nearly valid: `value` with up to three of its members, at any depth, removed or
 * replaced.
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
      // Copy the replacement, because a later edit may change it and the generator reuses it.
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

/** Returns the result of `parse`, or `undefined` if it throws one of the given error classes. Rethrows other errors. */
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
