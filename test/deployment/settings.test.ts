import { expect } from "chai";
import { oneSentence } from "../../scripts/deployment/openNetwork.ts";
import { readSettings } from "../../scripts/deployment/settings.ts";

const ISSUER = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
const OTHER = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";

const findProblems = (env: Record<string, string>) => readSettings(env).then(() => "no problem", oneSentence);

describe("readSettings", () => {
  it("accepts spaces and lower-case addresses", async () => {
    const settings = await readSettings({
      ISSUER_ADDRESS: ` ${ISSUER.toLowerCase()}, ${OTHER} `,
      MATURATION: "604800",
      MAX_TTL: "63072000",
      OWNER_ADDRESS: ISSUER,
      DEPLOYMENT_FILE: "there.json",
    });
    expect(settings).to.deep.equal({
      ISSUER_ADDRESS: [ISSUER, OTHER],
      MATURATION: 604_800n,
      MAX_TTL: 63_072_000n,
      OWNER_ADDRESS: ISSUER,
      DEPLOYMENT_FILE: "there.json",
    });
  });

  it("treats empty variables as absent", async () => {
    expect(await readSettings({ ISSUER_ADDRESS: "", MATURATION: "" })).to.deep.equal({ ISSUER_ADDRESS: [] });
  });

  const accounts: [wrong: string, problem: string][] = [
    ["vitalik.eth", '"vitalik.eth" is not an address'],
    [ISSUER.slice(0, -1), "is not an address (0x and 40 hexadecimal digits)"],
    [ISSUER.slice(2), "is not an address (0x and 40 hexadecimal digits)"],
    [`${ISSUER.slice(0, -1)}8`, "does not match the checksum"],
    [`0x${"0".repeat(40)}`, "the zero address is not an account"],
  ];
  for (const [wrong, problem] of accounts) {
    // @threat contracts: Lose the ownership, or act as the owner
    it(`names the variable whose account is ${wrong}`, async () => {
      const problems = await findProblems({ ISSUER_ADDRESS: wrong, OWNER_ADDRESS: wrong });
      const [issuer = "", owner = "", ...more] = problems.split("; ");
      expect(issuer)
        .to.match(/^ISSUER_ADDRESS: /)
        .and.contain(problem);
      expect(owner)
        .to.match(/^OWNER_ADDRESS: /)
        .and.contain(problem);
      expect(more).to.deep.equal([]);
    });
  }

  const NO_ADDRESS = "is not an address (0x and 40 hexadecimal digits)";
  const lists: [list: string, ...problems: string[]][] = [
    [`${ISSUER},`, `"" ${NO_ADDRESS}`],
    [" ", `"" ${NO_ADDRESS}`],
    [`0x01,,${OTHER}`, `"0x01" ${NO_ADDRESS}`, `"" ${NO_ADDRESS}`],
    [
      Array.from({ length: 16 }, (_, index) => `0x${"1".repeat(38)}${10 + index}`).join(","),
      "a resolver takes at most 15 issuers",
    ],
  ];
  for (const [list, ...problems] of lists) {
    it(`reports the problems of the issuers "${list.slice(0, 60)}"`, async () => {
      expect(await findProblems({ ISSUER_ADDRESS: list })).to.equal(
        problems.map((problem) => `ISSUER_ADDRESS: ${problem}`).join("; "),
      );
    });
  }

  for (const wrong of [
    "48h",
    "-3600",
    "7200.5",
    "1e4",
    "0x1c20",
    "3599",
    "604801",
    "0",
    " ",
    "9".repeat(40),
  ]) {
    it(`refuses the maturation "${wrong}"`, async () => {
      expect(await findProblems({ MATURATION: wrong })).to.match(
        /^MATURATION: ".+" is not a whole number of seconds from 3600 to 604800$/,
      );
    });
  }
});
