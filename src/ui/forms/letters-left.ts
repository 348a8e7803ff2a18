// A text field with a limit. It shows how many letters are left near the limit, and an error if a pasted text was cut.
import { type ClipboardEvent, useRef, useState } from 'react'

/** The field shows the number of letters left below this many. */
const NEAR_THE_END = 500

export type LimitedField = {
  maxLength: number
  onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  onInput: () => void
}

type LettersLeft = {
  /** Props to spread on the textarea. */
  field: LimitedField
  /** The number of letters left as text; null far from the limit. */
  left: string | null
  /** The error after a pasted text was cut; null otherwise, and once the text changes. */
  cut: string | null
}

export function useLettersLeft(text: string, most: number): LettersLeft {
  const [isCut, setCut] = useState(false)
  /** True if the pasted text does not fit. Browsers cut it silently. */
  const isOver = useRef(false)
  const left = most - text.length
  const field: LimitedField = {
    maxLength: most,
    onPaste: ({ currentTarget: { value, selectionStart, selectionEnd }, clipboardData }) => {
      const pasted = clipboardData.getData('text/plain').replaceAll('\r\n', '\n').length
      const room = most - value.length + selectionEnd - selectionStart
      isOver.current = pasted > room
      // No input event will follow, because the browser inserts nothing.
      if (pasted > 0 && room <= 0) setCut(true)
    },
    onInput: () => {
      setCut(isOver.current)
      isOver.current = false
    },
  }
  return {
    field,
    left: left < NEAR_THE_END ? lettersLeft(Math.max(0, left)) : null,
    cut: isCut ? pasteCut(most) : null,
  }
}

const lettersLeft = (count: number) => (count === 1 ? 'Resta 1 letra' : `Restam ${count} letras`)
const pasteCut = (most: number) =>
  `O texto colado não coube inteiro: aqui cabem ${most.toLocaleString('pt-BR')} letras.`
