import { app } from "ponder:schema";
import { sql } from "ponder";
import { beforeAll, expect, it } from "vitest";
import { isCommon } from "../src/api/search/isCommon.ts";
import { appRow, db, fill } from "./harness/database.ts";

const ofStatus = (status: number) => sql`select 1 from ${app} where ${app.status} = ${status}::int`;

beforeAll(async () => {
  await fill(
    Array.from({ length: 2_000 }, (_, index) => appRow(BigInt(index), { status: index < 20 ? 1 : 0 })),
  );
  await db.execute(sql`analyze app`);
});

it("walks the records for what most of them match, and never for what few do", async () => {
  expect(await isCommon(ofStatus(0), 100)).toBe(true);
  expect(await isCommon(ofStatus(1), 1)).toBe(false);
  // Of 2,000 records 1,980 match: to fetch those costs as much as to match 495, which finds 490.
  expect(await isCommon(ofStatus(0), 480)).toBe(true);
  expect(await isCommon(ofStatus(0), 600)).toBe(false);
});
