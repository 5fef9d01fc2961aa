import { RawJson } from "./documents.tsx";
import styles from "./record.module.css";
import { type SchemaNode, schemaTree } from "./schemaTree.ts";
import { visibleLines, visibleText } from "./visibleText.ts";

type ToolView = {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
  annotations?: unknown;
};

/** Annotations of the Model Context Protocol, in words. They are the publisher's claim. */
const annotationWords: Record<string, [whenTrue: string, whenFalse: string]> = {
  readOnlyHint: ["reads only", "may change things"],
  destructiveHint: ["may destroy data", "destroys nothing"],
  idempotentHint: ["safe to repeat", "not safe to repeat"],
  openWorldHint: ["reaches outside systems", "stays inside its own system"],
};

function annotationTexts(annotations: unknown): string[] {
  if (typeof annotations !== "object" || annotations === null) return [];
  return Object.entries(annotations).flatMap(([key, value]) => {
    const words = annotationWords[key];
    return words !== undefined && typeof value === "boolean" ? [value ? words[0] : words[1]] : [];
  });
}

/** A tool: its name, what it does, its arguments as a tree, and the schema as JSON one click away. */
export function ToolPanel({ tool }: { tool: ToolView }) {
  const hints = annotationTexts(tool.annotations);
  return (
    <details className={styles.tool}>
      <summary>
        <code className="strong">{visibleText(tool.name)}</code>
        {tool.description === undefined ? null : (
          <bdi className={styles.short}>{visibleText(tool.description)}</bdi>
        )}
      </summary>
      <div className="stack">
        {tool.description === undefined ? null : (
          <p className="prose" style={{ whiteSpace: "pre-line" }} dir="auto">
            {visibleLines(tool.description)}
          </p>
        )}
        {hints.length > 0 ? <p className="quiet">Its publisher says: {hints.join(", ")}.</p> : null}
        <SchemaTree schema={tool.inputSchema} />
        {tool.inputSchema === undefined ? null : <RawJson value={tool.inputSchema} label="Input schema" />}
      </div>
    </details>
  );
}

function Nodes({ nodes }: { nodes: SchemaNode[] }) {
  return (
    <ul className={styles.nodes}>
      {nodes.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: variants have no name, and the list never changes
        <li key={`${node.name}-${index}`} className={styles.node}>
          <p className="row">
            {node.name === "" ? null : <code className="strong">{visibleText(node.name)}</code>}
            <span className="quiet">{visibleText(node.type)}</span>
            {node.required ? <span className="quiet strong">required</span> : null}
          </p>
          {node.description === undefined ? null : (
            <p className="prose soft">
              <bdi>{visibleText(node.description)}</bdi>
            </p>
          )}
          {node.notes.length > 0 ? (
            <p className="quiet anywhere">{visibleText(node.notes.join("; "))}</p>
          ) : null}
          {node.children.length > 0 ? <Nodes nodes={node.children} /> : null}
        </li>
      ))}
    </ul>
  );
}

/** A JSON Schema as a readable tree. */
function SchemaTree({ schema }: { schema: unknown }) {
  const nodes = schemaTree(schema);
  return nodes.length > 0 ? <Nodes nodes={nodes} /> : <p className="quiet">Takes no arguments.</p>;
}
