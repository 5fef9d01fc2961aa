import { addStatementCoverageInstrumentation } from "@nomicfoundation/edr";
import { getCoverageLibrary } from "@nomicfoundation/edr/coverage";
import type { Project } from "./compiler.ts";
import type { Mutant } from "./generate.ts";
import { pathOf } from "./project.ts";

/** A statement of a contract, in bytes of its source. */
export interface Statement {
  source: string;
  start: number;
  end: number;
}

/** The project with contracts that report each statement, and which statement a report is about. */
export function instrument(project: Project, sources: string[]) {
  const library = getCoverageLibrary();
  const instrumented = { ...project.sources, [library.filename]: library.content };
  const statements = new Map<string, Statement>();
  for (const source of sources) {
    const text = project.sources[source] ?? "";
    const result = addStatementCoverageInstrumentation(text, pathOf(source), "0.8.30");
    instrumented[source] = result.source;
    for (const { tag, startUtf16, endUtf16 } of result.metadata) {
      const [start, end] = [startUtf16, endUtf16].map((offset) => Buffer.byteLength(text.slice(0, offset)));
      if (start === undefined || end === undefined) continue;
      statements.set(Buffer.from(tag).toString("hex"), { source, start, end });
    }
  }
  return { project: { ...project, sources: instrumented }, statements, library: library.filename };
}

/** What the tests of a file run, as `source:start:end`. */
export type Reach = Record<string, readonly string[]>;

export function writeStatement({ source, start, end }: Statement): string {
  return `${source}:${start}:${end}`;
}

/**
 * The test files that run the smallest statement around a fault; for a fault outside of all statements, those that
 * run anything of its source.
 */
export function filesReaching(mutant: Mutant, reach: Reach): Set<string> {
  const ran = Object.entries(reach).flatMap(([file, statements]) =>
    statements
      .map((text) => ({ file, ...readStatement(text) }))
      .filter(({ source }) => source === mutant.source),
  );
  const around = ran.filter(({ start, end }) => start <= mutant.start && mutant.start < end);
  const smallest = Math.min(...around.map(({ start, end }) => end - start));
  const nearest = around.filter(({ start, end }) => end - start === smallest);
  return new Set((nearest.length > 0 ? nearest : ran).map(({ file }) => file));
}

function readStatement(text: string): Statement {
  const [source = "", start, end] = text.split(":");
  return { source, start: Number(start), end: Number(end) };
}
