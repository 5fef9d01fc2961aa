/** What the other packages of App Registry share with this one. Not a public interface: it may change at any time. */
export { createPoliteFetch, type HostTurns } from "./politeFetch.ts";
export { printable } from "./printable.ts";
