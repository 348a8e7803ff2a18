// Shows a text with each {nome} highlighted.
import { Fragment } from 'react'
import { NAME_PLACEHOLDER } from '#domain/message/placeholder.ts'

const PIECES = new RegExp(`(${NAME_PLACEHOLDER.replace(/[{}]/g, '\\$&')})`, 'i')

/** `isBehind`: this text lies exactly below the text of a text box, so its highlight must not take any space. */
export function NamedText({ text, isBehind = false }: { text: string; isBehind?: boolean }) {
  const mark = isBehind
    ? 'rounded-xs bg-primary-soft text-transparent shadow-name'
    : 'rounded-xs bg-primary-soft-2 px-1 text-on-primary-soft'
  return text.split(PIECES).map((piece, index) => (
    // The parts never change their order, so their index is a good key.
    <Fragment key={index}>{index % 2 === 0 ? piece : <mark className={mark}>{piece}</mark>}</Fragment>
  ))
}
