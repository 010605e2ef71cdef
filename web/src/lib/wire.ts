// Made by `python -m casinowar.web.docs.wire_types` from the server's own types; not written by hand.

export const ACTIONS = ['void_hand', 'void_round', 'reconstruct', 'stand', 'reshuffle', 'shuffle_discards'] as const
export const BASES = ['empty', 'agreed', 'notice'] as const
export const CAUSES = ['fire', 'riot', 'brawl', 'robbery', 'commotion', 'act_of_god', 'fraud'] as const
export const DELIVERIES = ['forward', 'dealer_next', 'burn'] as const
export const SHUFFLE_REASONS = ['vacant', 'suspect', 'discretion'] as const
export const STRATEGIES = ['war', 'surrender', 'tie', 'bank'] as const
export const LEAST_REASON = 3
export const MOST_REASON = 200
export const MOST_TABLE_NAME = 40
export const MOST_ROUNDS = 5000
export const MOST_NIGHT_ROUNDS = 400
export const MOST_MONEY = 1000000000
export const STAFF_ACTS = { announce_limits: { minimum: false, maximum: true, unit: true }, change_limits: { minimum: false, maximum: true, unit: true, basis: false, consents: true }, announce_closing: { minutes: true }, close_table: {  }, announce_decks: { decks: false, perfect_pairs: true }, direct_box_max: { amount: false }, direct_player_max: { amount: false }, set_bettors_per_area: { bettors: false }, report_face_up_card: { card: true }, report_extra_draw: { exposed: false, card: true, action: true }, report_misdelivered: { box: false, action: false }, report_missed_hand: { box: false }, report_missed_offer: { player: false, box: false, cards: false, faces: true }, report_forgotten_burn: {  }, report_missing_cut_card: {  }, report_missed_shuffle: {  }, report_exposed_before_shoe: {  }, report_shuffler_fault: { boxes: true }, report_damaged_card: { card: true }, report_wager: { player: false, box: false, wager: false, amount: false }, reconstruct: { moves: false }, void_hand: { box: false, decided: true, reason: true }, void_player: { player: false, reason: true }, void_round: { reason: true }, invalidate_round: { cause: false }, release_players: { players: false }, rule: { action: false, reason: false, box: true }, report_contravention: { player: false, reason: false }, exclude_player: { player: false, reason: true }, flag_partnership: { players: false } } as const
export const TABLE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/
export const SILENT = 'the book is silent; house default'

export interface AcceptBank {
  do: 'accept_bank'
  by: string | null
  player: string
  box: number
  stake: number
}

export interface AddEntropy {
  do: 'add_entropy'
  entropy: string
}

export interface AmendWager {
  do: 'amend_wager'
  by: string | null
  player: string
  box: number
  wager: 'a_bomb' | 'initial' | 'perfect_pairs' | 'progressive' | 'tie' | 'war' | 'war_perfect_pairs' | 'war_tie'
  amount: number
}

export interface AnnounceClosing {
  do: 'announce_closing'
  by: string | null
  minutes: number | null
}

export interface AnnounceDecks {
  do: 'announce_decks'
  by: string | null
  decks: number
  perfect_pairs: string | null
}

export interface AnnounceLimits {
  do: 'announce_limits'
  by: string | null
  minimum: number
  maximum: number | null
  unit: number
}

export interface AuditState {
  state: 'failed' | 'none' | 'running' | 'sound' | 'unsound'
  at: number | null
  findings: string[]
  counts: Record<string, number>
}

export interface BankView {
  player: string
  box: number
  chips: number
  left: number
  covers: number
  in_use: number
  rounds: number
  most_rounds: number
}

export interface Book {
  id: string
  title: string
  version: string
  short: string
  edition: number
  editions: number[]
  leaves: BookLeaf[]
  clauses: Record<string, string>
}

export interface BookCell {
  says: string
  is_different: boolean
}

export interface BookHead {
  id: string
  title: string
}

export interface BookLeaf {
  key: string
  about: string
  value: unknown
  says: string
  allowed: string | null
  clauses: string[]
  supplied: boolean
  see: string[]
  ambiguity: string | null
}

export interface BookLine {
  id: string
  title: string
  version: string
  short: string
  edition: number
  editions: number[]
}

