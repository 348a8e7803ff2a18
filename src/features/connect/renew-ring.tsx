// A ring that shows the code's remaining time, with the seconds as text.
import { type Code, type Connection, RENEW_MS, secondsLeft } from './connection-steps.ts'

const newCodeIn = (seconds: number) => `Novo código em ${seconds} s`

const RADIUS = 7
const ROUND = 2 * Math.PI * RADIUS

export function RenewRing({
  connection,
  code,
  nowMs,
}: {
  connection: Connection
  code: Code
  nowMs: number
}) {
  const seconds = secondsLeft(connection, nowMs)
  const left = (seconds * 1000) / RENEW_MS
  return (
    <p
      className="mt-3 flex items-center gap-2 text-13 text-text-3 tabular-nums"
      title={`Código ${code.count} de ${code.limit}`}
    >
      <svg
        width="18"
        height="18"
        viewBox="0 0 18 18"
        aria-hidden
        className="-rotate-90 fill-none stroke-[2.5]"
      >
        <circle cx="9" cy="9" r={RADIUS} className="stroke-surface-3" />
        <circle
          cx="9"
          cy="9"
          r={RADIUS}
          strokeLinecap="round"
          strokeDasharray={`${left * ROUND} ${ROUND}`}
          className="stroke-primary"
        />
      </svg>
      {newCodeIn(Math.ceil(seconds))}
    </p>
  )
}
