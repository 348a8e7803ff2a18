// A field that takes so many letters: says how many are left near the end, and when what was pasted did not fit.
import { type ClipboardEvent, useRef, useState } from 'react'

/** From here on it is said how much is left. */
const NEAR_THE_END = 500

export type LimitedField = {
  maxLength: number
  onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  onInput: () => void
}

type LettersLeft = {
  /** For the textarea. */
  field: LimitedField
  /** Null while there is room enough. */
  left: string | null
  /** An alert, until the text changes again. */
  cut: string | null
}

export function useLettersLeft(text: string, most: number): LettersLeft {
  const [isCut, setCut] = useState(false)
  /** What is pasted now is longer than the room it finds: the browser cuts it without a word. */
  const isOver = useRef(false)
  const left = most - text.length
  const field: LimitedField = {
    maxLength: most,
    onPaste: ({ currentTarget: { value, selectionStart, selectionEnd }, clipboardData }) => {
      const pasted = clipboardData.getData('text/plain').replaceAll('\r\n', '\n').length
      const room = most - value.length + selectionEnd - selectionStart
      isOver.current = pasted > room
      // Nothing of it goes in, so that no change follows.
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
