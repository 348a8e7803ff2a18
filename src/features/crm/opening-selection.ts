// Which brokers the CRM opens with: those chosen last on this device, at first all.
import { useMemo, useState } from 'react'
import type { Listed } from './listed-brokers.ts'
import { readSelection, writeSelection } from './selection.ts'

const PLACE = 'crm-brokers'
/** Each broker is a board of its own to load; of more brokers, those with the most leads. */
const MOST_AT_FIRST = 20

function keepSelection(instanceNames: readonly string[]) {
  const text = writeSelection(instanceNames)
  if (text !== undefined) localStorage.setItem(PLACE, text)
}

const NOBODY: readonly string[] = []

/** `inAddress`: the address's choice; it wins. `isOpening`: the list of brokers is not there yet to open with. */
export function useSelection(inAddress: string | undefined, listed: readonly Listed[] | undefined) {
  const addressed = useMemo(() => (inAddress === undefined ? null : readSelection(inAddress)), [inAddress])
  // Set once, because the list's order changes with the numbers of leads.
  const [opening, setOpening] = useState<readonly string[]>()
  if (!opening && listed) setOpening(openingSelection(localStorage.getItem(PLACE) ?? '', listed))
  const noteChoice = (instanceNames: readonly string[]) => {
    keepSelection(instanceNames)
    setOpening(instanceNames)
  }
  return {
    selected: addressed ?? opening ?? NOBODY,
    isOpening: addressed === null && opening === undefined,
    noteChoice,
  }
}

/** Removed brokers are left out. */
export function openingSelection(stored: string, listed: readonly Listed[]): readonly string[] {
  const names = listed.map(({ instanceName }) => instanceName)
  const last = readSelection(stored).filter((name) => names.includes(name))
  return last.length > 0 ? last : names.slice(0, MOST_AT_FIRST)
}
