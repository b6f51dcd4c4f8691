// Commands on a database of their own, in this process: what they say and how they end.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/db.ts';
import { runHere } from '../../test/tenrec.ts';
import { configWith } from '../config.ts';
import { bootstrap } from '../projects/bootstrap.ts';

const database = await openTestDatabase();
after(() => database.close());
await bootstrap(database.db, configWith({}));

const PASSWORD = 'correct horse battery';
const env = { DATABASE_URL: database.url, TENREC_SECRET_KEY: 'a secret key that only tests would use' };

const run = (line: string, input = '', given: Record<string, string> = env) =>
  runHere(line === '' ? [] : line.split(' '), given, input);

async function runJson(line: string, input?: string) {
  const { code, stdout, stderr } = await run(`${line} --json`, input);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test('a user is created, listed, given a password and kept out', async () => {
  const created = await runJson('user create ada@example.com --first-name=Ada --level=admin', `${PASSWORD}\n`);
  const changed = await runJson('user password ada@example.com --generate');
  await runJson('user deactivate ada@example.com');
  const listed = await runJson('user list');

  assert.equal(created.password, null);
  assert.match(changed.password, /^\w{12,}$/);
  const { email, first_name, active, organizations } = listed.at(-1);
  assert.deepEqual([email, first_name, active], ['ada@example.com', 'Ada', false]);
  assert.deepEqual([organizations[0].name, organizations[0].level], ['My organization', 'admin']);
  assert.equal((await runJson('user activate ada@example.com')).active, true);
});

test('a new password signs its user out everywhere', async () => {
  const { db } = database;
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'owner@localhost')
    .executeTakeFirstOrThrow();
  const session = { token_digest: 'digest', user_id: id, expires_at: '2100-01-01T00:00:00Z' };
  await db.insertInto('session').values(session).execute();

  await runJson('user password owner@localhost', PASSWORD);

  assert.deepEqual(await db.selectFrom('session').select('user_id').execute(), []);
});

test('a key is limited to the projects it was made for, listed masked, and revoked', async () => {
  const { id } = await runJson('project create Shop --timezone=Europe/Vienna');
  const made = await runJson(`key create --user=owner@localhost --scope=insight:read --project=${id} --project=${id}`);
  const listed = await runJson('key list --user=owner@localhost');
  await runJson(`key revoke ${made.id}`);

  assert.deepEqual([made.scopes, made.scoped_teams], [['insight:read'], [id]]);
  assert.ok(listed.some((key: { id: string; mask_value: string }) => key.mask_value === made.mask_value));
  assert.ok(!JSON.stringify(listed).includes(made.value));
  const left = await runJson('key list');
  assert.ok(!left.some((key: { id: string }) => key.id === made.id));
});

test('a user has at most ten keys', async () => {
  await runJson('user create many@example.com --generate');
  for (let n = 0; n < 10; n += 1) await runJson('key create --user=many@example.com --scope=*');

  const { code, stderr } = await run('key create --user=many@example.com --scope=*');

  assert.equal(code, 1);
  assert.match(stderr, /has 10 keys.*revoke one/);
});

const endings: { line: string; input?: string; env?: Record<string, string>; code: number; says: RegExp }[] = [
  { line: '', code: 0, says: /^Usage: tenrec <command>/m },
  { line: 'help key', code: 0, says: /^ {2}key revoke <id>/m },
  { line: '--version', code: 0, says: /^\d+\.\d+\.\d+\n$/ },
  { line: 'config', code: 0, says: /^PORT +8000 +8000/m },
  { line: 'strat', code: 2, says: /^"strat" is not a command; did you mean start\?\n$/ },
  { line: 'user list --jsn', code: 2, says: /did you mean --json\?/ },
  { line: 'user list', env: { PORT: 'x', HOST: '' }, code: 2, says: /^PORT: "x" is not [^\n]*\n$/ },
  { line: 'user password nobody@example.com --generate', code: 3, says: /There is no user nobody@example\.com/ },
  { line: 'user password owner@localhots --generate', code: 3, says: /did you mean owner@localhost\?/ },
  { line: 'user create nobody', code: 2, says: /email: Enter a valid email address/ },
  { line: 'user create eve@example.com', input: 'short', code: 2, says: /password: This password is too short/ },
  { line: 'user create eve@example.com', code: 2, says: /No password/ },
  { line: 'user create eve@example.com --level=owner', code: 2, says: /"owner" is not one of member, admin/ },
  { line: 'user create OWNER@localhost', input: PASSWORD, code: 1, says: /already a user OWNER@localhost/ },
  {
    line: 'user create eve@example.com --generate --organization=x',
    code: 3,
    says: /no organization "x"; there are: my-organization/,
  },
  { line: 'project create Shop --timezone=Mars', code: 2, says: /timezone: "Mars" is not a valid choice/ },
  { line: 'project rotate-key 4711', code: 3, says: /There is no project 4711/ },
  { line: 'project rotate-key 99999999999', code: 2, says: /is not a project id/ },
  { line: 'project rotate-key shop', code: 2, says: /"shop" is not a project id/ },
  { line: 'key create --scope=everything --user=owner@localhost', code: 2, says: /Invalid scope: everything/ },
  { line: 'key create --scope=*', code: 2, says: /Whose key\?.*--user: owner@localhost, ada@example\.com/ },
  { line: 'key create --scope=* --user=owner@localhost --project=4711', code: 3, says: /There is no project 4711/ },
  { line: 'key list --user=nobody@example.com', code: 3, says: /There is no user nobody@example\.com/ },
  { line: 'key revoke 4711', code: 3, says: /There is no key with id 4711/ },
];

for (const { line, input, env: given, code, says } of endings) {
  test(`"tenrec ${line}" ends with ${code} and says why, in the right place`, async () => {
    const ran = await run(line, input, given);

    assert.equal(ran.code, code, ran.stderr);
    assert.match(code === 0 ? ran.stdout : ran.stderr, says);
    assert.equal(code === 0 ? ran.stderr : ran.stdout, '');
  });
}

test('where there are several organizations, one has to be named', async () => {
  const values = { name: 'Other', slug: 'other' };
  await database.db.insertInto('organization').values(values).execute();

  const unnamed = await run('project create Shop');
  const named = await runJson('project create Shop --organization=other');

  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /name one with --organization: my-organization \(My organization\), other \(Other\)/);
  assert.equal(named.organization.name, 'Other');
});

test('tables older than the program are refused', async () => {
  await using old = await openTestDatabase();
  await old.pool.query('delete from tenrec_migration');

  const { code, stderr } = await run('user list', '', { ...env, DATABASE_URL: old.url });

  assert.equal(code, 1);
  assert.match(stderr, /run: tenrec migrate/);
});
