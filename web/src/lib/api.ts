// Requests over HTTP. A refusal is an ApiError with the server's stable code and its line for people.

import { t } from '../texts'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    says: string,
    readonly clauses: string[] = [],
  ) {
    super(says)
  }
}

export async function ask<T>(method: string, path: string, body?: unknown, signal: AbortSignal | null = null): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      signal,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    text = await response.text()
  } catch {
    throw new ApiError(0, 'unreachable', t.unreachable)
  }
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const answer: unknown = isJson && text ? JSON.parse(text) : text
  if (response.ok) return answer as T
  const fault = (isJson ? answer : {}) as { code?: string; says?: string; clauses?: string[] }
  throw new ApiError(response.status, fault.code ?? 'failed', fault.says ?? response.statusText, fault.clauses ?? [])
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path)
export const post = <T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> => ask<T>('POST', path, body, signal)
export const put = <T>(path: string, body: unknown): Promise<T> => ask<T>('PUT', path, body)

/** An id for a command, made here and used once. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
