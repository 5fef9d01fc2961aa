/** A node of the compiler's syntax tree; `src` is `start:length:file`, in bytes of the source. */
export interface AstNode {
  readonly nodeType: string;
  readonly src: string;
  readonly [property: string]: unknown;
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null && "nodeType" in value && "src" in value;
}

/** A child by its property. @throws When there is none: the compiler's tree is another one than this tool knows. */
export function child(node: AstNode, property: string): AstNode {
  const value = node[property];
  if (!isNode(value)) throw new Error(`${node.nodeType} has no ${property}`);
  return value;
}

/** Children in a list, without the empty places of a tuple. */
export function childrenIn(node: AstNode, property: string): AstNode[] {
  const value = node[property];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Where a node stands in the bytes of its source. */
export function placeOf(node: AstNode): { start: number; length: number } {
  const [start, length] = node.src.split(":").map(Number);
  if (start === undefined || length === undefined) throw new Error(`${node.nodeType} has no place`);
  return { start, length };
}

/** The type of an expression as the compiler names it, e.g. `uint256` or `bytes32[] memory`. */
export function typeOf(node: AstNode): string {
  const types = node.typeDescriptions as { typeString?: string | null } | undefined;
  return types?.typeString ?? "";
}

/** Visits a tree from its root; `ancestors` are a node's parents, the nearest last. */
export function walk(root: AstNode, visit: (node: AstNode, ancestors: readonly AstNode[]) => void): void {
  const ancestors: AstNode[] = [];
  const enter = (node: AstNode) => {
    visit(node, ancestors);
    ancestors.push(node);
    for (const value of Object.values(node)) {
      for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) enter(item);
    }
    ancestors.pop();
  };
  enter(root);
}
