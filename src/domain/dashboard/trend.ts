// The labels under the columns of the trend: short, and the larger unit only where it begins.

type Trend = { step: 'day' | 'week' | 'month' | 'year'; points: readonly { from: string }[] }

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'] as const

/** Two lines for each point: '23', and 'nov' at the first one and where a month begins. */
export function trendLabels({ step, points }: Trend): (readonly [string, string])[] {
  return points.map(({ from }, index) => {
    const [small, large] = parts(step, from)
    const before = points[index - 1]
    return [small, before && parts(step, before.from)[1] === large ? '' : large]
  })
}

function parts(step: Trend['step'], day: string): readonly [string, string] {
  const [year = '', month = '', date = ''] = day.split('-')
  const monthName = MONTHS[Number(month) - 1] ?? month
  if (step === 'year') return [year, '']
  return step === 'month' ? [monthName, year] : [date, monthName]
}
