import { visibleLines, visibleText } from "@app-registry/sdk";
import { RawJson } from "./documents.tsx";
import styles from "./record.module.css";
import { SchemaTree } from "./SchemaTree.tsx";

type ToolView = {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
  annotations?: unknown;
};

/** Words for the annotations of the Model Context Protocol, which are the publisher's claims. */
const annotationWords: Record<string, [whenTrue: string, whenFalse: string]> = {
  readOnlyHint: ["read-only", "may change data"],
  destructiveHint: ["may delete or overwrite data", "doesn't delete or overwrite data"],
  idempotentHint: ["safe to repeat", "not safe to repeat"],
  openWorldHint: ["contacts other systems", "doesn't contact other systems"],
};

function annotationTexts(annotations: unknown): string[] {
  if (typeof annotations !== "object" || annotations === null) return [];
  return Object.entries(annotations).flatMap(([key, value]) => {
    const words = annotationWords[key];
    return words !== undefined && typeof value === "boolean" ? [value ? words[0] : words[1]] : [];
  });
}

/** Renders a tool: its name, description and arguments, and its schema as JSON in a fold. */
export function ToolPanel({ tool }: { tool: ToolView }) {
  const hints = annotationTexts(tool.annotations);
  return (
    <details className={styles.tool}>
      <summary>
        <code className="strong">{visibleText(tool.name)}</code>
        {tool.description === undefined ? null : <bdi className="soft">{visibleText(tool.description)}</bdi>}
      </summary>
      <div className="stack">
        {tool.description === undefined ? null : (
          <p className="prose" style={{ whiteSpace: "pre-line" }} dir="auto">
            {visibleLines(tool.description)}
          </p>
        )}
        {hints.length > 0 ? (
          <p className="quiet">Publisher's hints (not verified): {hints.join(", ")}.</p>
        ) : null}
        <SchemaTree schema={tool.inputSchema} />
        {tool.inputSchema === undefined ? null : <RawJson value={tool.inputSchema} label="Input schema" />}
      </div>
    </details>
  );
}
