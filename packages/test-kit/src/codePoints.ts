/**
 * Texts of 4,096 code points, with lone surrogates: all of planes 0 and 1, and the start of each other plane, which
 * consists of ideographs, unassigned or private code points after it. Every code point with `pnpm test:long`.
 */
export const codePointTexts = Array.from({ length: 0x110000 / 0x1000 }, (_, block) => block)
  .filter((block) => process.env.TEST_LONG || block < 0x20 || block % 0x10 === 0)
  .map((block) =>
    String.fromCodePoint(...Array.from({ length: 0x1000 }, (_, index) => block * 0x1000 + index)),
  );
