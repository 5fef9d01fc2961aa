/**
 * Waits for an answer that usually comes at once, but not longer than `milliseconds`; undefined when it takes longer
 * or fails. What is rendered with the answer is part of the page itself, readable without scripts; the rest is
 * streamed in its place.
 */
export async function withPatience<Answer>(
  answer: Promise<Answer>,
  milliseconds: number,
): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    // Whoever streams the answer sees its failure.
    return await Promise.race([answer.catch(() => undefined), patience]);
  } finally {
    clearTimeout(timer);
  }
}
