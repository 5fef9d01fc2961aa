import { vi } from "vitest";

/** Sets the schema of Ponder's tables before they are declared, so that every query contains its name. */
Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: "public" } });

// Reload this project's modules for each test file, without the state of others. Libraries stay loaded.
vi.resetModules();
