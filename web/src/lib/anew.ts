// A session that is no more: whoever was here begins again in the lobby, as a guest or with a login.

import { connection } from './live.svelte'
import { go } from './router.svelte'
import { session } from './session.svelte'

export function beginAnew(): void {
  connection.close()
  session.me = null
  go('/')
}
