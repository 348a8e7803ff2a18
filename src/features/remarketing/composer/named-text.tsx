// A text with each {nome} in it standing out.
import { Fragment } from 'react'
import { NAME_PLACEHOLDER } from '#domain/message/placeholder.ts'

const PIECES = new RegExp(`(${NAME_PLACEHOLDER.replace(/[{}]/g, '\\$&')})`, 'i')

/** `isBehind`: under a box whose letters stand in the same places, so that the mark may not take room. */
export function NamedText({ text, isBehind = false }: { text: string; isBehind?: boolean }) {
  const mark = isBehind
    ? 'rounded-xs bg-primary-soft text-transparent shadow-name'
    : 'rounded-xs bg-primary-soft-2 px-1 text-on-primary-soft'
  return text.split(PIECES).map((piece, index) => (
    // Pieces have no name but their place.
    <Fragment key={index}>{index % 2 === 0 ? piece : <mark className={mark}>{piece}</mark>}</Fragment>
  ))
}