export interface BotSeated {
  name: 'bot_seated'
  player: string
  box: number
  strategy: string
  by: string
}

export interface BotSettings {
  strategy: 'bank' | 'surrender' | 'tie' | 'war'
  box: number | null
}

export interface BoxView {
  box: number
  player: string | null
  wagers: ([string, string, number])[]
  cards: string[]
  is_at_war: boolean
  settled: Settled[]
  open_wagers: string[]
}

export interface BuyChips {
  do: 'buy_chips'
  amount: number
}

export interface BuyIn {
  do: 'buy_in'
  by: string | null
  player: string
  amount: number
}

export interface CallFloor {
  do: 'call_floor'
  about?: string
}

export interface CallView {
  by: string
  about: string
  at: number
  waited: number
  taken_by: string | null
  clauses: string[]
}

export interface CardShown {
  shoe: string
  place: number
  index: number
  card: string
  salt: string
  path: string[]
}

export interface CashChips {
  do: 'cash_chips'
  amount: number
}

export interface ChangeDealer {
  do: 'change_dealer'
  by: string | null
  dealer: string
}

export interface ChangeLimits {
  do: 'change_limits'
  by: string | null
  minimum: number
  maximum: number | null
  unit: number
  basis: 'agreed' | 'empty' | 'notice'
  consents: string[]
}

export interface ChangeableLeaf {
  key: string
  says: string
  value: string
  book: string
  choices: LeafChoice[]
  typed: 'count' | 'odds' | null
  clauses: string[]
  is_changed: boolean
}

export interface Choice {
  box: number
  player: string
  war: number
  back: number
  can_now: boolean
}

export interface ClaimView {
  place: number
  left: number | null
}

export interface ClauseText {
  id: string
  rulebook: string
  says: string
  status: string
  source: string
}

export interface Clear {
  do: 'clear'
}

export interface CloseTable {
  do: 'close_table'
  by: string | null
}

export interface ConfirmWarWager {
  do: 'confirm_war_wager'
  by: string | null
  player: string
  box: number
}

export interface CorrectCard {
  do: 'correct_card'
  by: string | null
  card: string
}

export interface Countersign {
  do: 'countersign'
  request: string
}

export interface Cut {
  do: 'cut'
  by: string | null
  position: number
  player: string | null
}

export interface Deal {
  do: 'deal'
  by: string | null
  cards: (string | null)[]
  hold: boolean
}

export interface DeclineBank {
  do: 'decline_bank'
  by: string | null
  player: string
}

export interface DeclineCut {
  do: 'decline_cut'
  by: string | null
  player: string
}

export interface DifferenceRow {
  about: string
  cells: BookCell[]
}

export interface Differences {
  same: string[]
  books: BookHead[]
  rows: DifferenceRow[]
}

export interface DirectBoxMax {
  do: 'direct_box_max'
  by: string | null
  amount: number
}

export interface DirectPlayerMax {
  do: 'direct_player_max'
  by: string | null
  amount: number
}

export interface DismissBots {
  do: 'dismiss_bots'
}

export interface Done {
  type: 'done'
  id: string
  table: string
  version: number
}

export interface EndCall {
  do: 'end_call'
}

export interface EndRound {
  do: 'end_round'
  by: string | null
}

export interface Enter {
  do: 'enter'
  card: string
}

export interface ExcludePlayer {
  do: 'exclude_player'
  by: string | null
  player: string
  reason: string
}

export interface Failed {
  type: 'error'
  code: string
  says: string
  id: string | null
  table: string | null
}

export interface Fault {
  code: string
  says: string
  clauses: string[]
  request: string | null
}

export interface FlagPartnership {
  do: 'flag_partnership'
  by: string | null
  players: string[]
}

export interface FloorPoint {
  rounds: number
  actual: number
  expected: number
  low: number
  high: number
}

export interface GoToWar {
  do: 'go_to_war'
  by: string | null
  player: string
  box: number
}

export interface Goodbye {
  type: 'goodbye'
  code: string
  says: string
}

export interface GrantMultiBox {
  do: 'grant_multi_box'
  by: string | null
  player: string
  boxes: number
}

