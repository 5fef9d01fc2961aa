import { expect } from "chai";
import type { Answer, Evidence } from "../../scripts/soak/evidence.ts";
import { type Finding, judge } from "../../scripts/soak/judge.ts";
import { runSoak } from "../../scripts/soak/soak.ts";
import { buildWeb } from "../../scripts/stack/buildWeb.ts";
import { startFleet } from "../../scripts/stack/fleet.ts";
import { stopServices } from "../../scripts/stack/processes.ts";

/** What could go wrong, planted into what a soak saw. */
const faults: [what: string, kind: Finding["kind"], plant: (evidence: Evidence) => void][] = [
  [
    "the model has another status at the answer's block",
    "wrong answer",
    ({ chains }) => {
      const events = chains.at(-1)?.events ?? [];
      const minted = events.findIndex(({ name }) => name === "AppMinted");
      const { block, args } = events[minted] as (typeof events)[number];
      events.splice(minted + 1, 0, {
        block,
        name: "StatusUpdated",
        args: { tokenId: args.tokenId, newStatus: 7 },
      });
    },
  ],
  [
    "an index answers from a holder of an earlier block",
    "wrong answer",
    ({ answers }) => {
      const claim = answers.find(({ place, records }) => place?.kind === "exact" && records?.[0]?.owner);
      if (claim?.records?.[0]) claim.records[0].owner = `0x${"1".repeat(40)}`;
    },
  ],
  [
    "a list leaves a record out",
    "wrong answer",
    ({ answers }) => {
      answers.find(({ complete, records }) => complete && records?.length)?.records?.pop();
    },
  ],
  [
    "a total counts one too many",
    "wrong answer",
    ({ answers }) => {
      const counted = answers.find(({ total }) => total);
      if (counted?.total) counted.total.count += 1;
    },
  ],
  [
    "a controller counts that does not",
    "wrong answer",
    ({ answers }) => {
      const claim = answers
        .flatMap(({ failure, records = [] }) => (failure ? [] : records))
        .find(({ control }) => control !== undefined);
      if (claim) claim.control = !claim.control;
    },
  ],
  [
    "a document of another hash is served",
    "wrong answer",
    ({ answers }) => {
      const served = answers.find(({ document }) => document?.hash);
      if (served?.document) served.document.hash = `0x${"4".repeat(64)}`;
    },
  ],
  [
    "a name is suggested that nobody has",
    "wrong answer",
    ({ answers }) => {
      answers.find(({ names }) => names)?.names?.push("nobody");
    },
  ],
  [
    "a read fails while nothing is disturbed",
    "failed read",
    ({ answers, disturbances }) => {
      disturbances.length = 0;
      const [read] = answers;
      if (read) read.failure = { code: "chain-unavailable", retryable: true };
    },
  ],
  [
    "a read fails while a web process is dead",
    "failed read",
    ({ answers, disturbances }) => {
      const [read] = answers;
      if (!read) return;
      const { startedAt, endedAt } = read;
      disturbances.splice(0, disturbances.length, { kind: "web", target: "web-1", startedAt, endedAt });
      Object.assign(read, { isPost: false, status: 502, failure: { code: "bad gateway", retryable: true } });
    },
  ],
  [
    "the chain has lost an attestation",
    "lost write",
    ({ chains, issuer }) => {
      const events = chains.at(-1)?.events ?? [];
      const ours = events.findIndex(
        ({ name, args }) =>
          name === "DIDAttested" && args.issuer.toLowerCase() === issuer.issuer.toLowerCase(),
      );
      events.splice(ours, 1);
    },
  ],
  [
    "an attestation was sent twice",
    "duplicate write",
    ({ chains, issuer }) => {
      const events = chains.at(-1)?.events ?? [];
      const ours = events.find(
        ({ name, args }) =>
          name === "DIDAttested" && args.issuer.toLowerCase() === issuer.issuer.toLowerCase(),
      );
      if (ours) events.push(ours);
    },
  ],
  [
    "a transaction of the issuer attested nothing",
    "issuer",
    ({ issuer }) => {
      issuer.usedNonces += 1;
      issuer.pendingNonces += 1;
    },
  ],
  [
    "a transaction stays open",
    "issuer",
    ({ issuer }) => {
      issuer.openTransactions = 1;
    },
  ],
  [
    "a process leaks two megabytes a minute",
    "memory",
    ({ memory }) => {
      const samples = Array.from({ length: 120 }, (_, at) => ({
        at: at * 10_000,
        bytes: 2 ** 20 * (at / 3),
        resident: 2 ** 28,
      }));
      memory.push({ part: "web-3", start: 1, samples });
    },
  ],
  [
    "the parts open more connections than documented",
    "connections",
    ({ connections }) => {
      connections.most = connections.budget + 1;
    },
  ],
];

