import { vi } from "vitest";

/** Ponder names the schema of its tables here before they are declared, so that every query names it too. */
Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: "public" } });

// Each test file has our modules anew, with nothing that another left in them; libraries stay loaded.
vi.resetModules();
