// The minimum work of a Node server between client and Postgres: one prepared statement per request, without session,
// rights or compression. `node bare-server.mjs URL SQL [FIRST LAST]`: with the two ids, each request uses the next id
// as $1.
import { createServer } from 'node:http'
import pg from 'pg'

const [url, text = '', first, last] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
let id = Number(first)

const server = createServer((_request, response) => {
  id = id >= Number(last) ? Number(first) : id + 1
  pool.query({ name: 'asked', text, values: first === undefined ? [] : [id], rowMode: 'array' }).then(
    ({ rows }) => response.setHeader('content-type', 'application/json').end(rows[0]?.[0]),
    () => response.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