function itSeesEachFault(evidenceOf: () => Evidence): void {
  it("finds nothing wrong", () => {
    expect(judge(evidenceOf()).findings).to.deep.equal([]);
  });
  for (const [what, kind, plant] of faults) {
    it(`sees that ${what}`, () => {
      const evidence = structuredClone(evidenceOf());
      plant(evidence);
      expect(judge(evidence).findings.map((finding) => finding.kind)).to.include(kind);
    });
  }
}

const [issuer, alice, bob] = ["a", "b", "c"].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
];
const [didHash, firstHash, secondHash] = ["1", "2", "3"].map((digit) => `0x${digit.repeat(64)}`) as [
  string,
  string,
  string,
];
const did = "did:web:example.com";
const attested = { didHash, controller: alice, issuer, startedAt: 1n, settlesAt: 1n };

/** A registry of one record, which is minted, updated and transferred; a reorganisation undid another status. */
function smallEvidence(): Evidence {
  const before = [
    { block: 1, name: "DIDAttested", args: attested },
    {
      ...{ block: 2, name: "AppMinted" },
      args: { tokenId: 1n, did, didHash, minter: alice, major: 1, minor: 0, patch: 0, dataHash: firstHash },
    },
    {
      block: 3,
      name: "AppUpdated",
      args: { tokenId: 1n, major: 1, minor: 0, patch: 1, dataHash: secondHash },
    },
  ];
  const undone = { block: 5, name: "StatusUpdated", args: { tokenId: 1n, newStatus: 2 } };
  const moved = { block: 5, name: "Transfer", args: { tokenId: 1n, to: bob } };
  const record = { tokenId: "1", did, version: "1.0.1", status: 0, owner: alice, dataHash: secondHash };
  const search = { route: "search", path: "/api/search", status: 200 };
  const at = (block: number, startedAt: number) => ({
    ...{ ...search, startedAt, endedAt: startedAt + 5 },
    place: { kind: "exact", block, by: "index" } as const,
  });
  const all = { kind: "all" } as const;
  const lasting = { fork: 9, replacedAt: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  return {
    ...{ seed: 1, startedAt: 0, endedAt: 100_000, names: ["one"], memory: [], starts: {} },
    chains: [
      { events: [...before, undone], head: 6, fork: 4, replacedAt: 49_000, until: 50_000 },
      { events: [...before, moved], head: 9, ...lasting },
    ],
    heads: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((block) => ({ at: block * 10_000, block })),
    answers: [
      { ...at(3, 30_000), records: [{ ...record, control: true, attested: false }], complete: all },
      { ...at(4, 40_000), records: [record], complete: { kind: "did", value: did } },
      // Of the replaced chain, before an answer shows that the index has followed.
      { ...at(5, 50_100), records: [{ ...record, status: 2 }] },
      { ...at(9, 90_000), records: [{ ...record, owner: bob }], total: { filter: all, count: 1 } },
      {
        ...{ ...search, startedAt: 91_000, endedAt: 91_005, place: { kind: "recent" } },
        document: { did, version: "1.0.0", hash: firstHash },
      },
      { ...search, startedAt: 92_000, endedAt: 92_005, place: { kind: "ever" }, names: ["one"] },
    ],
    attempts: [
      {
        ...{ did, controller: alice, status: "attested", requests: 2 },
        attestations: [{ schema: "did-ownership", didHash, subject: alice, issuer }],
      },
    ],
    disturbances: [],
    issuer: { issuer, usedNonces: 1, pendingNonces: 1, openTransactions: 0 },
    connections: { most: 1, budget: 2 },
  };
}

describe("The soak's judge, over a small registry", () => {
  itSeesEachFault(smallEvidence);

  it("sees an index that answers from replaced blocks after it has followed the chain", () => {
    const evidence = smallEvidence();
    const stale = evidence.answers.find(({ records }) => records?.[0]?.status === 2);
    Object.assign(stale as object, { startedAt: 90_100, endedAt: 90_105 });
    expect(judge(evidence).findings.map(({ kind }) => kind)).to.deep.equal(["wrong answer"]);
  });

  it("takes an answer out of the middle of a reorganisation for true of the last block that stays, and no other", () => {
    for (const [fork, kinds] of [
      [1, []],
      [4, ["wrong answer"]],
    ] as const) {
      const evidence = smallEvidence();
      Object.assign(evidence.chains[0] as object, { fork });
      const absent = {
        place: { kind: "recent" },
        absent: evidence.answers[0]?.records?.[0]?.did ?? "",
      } as const;
      evidence.answers.push({
        ...{ route: "app", path: "/api/apps", status: 404, startedAt: 49_500, endedAt: 49_505, ...absent },
      });
      expect(judge(evidence).findings.map(({ kind }) => kind)).to.deep.equal(kinds);
    }
  });

  it("takes an answer for true of the last blocks of a chain that is being replaced, whose head nobody saw", () => {
    const evidence = smallEvidence();
    evidence.heads = [
      { at: 40_000, block: 4 },
      { at: 60_000, block: 4 },
    ];
    const undone = evidence.answers.find(({ records }) => records?.[0]?.status === 2);
    evidence.answers = [
      { ...(undone as Answer), startedAt: 49_500, endedAt: 49_505, place: { kind: "recent" } },
    ];
    expect(judge(evidence).findings).to.deep.equal([]);
  });

  it("excuses a retryable failure while the chain is away, and no other", () => {
    const evidence = smallEvidence();
    const [read] = evidence.answers;
    if (!read) throw new Error("There are answers");
    read.failure = { code: "chain-unavailable", retryable: true };
    evidence.disturbances.push({ kind: "chain", target: "chain", startedAt: 0, endedAt: 30_001 });
    expect(judge(evidence).findings).to.deep.equal([]);
    read.failure.retryable = false;
    expect(judge(evidence).findings.map(({ kind }) => kind)).to.deep.equal(["failed read"]);
  });
});

if (process.env.TEST_LONG === "true") {
  describe("A registry of several processes, one of each killed under load", () => {
    let evidence: Evidence;

    before(async function () {
      this.timeout(900_000);
      const nextDirectory = process.env.NEXT_TEST_BUILD ?? ".next-soak";
      if (!process.env.NEXT_TEST_BUILD) await buildWeb(nextDirectory);
      const fleet = await startFleet({ name: "kills", nextDirectory });
      const kinds = ["web", "reader", "writer", "worker", "database"] as const;
      evidence = await runSoak({
        ...{ fleet, seed: 3, duration: 90_000, calm: 8_000 },
        disturbances: kinds.map((kind) => ({ kind, target: 0 })),
      });
      await fleet.stop();
    });
    after(stopServices);

    it("was killed as planned, and read and attested meanwhile", () => {
      expect(evidence.disturbances.map(({ kind }) => kind)).to.deep.equal([
        "web",
        "reader",
        "writer",
        "worker",
        "database",
      ]);
      expect(evidence.starts).to.include({ "web-1": 2, "reader-1": 2, writer: 2, worker: 2 });
      for (const { startedAt, endedAt } of evidence.disturbances) {
        const meanwhile = evidence.answers.filter(
          (answer) => answer.endedAt > startedAt && answer.startedAt < endedAt,
        );
        expect(meanwhile).not.to.have.length(0);
      }
      expect(judge(evidence).attested).to.be.greaterThan(0);
    });

    itSeesEachFault(() => evidence);
  });
}
