// `npm start`: set-up if needed, then the built portal in this process.
import { pathToFileURL } from 'node:url'
import { command, inRoot } from './root.mjs'
import { setUp } from './setup.mjs'

await command(import.meta.url, async () => {
  await setUp({ isBuildWanted: true, need: 'build' })
  await import(pathToFileURL(inRoot('dist/server/main.mjs')).href)
})