export interface Happened {
  type: 'events'
  table: string
  version: number
  events: (Record<string, unknown>)[]
  proofs: CardShown[]
  view: Record<string, unknown>
  own: Record<string, unknown>
}

export interface Hold {
  rounds: number
  staked: number
  won: number
  actual: number | null
  expected: number | null
  low: number | null
  high: number | null
}

export interface HouseLine {
  currency: string
  minor_digits: number
  guest_purse: number
  refill: number
  refill_below: number
  key: string
  version: string
  strategies: string[]
  plays_nights: boolean
}

export interface IdleSpread {
  do: 'idle_spread'
  by: string | null
}

export interface IncidentLine {
  table: string
  at: number
  says: string
  clauses: string[]
}

export interface InitialBurn {
  do: 'initial_burn'
  by: string | null
  cards: (string | null)[]
}

export interface InspectCards {
  do: 'inspect_cards'
  by: string | null
  second: string | null
}

export interface InvalidateRound {
  do: 'invalidate_round'
  by: string | null
  second: string | null
  cause: 'act_of_god' | 'brawl' | 'commotion' | 'fire' | 'fraud' | 'riot' | 'robbery'
}

export interface LeafChoice {
  value: string
  says: string
}

export interface Leave {
  do: 'leave'
}

export interface Limit {
  minimum: number
  maximum: number | null
  unit: number
}

export interface ListedShoe {
  number: number
  shoe: string
  commitment: string
  fate: 'finished' | 'running' | 'voided'
  reason: string | null
  previous: string | null
  by: string | null
  kind: 'continuous' | 'shoe'
  cards: number
  out: number
  marker: number | null
  is_numbered: boolean
  seal: string | null
}

export interface LiveView {
  table: string
  title: string
  version: number
  turn: number
  view: View
  dealer_kind: 'automatic' | 'human' | 'real'
  timeout: string
  timer: Timer | null
  is_paused: boolean
  stopped: string | null
  seal: SealView
  seats: SeatView[]
  rounds: RoundLine[]
  currency: string
  minor_digits: number
  owner: string | null
  purse: number | null
  signatures: SignatureDue[]
  can_view_burn: boolean
  bank_least: number | null
  waiting: number
  claim: ClaimView | null
  seat_left: number | null
  void: VoidWaits | null
  call: CallView | null
  unlisted: string[]
}

export interface LoadShoe {
  do: 'load_shoe'
  by: string | null
  cards: number
  cut_card: number | null
  presumed: boolean
}

export interface LobbyLine {
  name: string
  title: string
  rulebook: string
  book_title: string
  dealer: string
  boxes: number
  seated: number
  bots: number
  watching: number
  minimum: number
  maximum: number | null
  unit: number
  betting_seconds: number
  rounds: number
  version: number
  owner: string | null
  is_closed: boolean
  is_stopped: boolean
  phase: string
  timer: Timer | null
  taken: number[]
  own_box: number | null
  decks: number
  sides: SideWager[]
  meter: number | null
  bank: BankView | null
  is_paused: boolean
  waiting: number
}

export interface Move {
  from: number
  to: number
}

export interface Next {
  do: 'next'
}

export interface NightEnd {
  gain: number
  chance: number
}

export interface NightPlot {
  rounds: number
  wager: number
  bankroll: number
  steps: number
  start: number
  bands: Record<string, number[]>
  ends: NightEnd[]
  ahead: number
  even: number
  behind: number
  gone: number
  error: number
}

export interface NightsPlayed {
  nights: number
  ahead: number
  even: number
  behind: number
  gone: number
  points: number[]
  bands: Record<string, number[]>
  ends: PlayedEnd[]
  paths: number[][]
  last: number[]
}

export interface NightsTold {
  run: string
  state: 'done' | 'failed' | 'paused' | 'playing' | 'stopped' | 'waiting'
  wanted: number
  seconds: number
  says: string
  played: NightsPlayed | null
}

export interface NightsWanted {
  rulebook?: string
  set?: string[]
  strategy?: 'surrender' | 'war'
  rounds?: number
  bankroll?: number
  wager?: number
  nights?: number
  seed?: string
}

export interface NoMoreBets {
  do: 'no_more_bets'
  by: string | null
}

