// A number that rolls when it changes, but not when it is first shown.
import { useState } from 'react'
import { classNames } from '#ui/primitives/class-names.ts'
import { formatNumber } from '#domain/count.ts'

export function Count({ value }: { value: number }) {
  const [first] = useState(value)
  const [hasChanged, setChanged] = useState(false)
  if (value !== first && !hasChanged) setChanged(true)
  return (
    <span key={value} className={classNames('inline-block', hasChanged && 'animate-roll')}>
      {formatNumber(value)}
    </span>
  )
}
