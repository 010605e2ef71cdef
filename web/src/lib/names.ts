// What the server takes for the name of a table.

const TABLE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/

export function isTableName(text: string): boolean {
  return TABLE.test(text)
}
