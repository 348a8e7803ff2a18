// A group of checks with its title, and one check.
import { type ReactNode, useId } from 'react'
import { Badge } from '#ui/primitives/badge.tsx'
import { CHECKING } from './texts.ts'

export function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-16 font-semibold">
        {title}
      </h2>
      <dl className="rounded-lg bg-surface px-4 shadow-card">{children}</dl>
    </section>
  )
}

export function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 border-b border-border py-2 last:border-b-0">
      <dt className="text-text-2 wrap-anywhere">{name}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium wrap-anywhere tabular-nums">{children}</dd>
    </div>
  )
}

/** One row of the page. Its `isGood` is null until the check has a result. */
export function Check({ name, isGood, words }: { name: string; isGood: boolean | null; words: string }) {
  return (
    <Row name={name}>
      {isGood === null ? (
        <Badge tone="neutral">{CHECKING}</Badge>
      ) : (
        <Badge tone={isGood ? 'success' : 'danger'}>{words}</Badge>
      )}
    </Row>
  )
}
