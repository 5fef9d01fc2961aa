import { expect, it } from "vitest";
import { formatFee } from "./callCost.ts";

it.each([
  [641_415_347_351_592n, "0.0006414 ETH"],
  [0n, "0 ETH"],
  [2_000_000_000_000_000_000n, "2 ETH"],
  [1_234_567_000_000_000_000_000n, "1,235 ETH"],
])("formatFee formats %s wei as %s", (wei, text) => expect(formatFee(wei)).toBe(text));
