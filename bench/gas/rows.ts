/** Limits and comparisons of a row. `null` if the other system has no such operation. */
interface GasRow {
  /** Limit of gas; `null` if only the code size has a limit. */
  target: number | null;
  /** Gas of the registry whose interface this one follows, for the same inputs. */
  reference: number | null;
  /** Gas of ERC-8004 for the same inputs. */
  erc8004: number | null;
}

const row = (target: number | null, reference: number | null, erc8004: number | null = null): GasRow => ({
  target,
  reference,
  erc8004,
});

/** Transactions, measured by the receipt's gasUsed. */
const writes = {
  "mint-no-json": row(229_300, 698_135, 160_644),
  "mint-json-1k": row(515_400, 1_480_071, 1_128_077),
  "mint-json-4k": row(1_182_200, 3_687_000, 4_076_327),
  "mint-20-traits": row(384_800, 1_070_000),
  "update-hash-only": row(56_000, 86_287, 47_162),
  "update-hash-only-worst": row(78_300, 86_287),
  "update-json-1k": row(325_000, 214_451),
  "update-status": row(50_200, 55_624),
  transfer: row(53_000, 78_104, 68_280),
  "attest-did": row(51_000, 72_886),
  "attest-data-hash": row(50_800, 74_956),
  "attest-batch-10-each": row(29_300, null),
  "attest-by-signature": row(60_000, 104_118),
  /** First renewal of a DID's first attestation. */
  "renew-did": row(62_000, null),
  "update-after-renewal": row(58_000, null),
  "update-after-signed-renewal": row(58_000, null),
  "deploy-total": row(null, 7_455_252, 3_208_633),
};

/** Views, measured by eth_estimateGas. */
const reads = {
  "page-100-by-status": row(1_650_000, 4_849_448),
  "interface-1pct-of-1000": row(217_500, 5_165_547),
  "interface-none-of-1000": row(76_000, 4_732_726),
  "owner-page-100-of-1000": row(1_700_000, 60_150_920),
  /** One call. The next call continues at its cursor. */
  "scan-1000000-without-match": row(12_000_000, null),
};

/** All measured operations, by name in the snapshot and the results. */
export const gasRows = { ...writes, ...reads };

export type GasRowName = keyof typeof gasRows;

export type GasFigures = Record<GasRowName, number>;

/** Allowed growth over the snapshot, as a share. */
const TOLERANCE = 0.01;

/** Returns the rows that cost over 1 % more than in the snapshot, and those that the snapshot lacks. */
export function findGrownRows(figures: GasFigures, snapshot: Partial<GasFigures>) {
  return (Object.entries(figures) as [GasRowName, number][])
    .map(([row, after]) => ({ row, before: snapshot[row], after }))
    .filter(({ before, after }) => before === undefined || after > before * (1 + TOLERANCE));
}
