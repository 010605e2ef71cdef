// All texts of the page, in one catalogue per language; another language is another file of this shape.

import { en } from './en'

export type Texts = typeof en
export const t: Texts = en
