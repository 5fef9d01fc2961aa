"use client";

import type { JsonValue } from "@app-registry/sdk";
import { SchemaTree } from "../../../components/record/SchemaTree.tsx";
import { schemaProblems } from "../draft/schemaProblems.ts";
import styles from "./fields.module.css";

/** Renders a readable JSON Schema with its problems. They are warnings: an invalid schema may be published. */
export default function SchemaReport({ schema }: { schema: JsonValue }) {
  const problems = schemaProblems(schema);
  return (
    <div className="stack">
      {problems.length === 0 ? null : (
        <ul className={styles.warnings} aria-label="Not a valid JSON Schema">
          {problems.map(({ pointer, message }) => (
            <li key={pointer}>
              {pointer === "" ? null : (
                <>
                  At <code>{pointer}</code>:{" "}
                </>
              )}
              {message}
            </li>
          ))}
        </ul>
      )}
      <details className={styles.tree} open>
        <summary className="small soft">Readable view</summary>
        <SchemaTree schema={schema} />
      </details>
    </div>
  );
}
