// A form that is sent over HTTP and must be done once, however often it is pressed or its answer is lost.

import { ApiError, freshId, post } from './api'

/** Whoever sends looks at `isBusy` first. */
export class Sending {
  isBusy = $state(false)
  private id = ''
  private unanswered = ''

  /** The id of the form goes with it, and stays the same for the same form until the server has answered. */
  async post<T>(path: string, body: object): Promise<T> {
    const form = JSON.stringify([path, body])
    if (form !== this.unanswered) this.id = freshId()
    this.unanswered = form
    this.isBusy = true
    try {
      const answer = await post<T>(path, { id: this.id, ...body })
      this.unanswered = ''
      return answer
    } catch (error) {
      if (isRefusal(error)) this.unanswered = ''
      throw error
    } finally {
      this.isBusy = false
    }
  }
}

/** Of anything else nobody knows here whether it was done. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}
