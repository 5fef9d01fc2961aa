import type { RegistryFixture } from "./registryFixture.ts";
import type { TestIndex } from "./startIndex.ts";

/** Registry with its index, which several suites share. Set before the first test. */
export interface IndexedRegistry {
  fixture: RegistryFixture;
  index: TestIndex;
}
