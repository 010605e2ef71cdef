// What a player is offered beside betting: the cut and the bank. For whoever has never had one, and has not asked for it,
// it is passed on with a sentence, so that nobody waits for a newcomer.

import type { Wish, Wishes } from '../../lib/wishes.svelte'
import { tt } from '../../texts/en_table'
import type { Play } from './play.svelte'

export class Offers {
  /** Whether this player has let the bank pass since it was last taken. */
  hasDeclined = $state(false)
  /** Whether an offer is just being passed on for this player. */
  isPassing = $state(false)
  /** Offers that were passed on once; one that comes back all the same is for the player to answer. */
  private passed = $state.raw<string[]>([])

  constructor(
    private play: Play,
    readonly wishes: Wishes,
  ) {}

  /** Real cards are cut without any seal; a sealed shoe only once its order is sealed. */
  get isCut(): boolean {
    const { stage } = this.play.now.seal
    const isTheirs = this.isAskedToCut || (this.play.view.can_cut && this.wishes.has('cut'))
    return (stage === 'cutting' || stage === 'nothing_sealed') && isTheirs
  }
  /** Where anybody may cut, only whoever is asked can pass it on. */
  get isAskedToCut(): boolean {
    return this.play.view.cut_offered_to === this.play.me()
  }
  /** Offered again by name, the bank can be declined again; open to all, once is enough. */
  get canDeclineBank(): boolean {
    const { can_bank, can_decline_bank, bank_offered_to } = this.play.view
    return can_bank && can_decline_bank && !(this.hasDeclined && bank_offered_to === null)
  }
  /** What is to be passed on now. */
  get passes(): Wish | null {
    const what = this.play.own === null ? null : this.isCut && this.isAskedToCut ? 'cut' : this.canDeclineBank ? 'bank' : null
    return what === null || this.wishes.has(what) || this.passed.includes(this.key(what)) ? null : what
  }
  private key(what: Wish): string {
    return [what, this.play.now.seal.shoe, this.play.view.round].join('/')
  }
  async passOn(): Promise<void> {
    const what = this.passes
    if (what === null || this.isPassing) return
    this.isPassing = true
    const isFirst = !this.passed.some((one) => one.startsWith(what))
    this.passed = [...this.passed, this.key(what)]
    const isDone = await (what === 'cut' ? this.declineCut() : this.declineBank())
    if (isDone && isFirst) this.play.tell(what === 'cut' ? tt.cutPassed : tt.bankPassed)
    this.isPassing = false
  }

  async cut(position: number): Promise<boolean> {
    const isDone = await this.play.act({ do: 'cut', position, player: this.play.me() })
    if (isDone) this.wishes.set('cut')
    return isDone
  }
  declineCut(): Promise<boolean> {
    return this.play.act({ do: 'decline_cut', player: this.play.me() })
  }
  async acceptBank(stake: number): Promise<boolean> {
    const isDone = await this.play.act({ do: 'accept_bank', player: this.play.me(), box: this.play.own ?? 0, stake })
    if (isDone) this.wishes.set('bank')
    return isDone
  }
  async declineBank(): Promise<boolean> {
    const isDone = await this.play.act({ do: 'decline_bank', player: this.play.me() })
    this.hasDeclined ||= isDone
    return isDone
  }
  relinquishBank(): Promise<boolean> {
    return this.play.act({ do: 'relinquish_bank', player: this.play.me() })
  }
}