export interface Notice {
  about: 'closing' | 'decks' | 'limits'
  says: string
  seconds_left: number
  clauses: string[]
  limit: Limit | null
  at: number | null
}

export interface Odds {
  situation: string
  pays: string
  clauses: string[]
}

export interface OfferBank {
  do: 'offer_bank'
  by: string | null
  player: string
}

export interface OfferCut {
  do: 'offer_cut'
  by: string | null
  player: string
}

export interface OpenBetting {
  do: 'open_betting'
  by: string | null
}

export interface OpenTable {
  do: 'open_table'
  by: string | null
  limit: Limit
  limits: Record<string, Limit>
  meter: number | null
}

export interface PastCall {
  by: string
  about: string
  at: number
  taken_by: string | null
  answered: number | null
  is_over: boolean
  table: string
}

export interface Pause {
  do: 'pause'
}

export interface Ping {
  type: 'ping'
}

export interface Pit {
  tables: PitTable[]
  audit: AuditState
  incidents: IncidentLine[]
  floor: FloorPoint[]
  unopened: number
  trial_balance: number
  out_of_service: string | null
  calls: PastCall[]
}

export interface PitTable {
  name: string
  title: string
  rulebook: string
  book_title: string
  version: number
  phase: string
  timer: Timer | null
  round: number
  float: number | null
  meter: number | null
  limit: Limit
  notices: Notice[]
  roles: Record<string, string>
  dealer_kind: string
  boxes: number
  taken: number[]
  seats: number
  players: string[]
  bots: string[]
  is_paused: boolean
  is_closed: boolean
  owner: string | null
  stopped: string | null
  incident: string | null
  signatures: SignatureDue[]
  due: Step | null
  settings: TableSettings | null
  hold: Hold
  away: SeatView[]
  call: CallView | null
  unsigned: Record<string, number>
}

export interface PlaceMarker {
  do: 'place_marker'
  by: string | null
  from_back: number
}

export interface PlaceWager {
  do: 'place_wager'
  by: string | null
  player: string
  box: number
  wager: 'a_bomb' | 'initial' | 'perfect_pairs' | 'progressive' | 'tie' | 'war' | 'war_perfect_pairs' | 'war_tie'
  amount: number
  called: boolean
  coupon: number
}

export interface PlayedEnd {
  gain: number
  nights: number
}

export interface PlayerRequestInspect {
  do: 'player_request_inspect'
  by: string | null
  player: string
}

export interface PlayerRequestsSpread {
  do: 'player_requests_spread'
  by: string | null
  player: string
}

export interface PlayerRequireFullShuffle {
  do: 'player_require_full_shuffle'
  by: string | null
  player: string
}

export interface PlayerView {
  player: string
  purse: number
  chips: Record<string, number>
  loss_limit: number | null
  minutes_limit: number | null
  coming_loss_limit: number | null
  coming_minutes_limit: number | null
  coming_from: number | null
  lost_today: number
  minutes_today: number
  break_until: number | null
  can_refill: boolean
  on_layout: Record<string, number>
}

export interface Pong {
  type: 'pong'
}

export interface Preview {
  events: (Record<string, unknown>)[]
  view: View | null
  refused: Refused | null
  needs_second: boolean
  clauses: string[]
  may: string[]
  moved: ([string | null, number])[]
  others: (['bank' | 'layout' | 'purses', number])[]
}

export interface ProgressiveTerms {
  line: string
  share: string
  meter_clauses: string[]
  envy: number
  unit: number
  envy_base: 'hitter' | 'recipient'
  envy_clauses: string[]
  is_stake_returned: boolean
  stake_clauses: string[]
}

export interface PromiseEntropy {
  do: 'promise_entropy'
  promise: string
}

export interface Ready {
  do: 'ready'
}

export interface Reconstruct {
  do: 'reconstruct'
  by: string | null
  second: string | null
  moves: Move[]
}

export interface RefuseSignature {
  do: 'refuse_signature'
  request: string
}

export interface Refused {
  type: 'refused'
  id: string
  code: string
  says: string
  clauses: string[]
  request: string | null
}

export interface ReleasePlayers {
  do: 'release_players'
  by: string | null
  second: string | null
  players: string[]
}

export interface RelinquishBank {
  do: 'relinquish_bank'
  by: string | null
  player: string
}

