import { visibleText } from "@app-registry/sdk";
import { type SchemaNode, schemaTree } from "./schemaTree.ts";

function Nodes({ nodes, className }: { nodes: SchemaNode[]; className: string }) {
  return (
    <ul className={className}>
      {nodes.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: variants have no name, and the list never changes
        <li key={`${node.name}-${index}`}>
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
          {node.children.length > 0 ? <Nodes nodes={node.children} className="stack inset" /> : null}
        </li>
      ))}
    </ul>
  );
}

/** Renders a JSON Schema as a tree. */
export function SchemaTree({ schema }: { schema: unknown }) {
  const nodes = schemaTree(schema);
  return nodes.length > 0 ? (
    <Nodes nodes={nodes} className="stack" />
  ) : (
    <p className="quiet">No arguments.</p>
  );
}
