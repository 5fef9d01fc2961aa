/**
 * Replaces the text between the comments `<!-- name -->` and `<!-- /name -->` of a Markdown page.
 * @throws Error if the page has no such block, or several.
 */
export function replaceBlock(page: string, name: string, text: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest, ...others] = page.split(opening);
  const [, after, ...more] = rest?.split(closing) ?? [];
  if (before === undefined || after === undefined || others.length > 0 || more.length > 0) {
    throw new Error(`The page must have one block ${opening} … ${closing}`);
  }
  return `${before}${opening}\n${text}\n${closing}${after}`;
}

/** Escapes the character that ends a cell of a Markdown table, and joins lines. */
export const escapeCell = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