export interface ReplaceCards {
  do: 'replace_cards'
  by: string | null
  cards: string[]
}

export interface Replayed {
  rulebook: string
  edition: number
  book_title: string
  number: number
  minor_digits: number
  steps: ToldStep[]
  settlements: Settlement[]
  totals: Total[]
  balances: Record<string, number>
  refusals: string[]
  says: string
}

export interface ReportContravention {
  do: 'report_contravention'
  by: string | null
  player: string
  reason: string
}

export interface ReportDamagedCard {
  do: 'report_damaged_card'
  by: string | null
  card: string | null
}

export interface ReportExposedBeforeShoe {
  do: 'report_exposed_before_shoe'
  by: string | null
}

export interface ReportExtraDraw {
  do: 'report_extra_draw'
  by: string | null
  exposed: boolean
  card: string | null
  action: 'burn' | 'dealer_next' | 'forward' | null
}

export interface ReportFaceUpCard {
  do: 'report_face_up_card'
  by: string | null
  card: string | null
}

export interface ReportForgottenBurn {
  do: 'report_forgotten_burn'
  by: string | null
}

export interface ReportMisdelivered {
  do: 'report_misdelivered'
  by: string | null
  box: number
  action: 'burn' | 'dealer_next' | 'forward'
}

export interface ReportMissedHand {
  do: 'report_missed_hand'
  by: string | null
  box: number
}

export interface ReportMissedOffer {
  do: 'report_missed_offer'
  by: string | null
  player: string
  box: number
  cards: number
  faces: (string | null)[]
}

export interface ReportMissedShuffle {
  do: 'report_missed_shuffle'
  by: string | null
}

export interface ReportMissingCutCard {
  do: 'report_missing_cut_card'
  by: string | null
}

export interface ReportShufflerFault {
  do: 'report_shuffler_fault'
  by: string | null
  second: string | null
  boxes: number[]
}

export interface ReportWager {
  do: 'report_wager'
  by: string | null
  player: string
  box: number
  wager: 'a_bomb' | 'initial' | 'perfect_pairs' | 'progressive' | 'tie' | 'war' | 'war_perfect_pairs' | 'war_tie'
  amount: number
  second: string | null
}

export interface Resume {
  do: 'resume'
}

export interface ResumeTable {
  do: 'resume_table'
  by: string | null
  rounds: number
  shoe_left: number
  cut_in: number | null
  shuffle: string | null
  dealer_burns: number
  seats: Record<string, string>
  reminded: string[]
  bank_turn: [string, number, number] | null
}

export interface RevokeMultiBox {
  do: 'revoke_multi_box'
  by: string | null
  player: string
}

export interface RotateBank {
  do: 'rotate_bank'
  by: string | null
}

export interface RoundLine {
  number: number
  version: number
  hands: ([number, string[]])[]
  wagers: ([number, string, string, number, string, number, number])[]
  is_void: boolean
  odds: (string | null)[]
  clauses: string[][]
  at: number | null
  bank: [string, number] | null
  placed: number[]
}

export interface RoundOfTable {
  table: string
  round: RoundLine
  title: string
  rulebook: string
  labels: Record<string, string>
  at: number | null
}

export interface RoundTold {
  rulebook: string
  edition: number
  book_title: string
  number: number
  minor_digits: number
  steps: ToldStep[]
  settlements: Settlement[]
  totals: Total[]
  table: string
  title: string
  events: (Record<string, unknown>)[]
  shoes: number[]
}

export interface Rule {
  do: 'rule'
  by: string | null
  second: string | null
  action: 'reconstruct' | 'reshuffle' | 'shuffle_discards' | 'stand' | 'void_hand' | 'void_round'
  reason: string
  box: number | null
}

export interface SealView {
  stage: 'cutting' | 'dealing' | 'none_yet' | 'nothing_sealed' | 'promising' | 'showing'
  shoe: string | null
  cards: number | null
  commitment: string | null
  root: string | null
  seal: string | null
  cut_bounds: [number, number] | null
  cut: number | null
  says: string
}

export interface SeatBots {
  do: 'seat_bots'
  count: number
  strategy?: 'bank' | 'surrender' | 'tie' | 'war'
}

