// A broker's displayed name, and valid usernames.
import { brokerLabel, displayName, onlyUsernameLetters, usernameFault } from '#domain/broker.ts'
import { broker } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

table('%s is labelled %s', brokerLabel, [
  ['corretor_camila', 'camila'],
  ['camila', 'camila'],
  ['corretor_corretor_ana', 'corretor_ana'],
  ['corretor_', 'Corretor'],
  ['corretor_ ', 'Corretor'],
  ['', 'Corretor'],
])

table('%s is shown as %s', displayName, [
  ['corretor_camila', 'Camila'],
  ['corretor_', 'Corretor'],
])

table('of %j typed %j stays', onlyUsernameLetters, [
  ['camila', 'camila'],
  ['Camila', 'camila'],
  ['João Silva', 'joaosilva'],
  ['ÇÂNDIDA', 'candida'],
  ['ana maria 2', 'anamaria'],
  ['josé_à-b', 'joseab'],
  [' 123 ', ''],
])

const camila = broker('camila')

table('the username %j is %s', (username) => usernameFault(username, [camila]), [
  ['', 'empty'],
  ['camila', 'taken'],
  ['camil', null],
])
