// What the server takes for the name of a table.

import { MOST_TABLE_NAME, TABLE_NAME } from './wire'

export function isTableName(text: string): boolean {
  return text.length <= MOST_TABLE_NAME && TABLE_NAME.test(text)
}