export interface SeatPlayer {
  do: 'seat_player'
  by: string | null
  player: string
  box: number
}

export interface SeatView {
  box: number
  player: string
  is_present: boolean
  is_leaving: boolean
  is_ready: boolean
  strategy: string | null
  away: number | null
}

export interface SetBettorsPerArea {
  do: 'set_bettors_per_area'
  by: string | null
  bettors: number
}

export interface Settle {
  do: 'settle'
  by: string | null
  wagers: number | null
}

export interface Settled {
  player: string
  wager: string
  amount: number
  outcome: string
  paid: number
  returned: number
  odds: string | null
  clauses: string[]
}

export interface Settlement {
  box: number
  player: string
  wager: string
  label: string
  amount: number
  outcome: string
  pays: string | null
  paid: number
  returned: number
  net: number
  clauses: string[]
}

export interface ShowCutCard {
  do: 'show_cut_card'
  by: string | null
}

export interface Shuffle {
  do: 'shuffle'
  by: string | null
  steps: ('plug' | 'riffle' | 'strip' | 'turn')[]
  before_load: boolean
}

export interface SideWager {
  wager: string
  label: string
  pays: string[]
}

export interface SignatureDue {
  request: string
  command: Record<string, unknown>
  by: string
  reason: string
  at: number
  is_passed_on: boolean
  left: number
  unsigned: number
}

export interface Signs {
  rulebook: string
  title: string
  version: string
  edition: number
  amendments: string[]
  owner: string
  agreement_ref: string
  decks: number
  limit: Limit
  box_maximum: number | null
  player_maximum: number | null
  bettors_per_area: number
  notices: Notice[]
  meter: number | null
  provenance: string
  surrender: Odds
  progressive: ProgressiveTerms | null
  roles: Record<string, string>
}

export interface Sit {
  do: 'sit'
  box: number
}

export interface Snapshot {
  type: 'snapshot'
  table: string
  view: LiveView
  events: (Record<string, unknown>)[]
}

export interface SpreadForInspection {
  do: 'spread_for_inspection'
  by: string | null
  players: string[]
  batch: number
}

export interface Step {
  act: 'burn' | 'call' | 'cut' | 'decide' | 'draw' | 'end_round' | 'give_back' | 'inspect' | 'invite' | 'load' | 'marker' | 'offer' | 'offer_bank' | 'pay' | 'pre_load' | 'rule' | 'settle' | 'show_cut_card' | 'shuffle' | 'spread' | 'swap_batch' | 'take' | 'verify' | 'wash'
  command: OpenTable | ResumeTable | BuyIn | SeatPlayer | VacateSeat | GrantMultiBox | RevokeMultiBox | AcceptBank | DeclineBank | RelinquishBank | OfferBank | RotateBank | PlaceWager | AmendWager | WithdrawWager | NoMoreBets | Deal | GoToWar | Surrender | OpenBetting | Settle | EndRound | ConfirmWarWager | CorrectCard | Cut | DeclineCut | PlaceMarker | LoadShoe | InitialBurn | SupervisorShuffle | ReplaceCards | ChangeDealer | ShowCutCard | InspectCards | VerifyCards | SpreadForInspection | Wash | Shuffle | SwapBatch | OfferCut | IdleSpread | PlayerRequestInspect | PlayerRequireFullShuffle | PlayerRequestsSpread | ViewInitialBurn | Tick | AnnounceLimits | ChangeLimits | AnnounceClosing | CloseTable | AnnounceDecks | DirectBoxMax | DirectPlayerMax | SetBettorsPerArea | ReportFaceUpCard | ReportExtraDraw | ReportMisdelivered | ReportMissedHand | ReportMissedOffer | ReportForgottenBurn | ReportMissingCutCard | ReportMissedShuffle | ReportExposedBeforeShoe | ReportShufflerFault | ReportDamagedCard | ReportWager | Reconstruct | VoidHand | VoidPlayer | VoidRound | InvalidateRound | ReleasePlayers | Rule | ReportContravention | ExcludePlayer | FlagPartnership | null
  clauses: string[]
  box: number | null
  player: string | null
  wager: string | null
  amount: number
  returned: number
  kept: number
  burn: 'midround' | 'new_dealer' | 'opening' | 'opening_value' | 'round' | 'war' | 'war_banker' | null
  waits_for: string | null
  role: string | null
}

