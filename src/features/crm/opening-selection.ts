// Which brokers the CRM opens with: those chosen last on this device, at first all.
import { useMemo, useState } from 'react'
import type { Listed } from './listed-brokers.ts'
import { readSelection, writeSelection } from '#domain/broker-selection.ts'

const PLACE = 'crm-brokers'
/** Each broker is a board of its own to load; of more brokers, those with the most leads. */
const MOST_AT_FIRST = 20

function keepSelection(instanceNames: readonly string[]) {
  const text = writeSelection(instanceNames)
  if (text !== undefined) localStorage.setItem(PLACE, text)
}

const NOBODY: readonly string[] = []

/**
 * `inAddress`: the address's choice; it wins. `isOpening`: the list of brokers is not there yet to open with.
 * `isEverybody`: nobody was chosen, so the first choice is meant alone.
 */
export function useSelection(inAddress: string | undefined, listed: readonly Listed[] | undefined) {
  const addressed = useMemo(() => (inAddress === undefined ? null : readSelection(inAddress)), [inAddress])
  // Set once, because the list's order changes with the numbers of leads.
  const [opening, setOpening] = useState<readonly string[]>()
  const [isEverybody, setEverybody] = useState(false)
  if (!opening && listed) {
    const last = lastSelection(localStorage.getItem(PLACE) ?? '', listed)
    setOpening(last ?? everybody(listed))
    setEverybody(last === null)
  }
  const noteChoice = (instanceNames: readonly string[]) => {
    keepSelection(instanceNames)
    setOpening(instanceNames)
    setEverybody(false)
  }
  return {
    selected: addressed ?? opening ?? NOBODY,
    isOpening: addressed === null && opening === undefined,
    isEverybody: addressed === null && isEverybody,
    noteChoice,
  }
}

/** Null: none of them is left. */
export function lastSelection(stored: string, listed: readonly Listed[]): readonly string[] | null {
  const last = readSelection(stored).filter((name) =>
    listed.some(({ instanceName }) => instanceName === name),
  )
  return last.length > 0 ? last : null
}

export const everybody = (listed: readonly Listed[]): readonly string[] =>
  listed.slice(0, MOST_AT_FIRST).map(({ instanceName }) => instanceName)
