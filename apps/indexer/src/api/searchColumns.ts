/** Columns of `app` that only search reads. */
export const searchColumns: ReadonlySet<string> = new Set([
  ...["sortName", "nameFolded", "nameSkeleton", "site", "unproven", "words", "searchVector"],
]);