export interface StopWaiting {
  do: 'stop_waiting'
}

export interface SupervisorShuffle {
  do: 'supervisor_shuffle'
  by: string | null
  reason: 'discretion' | 'suspect' | 'vacant'
}

export interface Surrender {
  do: 'surrender'
  by: string | null
  player: string
  box: number
  reason: string
}

export interface SwapBatch {
  do: 'swap_batch'
  by: string | null
}

export interface TableSettings {
  name: string
  rulebook: string
  title: string
  options: Record<string, unknown>
  limit: Limit
  limits: Record<string, Limit>
  meter: number | null
  dealer: 'automatic' | 'human' | 'real'
  timers: Timers
  timeout: 'surrender' | 'wait' | 'war'
  bots: BotSettings[]
  bank_minimum: number | null
  idle_rounds: number
  owner: string | null
}

export interface TakeCall {
  do: 'take_call'
}

export interface Tick {
  do: 'tick'
  by: string | null
  seconds: number
}

export interface Timer {
  waits_for: string
  left: number
}

export interface Timers {
  betting: number
  decision: number
  war_betting: number
  cut: number
  entropy: number
  bank: number
  pause: number
  card: number
  absent: number
  idle: number
  offer: number
  signature: number
  ruling: number
}

export interface ToldStep {
  says: string
  clauses: string[]
  event: Record<string, unknown>
  view: View
}

export interface Total {
  box: number
  player: string
  net: number
}

export interface Unwatch {
  type: 'unwatch'
  table: string
}

export interface VacateSeat {
  do: 'vacate_seat'
  by: string | null
  player: string
}

export interface VerifyCards {
  do: 'verify_cards'
  by: string | null
}

export interface View {
  signs: Signs
  layout: WagerSpot[]
  phase: 'betting' | 'closed' | 'dealing' | 'deciding' | 'war_betting'
  round: number
  boxes: BoxView[]
  dealer: string[]
  bank: BankView | null
  asked: ([number, string])[]
  shoe_left: number
  discards: number
  is_shuffle_due: boolean
  cut_offered_to: string | null
  cut_bounds: [number, number]
  can_cut: boolean
  balance: number | null
  advice: string | null
  balances: Record<string, number> | null
  house: number | null
  incident: string | null
  procedure: Step[]
  choices: Choice[]
  open_wagers: string[]
  is_player_banked: boolean
  bank_offered_to: string | null
  can_bank: boolean
  can_decline_bank: boolean
  burned: number
  war_burn: number
  is_burn_beside: boolean
  cut_card_in: number | null
  batch: number
  is_closed: boolean
  is_bet_final: boolean
  is_initial_first: boolean
  is_excluded: boolean
}

export interface ViewInitialBurn {
  do: 'view_initial_burn'
  by: string | null
  player: string
  card: string | null
}

export interface VoidHand {
  do: 'void_hand'
  by: string | null
  second: string | null
  box: number
  decided: boolean
  reason: string
}

export interface VoidPlayer {
  do: 'void_player'
  by: string | null
  player: string
  reason: string
  second: string | null
}

export interface VoidRound {
  do: 'void_round'
  by: string | null
  second: string | null
  reason: string
}

export interface VoidWaits {
  round: number
  left: number
  kept: number
}

export interface WagerSpot {
  wager: string
  label: string
  limit: Limit
  odds: Odds[]
}

export interface WaitForSeat {
  do: 'wait_for_seat'
}

export interface Wash {
  do: 'wash'
  by: string | null
}

export interface Watch {
  type: 'watch'
  table: string
  role?: 'auditor' | 'dealer' | 'player' | 'supervisor' | 'watcher'
  advice?: boolean
  views?: 'parts' | 'whole'
}

export interface WatchFloor {
  type: 'watch_floor'
}

export interface WithdrawWager {
  do: 'withdraw_wager'
  by: string | null
  player: string
  box: number
  wager: 'a_bomb' | 'initial' | 'perfect_pairs' | 'progressive' | 'tie' | 'war' | 'war_perfect_pairs' | 'war_tie'
}
