// The administrator's choices before an import: which sheets, and what their columns are.
import type { ChosenBindings, OurNames } from '#domain/lead/list/bindings.ts'
import type { ColumnMap } from '#domain/lead/list/columns.ts'
import type { ListHead, Plan, SheetHead } from './list-protocol.ts'

export type SheetChoice = { head: SheetHead; map: ColumnMap; isTaken: boolean }
export type Choices = {
  sheets: readonly SheetChoice[]
  /** The index of the previewed sheet. */
  shown: number
  areaCode: string
  chosen: ChosenBindings
}

/** Selects all visible sheets with contacts. The user must select hidden sheets by hand. */
export function firstChoices({ sheets }: ListHead): Choices {
  const isTaken = ({ isHidden, hasContacts }: SheetHead) => !isHidden && hasContacts
  const found = sheets.findIndex(isTaken)
  const shown =
    found >= 0
      ? found
      : Math.max(
          0,
          sheets.findIndex(({ isHidden }) => !isHidden),
        )
  return {
    sheets: sheets.map((head, n) => ({
      head,
      map: head.guess,
      // If no sheet has contacts, the first one is selected, so that its columns can be assigned by hand.
      isTaken: isTaken(head) || (found < 0 && n === shown),
    })),
    shown,
    areaCode: '',
    chosen: { brokers: {}, stages: {} },
  }
}

export const planOf = ({ sheets, areaCode, chosen }: Choices, ours: OurNames): Plan => ({
  sheets: sheets.flatMap(({ isTaken, map }, index) => (isTaken ? [{ index, map }] : [])),
  areaCode,
  ours,
  chosen,
})

/** Assigns a name of the list to a broker or a stage. */
export const withBinding = (
  choices: Choices,
  kind: keyof ChosenBindings,
  { name, to }: { name: string; to: string },
): Choices => ({
  ...choices,
  chosen: { ...choices.chosen, [kind]: { ...choices.chosen[kind], [name]: to } },
})

const hasSameTitles = (one: SheetHead, other: SheetHead) =>
  one.titles.length === other.titles.length && one.titles.every((title, n) => title === other.titles[n])

/** Applies the columns to all sheets with the same header. */
export function withMap(choices: Choices, map: ColumnMap): Choices {
  const shown = choices.sheets[choices.shown]
  if (!shown) return choices
  return {
    ...choices,
    sheets: choices.sheets.map((one) => (hasSameTitles(one.head, shown.head) ? { ...one, map } : one)),
  }
}

export function withHead(choices: Choices, index: number, head: SheetHead): Choices {
  return {
    ...choices,
    sheets: choices.sheets.map((one, n) => (n === index ? { ...one, head, map: head.guess } : one)),
  }
}

export function withTaken(choices: Choices, index: number, isTaken: boolean): Choices {
  return {
    ...choices,
    shown: index,
    sheets: choices.sheets.map((one, n) => (n === index ? { ...one, isTaken } : one)),
  }
}

/** Tells how many rows the sheets with contacts have that are not selected. */
export const leftOut = ({ sheets }: Choices) =>
  sheets.reduce((sum, { isTaken, head }) => (isTaken || !head.hasContacts ? sum : sum + head.total), 0)
