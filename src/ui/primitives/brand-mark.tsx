// The portal's sign: a house that speaks, its door lit.
import { classNames } from './class-names.ts'

export function BrandMark({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden className={classNames('shrink-0', className)}>
      <rect width="64" height="64" rx="17" className="fill-brand" />
      <path
        d="M14 30.5 30.2 16.6a2.8 2.8 0 0 1 3.6 0L50 30.5V43a5 5 0 0 1-5 5H27.5l-8.1 6.2c-1 .8-2.4 0-2.4-1.2V48a3 3 0 0 1-3-3Z"
        className="fill-brand-light"
      />
      <path d="M27.5 48V38.5a4.5 4.5 0 0 1 9 0V48Z" className="fill-brand-sun" />
    </svg>
  )
}
