import { expect } from "chai";
import { readSettings } from "../../scripts/deployment/settings.ts";

const ISSUER = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
const OTHER = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";

function problemsOf(env: Record<string, string>): string[] {
  const problems: string[] = [];
  readSettings(env, problems);
  return problems;
}

describe("The settings of a deployment", () => {
  it("are read as a person writes them", () => {
    const problems: string[] = [];
    const settings = readSettings(
      {
        ISSUER_ADDRESS: ` ${ISSUER.toLowerCase()}, ${OTHER} `,
        MATURATION: "2592000",
        OWNER_ADDRESS: ISSUER,
        DEPLOYMENT_FILE: "there.json",
      },
      problems,
    );
    expect(problems).to.deep.equal([]);
    expect(settings).to.deep.equal({
      issuers: [ISSUER, OTHER],
      maturation: 2_592_000n,
      owner: ISSUER,
      file: "there.json",
    });
  });

  it("are absent when they are empty", () => {
    const problems: string[] = [];
    const settings = readSettings({ ISSUER_ADDRESS: "", MATURATION: "" }, problems);
    expect(problems).to.deep.equal([]);
    expect(settings).to.deep.equal({
      issuers: [],
      maturation: undefined,
      owner: undefined,
      file: undefined,
    });
  });

  const accounts: [wrong: string, problem: string][] = [
    ["vitalik.eth", '"vitalik.eth" is not an address'],
    [ISSUER.slice(0, -1), "is not an address (0x and 40 hexadecimal digits)"],
    [ISSUER.slice(2), "is not an address (0x and 40 hexadecimal digits)"],
    [`${ISSUER.slice(0, -1)}8`, "does not match the checksum"],
    [`0x${"0".repeat(40)}`, "the zero address is no account"],
  ];
  for (const [wrong, problem] of accounts) {
    it(`name the variable whose account is ${wrong}`, () => {
      const [issuer = "", owner = "", ...more] = problemsOf({ ISSUER_ADDRESS: wrong, OWNER_ADDRESS: wrong });
      expect(issuer)
        .to.match(/^ISSUER_ADDRESS: /)
        .and.contain(problem);
      expect(owner)
        .to.match(/^OWNER_ADDRESS: /)
        .and.contain(problem);
      expect(more).to.deep.equal([]);
    });
  }

  const lists: [list: string, problem: string][] = [
    [`${ISSUER},`, "there is an empty entry"],
    [` , ${ISSUER}`, "there is an empty entry"],
    [" ", "there is an empty entry"],
    [`${ISSUER},${ISSUER.toLowerCase()}`, `${ISSUER} is named twice`],
    [`0x01,,${OTHER}`, '"0x01" is not an address (0x and 40 hexadecimal digits), there is an empty entry'],
    [
      Array.from({ length: 16 }, (_, index) => `0x${"1".repeat(38)}${10 + index}`).join(","),
      "a resolver takes at most 15 issuers, not 16",
    ],
  ];
  for (const [list, problem] of lists) {
    it(`say what is wrong with the issuers "${list.slice(0, 60)}"`, () => {
      expect(problemsOf({ ISSUER_ADDRESS: list })).to.deep.equal([`ISSUER_ADDRESS: ${problem}`]);
    });
  }

  for (const wrong of [
    "48h",
    "-3600",
    "7200.5",
    "1e4",
    "0x1c20",
    "3599",
    "2592001",
    "0",
    " ",
    "9".repeat(40),
  ]) {
    it(`refuse the maturation "${wrong}"`, () => {
      expect(problemsOf({ MATURATION: wrong })).to.deep.equal([
        `MATURATION: "${wrong}" is not a whole number of seconds from 3600 to 2592000`,
      ]);
    });
  }
});
