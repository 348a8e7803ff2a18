// An illustration beside the administrators' form: a building at night with four lit windows.

const COLUMNS = 8
const ROWS = 13
const LIT = new Set([13, 34, 46, 59])
const SHADES = [0.045, 0.059, 0.073, 0.087, 0.101]

export function LitWindows() {
  return (
    <svg
      viewBox="0 0 680 900"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden
      className="size-full bg-brand-wall"
    >
      {Array.from({ length: COLUMNS * ROWS }, (_, index) => (
        <rect
          key={index}
          x={14.5 + 85 * (index % COLUMNS)}
          y={18 + 74 * Math.floor(index / COLUMNS)}
          width={56}
          height={42}
          rx={5}
          className={LIT.has(index) ? 'fill-brand-sun' : 'fill-brand-light'}
          opacity={LIT.has(index) ? 1 : SHADES[(index * index * 7 + index * 3) % SHADES.length]}
        />
      ))}
      <linearGradient id="night" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0.62" className="[stop-color:var(--color-brand-wall)]" stopOpacity="0" />
        <stop offset="1" className="[stop-color:var(--color-brand-night)]" />
      </linearGradient>
      <rect width="680" height="900" fill="url(#night)" />
    </svg>
  )
}
