// The table of settings in docs/configuration.md, printed from server/env.ts.
import { VARIABLES } from '#server/env.ts'

const START = '<!-- settings: printed by npm run docs:env -->'
const END = '<!-- /settings -->'

/** Returns the page with a fresh table between its two markers; throws if they are missing. */
export function withSettingsTable(page: string): string {
  const [before, rest, ...more] = page.split(START)
  const [, after, ...tail] = rest?.split(END) ?? []
  if (before === undefined || after === undefined || more.length + tail.length > 0)
    throw new Error(`docs/configuration.md must hold ${START} and ${END} once each`)
  return `${before}${START}\n\n${settingsTable()}\n\n${END}${after}`
}

function settingsTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const isSecret = 'secret' in variable
    return `| \`${name}\` | ${variable.doc} | ${defaultOf(variable)} | ${isSecret ? 'yes' : ''} |`
  })
  return ['| variable | meaning | default | secret |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function defaultOf(variable: { doc: string; fallback?: string; shown?: string }): string {
  if (variable.shown !== undefined) return variable.shown
  return variable.fallback === undefined ? '' : `\`${variable.fallback}\``
}
