/** What the other packages of App Registry share with this one. It is no public interface, and changes at any time. */
export { MAX_BODY_BYTES } from "./guardedFetch.ts";
export { createPoliteFetch, type HostTurns } from "./politeFetch.ts";
export { printable } from "./printable.ts";
