// A text with each {nome} in it standing out. design/png/phone-08, phone-09.
import { Fragment } from 'react'
import { NAME_PLACEHOLDER } from '#domain/placeholder.ts'

const PIECES = new RegExp(`(${NAME_PLACEHOLDER.replace(/[{}]/g, '\\$&')})`, 'i')

/** `isBehind`: under a box whose letters stand in the same places, so that the mark may not take room. */
export function NamedText({ text, isBehind = false }: { text: string; isBehind?: boolean }) {
  return text.split(PIECES).map((piece, index) =>
    index % 2 === 0 ? (
      // oxlint-disable-next-line react/no-array-index-key -- pieces have no name but their place
      <Fragment key={index}>{piece}</Fragment>
    ) : (
      <mark
        // oxlint-disable-next-line react/no-array-index-key
        key={index}
        className={
          isBehind
            ? 'rounded-xs bg-primary-soft text-transparent shadow-name'
            : 'rounded-xs bg-primary-soft-2 px-1 text-on-primary-soft'
        }
      >
        {piece}
      </mark>
    ),
  )
}
