// A text with each {nome} highlighted.
import { Fragment } from 'react'
import { NAME_PLACEHOLDER } from '#domain/message/placeholder.ts'

const PIECES = new RegExp(`(${NAME_PLACEHOLDER.replace(/[{}]/g, '\\$&')})`, 'i')

/** `isBehind`: lies under a text box with the same letters, so the highlight must not take space. */
export function NamedText({ text, isBehind = false }: { text: string; isBehind?: boolean }) {
  const mark = isBehind
    ? 'rounded-xs bg-primary-soft text-transparent shadow-name'
    : 'rounded-xs bg-primary-soft-2 px-1 text-on-primary-soft'
  return text.split(PIECES).map((piece, index) => (
    // The index is a stable key, because the parts keep their order.
    <Fragment key={index}>{index % 2 === 0 ? piece : <mark className={mark}>{piece}</mark>}</Fragment>
  ))
}
