import { visibleText } from "@app-registry/sdk";
import styles from "./record.module.css";
import { type SchemaNode, schemaTree } from "./schemaTree.ts";

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

/** Renders a JSON Schema as a tree. */
export function SchemaTree({ schema }: { schema: unknown }) {
  const nodes = schemaTree(schema);
  return nodes.length > 0 ? <Nodes nodes={nodes} /> : <p className="quiet">No arguments.</p>;
}
