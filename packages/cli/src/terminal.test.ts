import { describe, expect, it } from "vitest";
import { columns, formatOutcome, type Line, paint, table } from "./terminal.ts";

const terminal = { isTTY: true, hasColors: () => true };
const shown = (lines: readonly Line[], stream = {}) => formatOutcome({ json: {}, lines }, false, stream);

describe("formatOutcome, for people", () => {
  it("prevents a name from imitating a row or a column", () => {
    const rows = [["did:web:quiet.example", "A quiet name\ndid:web:bank.example  1.0.0  Api  Real Bank"]];
    expect(shown(columns(rows))).toBe(
      "did:web:quiet.example  A quiet name did:web:bank.example 1.0.0 Api Real Bank\n",
    );
  });

  it("aligns cells by their width in a terminal", () => {
    const rows = [
      ["東京", "a"],
      ["e\u0301te\u0301", "b"],
      ["👩‍🚀", "c"],
      ["plain", "d"],
    ];
    expect(shown(columns(rows))).toBe("東京   a\ne\u0301te\u0301    b\n👩‍🚀     c\nplain  d\n");
  });

  it("styles only the command's styled parts, and only in a terminal with colors", () => {
    const lines: Line[] = [[paint("green", "pass"), "  \u001b[31mFAIL\u001b[39m"]];
    expect(shown(lines, terminal)).toBe("\u001b[32mpass\u001b[39m  \uFFFD[31mFAIL\uFFFD[39m\n");
    expect(shown(lines, { isTTY: true, hasColors: () => false })).toBe("pass  \uFFFD[31mFAIL\uFFFD[39m\n");
    expect(shown(lines)).toBe("pass  \uFFFD[31mFAIL\uFFFD[39m\n");
  });

  it("keeps the indentation of a line", () => {
    expect(shown(["  endpoint", ...table([["  name", 1n]])])).toBe("  endpoint\nname  1\n");
  });

  it("writes the exact bytes of a document to a pipe, and equivalent JSON in visible characters to a terminal", () => {
    const document = '{"name":"\u202e\u009b2J"}';
    const write = (stream: object) => formatOutcome({ json: {}, lines: [], document }, false, stream);
    expect(write({})).toBe(`${document}\n`);
    expect(write(terminal)).toBe('{"name":"\\u202e\\u009b2J"}\n');
    expect(JSON.parse(write(terminal))).toEqual(JSON.parse(document));
  });
});
