export * from "./did.ts";
export * from "./hash.ts";
export * from "./interfaces.ts";
export * from "./json.ts";
export * from "./paths.ts";
export * from "./traits.ts";
export * from "./version.ts";
export * from "./versionedDid.ts";
