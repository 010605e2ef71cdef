// A file of the server's for the reader's own disk. A refusal becomes one line on the page, not a file with it.

import { ApiError } from '../../lib/api'
import { replayTexts as t } from '../../texts/en_replay'

export async function save(path: string, name: string): Promise<void> {
  const response = await fetch(path, { credentials: 'same-origin' }).catch(() => null)
  if (!response) throw new ApiError(0, 'unreachable', t.unreachable)
  if (!response.ok) {
    const fault = (await response.json().catch(() => ({}))) as { code?: string; says?: string }
    throw new ApiError(response.status, fault.code ?? 'failed', fault.says ?? response.statusText)
  }
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
