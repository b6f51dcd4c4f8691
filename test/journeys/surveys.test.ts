// Surveys: managed by people, shown by SDKs to whom they are meant for, and counted from what SDKs report.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertEvents } from '../../src/store/tables/insert.ts';
import { endAnswered } from '../../src/surveys/end-answered.ts';
import { spreadAnswers } from '../../src/surveys/spread-answers.ts';
import { makeEvent, openTestTables, SOME_DAY, type TestTables } from '../tables.ts';
import { type FlagsApp, startFlagsApp } from './flags-app.ts';

let app: FlagsApp;
let tables: TestTables;
before(async () => {
  tables = await openTestTables();
  const { store } = tables;
  app = await startFlagsApp(undefined, store);
});
after(async () => {
  await app[Symbol.asyncDispose]();
  await tables[Symbol.asyncDispose]();
});

const question = { type: 'open', question: 'How do you like it?' };
const targeting = {
  groups: [{ properties: [{ key: 'plan', value: 'pro', type: 'person' }], rollout_percentage: 100 }],
};

async function create(body: object) {
  const { status, body: survey, text } = await app.api('POST', '/surveys/', { type: 'popover', ...body });
  assert.equal(status, 201, text);
  return survey;
}
const publicList = async () => (await app.send('GET', `/api/surveys/?token=${app.token}`)).body;
const flagsOf = async (distinct_id: string, person_properties: object = {}) =>
  (await app.post('/flags/?v=2', { distinct_id, person_properties })).body.flags;

test('a survey is made, read, listed, changed and deleted, with the flags that were made for it', async () => {
  const survey = await create({ name: 'Taste', questions: [question], targeting_flag_filters: targeting });
  assert.match(survey.targeting_flag.key, /^survey-targeting-[0-9a-f]{10}$/);
  assert.match(survey.internal_targeting_flag.key, /^survey-targeting-[0-9a-f]{10}-custom$/);
  assert.equal(survey.targeting_flag.name, 'Targeting flag for survey Taste');
  assert.deepEqual([survey.targeting_flag.active, survey.internal_targeting_flag.active], [false, false]);
  assert.deepEqual([survey.schedule, survey.created_by.email !== '', survey.linked_flag], ['once', true, null]);
  assert.equal(survey.response_sampling_interval_type, 'week');
  assert.match(survey.questions[0].id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    survey.feature_flag_keys.map(({ key }: { key: string }) => key),
    ['linked_flag_key', 'targeting_flag_key', 'internal_targeting_flag_key', 'internal_response_sampling_flag_key'],
  );
  assert.deepEqual((await app.api('GET', `/surveys/${survey.id}/`)).body, survey);
  const { body: list } = await app.api('GET', '/surveys/?search=tast');
  assert.deepEqual([list.count, list.results[0].id], [1, survey.id]);
  assert.equal((await app.api('GET', '/feature_flags/')).body.count, 0, 'the flags of surveys are not listed');

  const { body: changed } = await app.api('PATCH', `/surveys/${survey.id}/`, { description: 'For pros' });
  assert.equal(changed.description, 'For pros');
  assert.equal(changed.internal_targeting_flag.version, 1, 'what does not concern its flags leaves them alone');
  const { body: activity } = await app.api('GET', `/surveys/${survey.id}/activity/`);
  assert.deepEqual(
    activity.results.map(({ activity }: { activity: string }) => activity),
    ['updated', 'created'],
  );

  assert.equal((await app.api('DELETE', `/surveys/${survey.id}/`)).status, 204);
  assert.equal((await app.api('GET', `/surveys/${survey.id}/`)).status, 404);
  const { body: flag } = await app.api('GET', `/feature_flags/${survey.targeting_flag.id}/`);
  assert.equal(flag.deleted, true);
});

test('a survey that runs is told to SDKs, with the flags that decide who is asked', async () => {
  const linkedId = await app.addFlag('linked', { groups: [{ rollout_percentage: 100 }] });
  assert.equal((await app.post('/decide/?v=3', { distinct_id: 'x' })).body.surveys, false);
  const survey = await create({
    name: 'Shown',
    questions: [question],
    conditions: { url: '/shop' },
    appearance: { color: 'red' },
    linked_flag_id: linkedId,
    targeting_flag_filters: targeting,
    start_date: '2026-01-02T03:04:05Z',
  });
  const internal = survey.internal_targeting_flag.key;
  const target = survey.targeting_flag.key;
  const { surveys, survey_config } = await publicList();
  assert.equal(survey_config, null);
  assert.deepEqual(surveys, [
    {
      id: survey.id,
      name: 'Shown',
      type: 'popover',
      linked_flag_key: 'linked',
      targeting_flag_key: target,
      internal_targeting_flag_key: internal,
      questions: survey.questions,
      conditions: { url: '/shop' },
      appearance: { color: 'red' },
      start_date: '2026-01-02T03:04:05.000000Z',
      end_date: null,
      current_iteration: null,
      current_iteration_start_date: null,
      schedule: 'once',
      enable_partial_responses: false,
    },
  ]);
  assert.equal((await app.post('/decide/?v=3', { distinct_id: 'x' })).body.surveys, true);
  const { body: config } = await app.send('GET', `/array/${app.token}/config`);
  assert.deepEqual(config.surveys, surveys);
  assert.equal((await app.api('GET', `/feature_flags/${linkedId}/`)).body.surveys[0].id, survey.id);

  const fresh = await flagsOf('ann', { plan: 'pro' });
  assert.deepEqual([fresh[internal].enabled, fresh[target].enabled], [true, true]);
  const answered = await flagsOf('ann', { [`$survey_responded/${survey.id}`]: true });
  assert.deepEqual([answered[internal].enabled, answered[target].enabled], [false, false]);

  await app.api('PATCH', `/surveys/${survey.id}/`, { end_date: '2026-02-02T00:00:00Z' });
  assert.equal((await flagsOf('ann'))[internal], undefined, 'a survey that has ended asks nobody');
  await app.api('PATCH', `/surveys/${survey.id}/`, { archived: true });
  assert.deepEqual((await publicList()).surveys, []);
  assert.equal((await app.post('/decide/?v=3', { distinct_id: 'x' })).body.surveys, false);
});

test('a survey that comes again asks again in every round', async () => {
  const survey = await create({
    name: 'Weekly',
    questions: [question],
    schedule: 'recurring',
    start_date: new Date(Date.now() - 8 * 86_400_000).toISOString(),
    iteration_count: 3,
    iteration_frequency_days: 7,
  });
  assert.deepEqual([survey.current_iteration, survey.iteration_start_dates.length], [2, 3]);
  const key = survey.internal_targeting_flag.key;
  const lastRound = await flagsOf('bob', { [`$survey_responded/${survey.id}/1`]: true });
  const thisRound = await flagsOf('bob', { [`$survey_responded/${survey.id}/2`]: true });
  assert.deepEqual([lastRound[key].enabled, thisRound[key].enabled], [true, false]);
});

const refusals: [string, object, string, string | null, string?][] = [
  ['no name', { name: undefined }, 'This field is required.', 'name', 'required'],
  ['a name twice', { name: 'Taken' }, 'There is already a survey with this name.', 'name', 'unique'],
  ['no such flag', { linked_flag_id: 999_999 }, 'Feature Flag with this ID does not exist', null],
  ['questions that are none', { questions: 'what?' }, 'Questions must be a list of objects', 'questions'],
  ['a question without text', { questions: [{ type: 'open' }] }, 'Question text is required', 'questions'],
  [
    'choices that are no texts',
    { questions: [{ ...question, type: 'single_choice', choices: [1] }] },
    'Question choices must be a list of strings',
    'questions',
  ],
  [
    'no choices',
    { questions: [{ ...question, type: 'single_choice', choices: [] }] },
    'Question choices cannot be empty',
    'questions',
  ],
  [
    'a link elsewhere',
    { questions: [{ ...question, type: 'link', link: 'ftp://x.io' }] },
    'Link must be a URL with one of these schemes: [https, mailto]',
    'questions',
  ],
  [
    'half a mail address',
    { questions: [{ ...question, type: 'link', link: 'mailto:ann' }] },
    'Invalid mailto link. Please enter a valid mailto link (e.g., mailto:example@domain.com).',
    'questions',
  ],
  [
    'half an address',
    { questions: [{ ...question, type: 'link', link: 'https://nowhere' }] },
    'Invalid HTTPS URL. Please enter a valid HTTPS link.',
    'questions',
  ],
  ['an appearance that is none', { appearance: 'red' }, 'Appearance must be an object', 'appearance'],
  ['conditions that are none', { conditions: [] }, 'Conditions must be an object', 'conditions'],
  [
    'answers spread too thin',
    { response_sampling_interval_type: 'month', response_sampling_interval: 1_000 },
    'Answers are spread over 3650 days at most.',
    'response_sampling_interval',
  ],
  ['a schedule that is none', { schedule: 'daily' }, 'Schedule must be one of: once, recurring, always', 'schedule'],
  [
    'targeting that leaves nobody out',
    { targeting_flag_filters: { groups: [{ properties: [], rollout_percentage: 100 }] } },
    'Invalid operation: User targeting rolls out to everyone. If you want to roll out to everyone, delete this targeting',
    null,
    'invalid',
  ],
];

test('what makes no survey is refused in the words that clients know', async () => {
  await create({ name: 'Taken' });
  for (const [what, given, detail, attr, code = 'invalid_input'] of refusals) {
    const { status, body } = await app.api('POST', '/surveys/', { name: 'New', type: 'popover', ...given });
    assert.deepEqual([what, status, body], [what, 400, { type: 'validation_error', code, detail, attr }]);
  }
});

test('whoever asks for surveys without a key, or with one that nobody has, is told so', async () => {
  const { status, body } = await app.send('GET', '/api/surveys/', undefined, { origin: 'https://shop.example' });
  assert.deepEqual([status, body.code], [401, 'missing_api_key']);
  const unknown = await app.send('GET', '/api/surveys?token=phc_nobody', undefined, { origin: 'https://shop.example' });
  assert.deepEqual([unknown.status, unknown.body.code], [401, 'invalid_api_key']);
  assert.equal(unknown.headers.get('access-control-allow-origin'), 'https://shop.example');
});

test('answers are counted from events: once each, and whoever answered has not dismissed', async () => {
  const survey = await create({ name: 'Counted', questions: [question] });
  let n = 0;
  const event = (name: string, person: number, more: object = {}) => {
    n += 1;
    const properties = JSON.stringify({ $survey_id: survey.id, ...more });
    const person_id = `11111111-1111-5111-8111-${String(person).padStart(12, '0')}`;
    return makeEvent(n, { team_id: app.project.id, event: name, properties, distinct_id: `p${person}`, person_id });
  };
  await insertEvents(
    tables.client,
    [
      event('survey shown', 1),
      event('survey shown', 2),
      event('survey shown', 3),
      event('survey shown', 4),
      event('survey sent', 1, { $survey_submission_id: 'one' }),
      event('survey sent', 1, { $survey_submission_id: 'one', $survey_completed: true }),
      event('survey sent', 2),
      event('survey dismissed', 2),
      event('survey dismissed', 3),
      event('survey dismissed', 3, { $survey_partially_completed: true }),
      event('survey sent', 5, { $survey_id: 'another' }),
    ],
    'surveys',
  );
  const { body } = await app.api('GET', `/surveys/${survey.id}/stats/`);
  assert.deepEqual(body.rates, {
    response_rate: 50,
    dismissal_rate: 50,
    unique_users_response_rate: 50,
    unique_users_dismissal_rate: 25,
  });
  const { 'survey shown': shown, 'survey sent': sent, 'survey dismissed': dismissed } = body.stats;
  assert.deepEqual([shown.total_count, shown.unique_persons, shown.unique_persons_only_seen], [4, 4, 1]);
  assert.deepEqual([sent.total_count, sent.unique_persons], [2, 2]);
  assert.deepEqual([dismissed.total_count, dismissed.unique_persons], [2, 1]);
  assert.equal(shown.first_seen, new Date(SOME_DAY / 1_000 + 1_000).toISOString());
  assert.equal(body.survey_id, survey.id);

  assert.deepEqual((await app.api('GET', '/surveys/responses_count/')).body, { [survey.id]: 2 });
  const { body: none } = await app.api('GET', `/surveys/${survey.id}/stats/?date_from=2030-01-01`);
  assert.deepEqual([none.stats['survey sent'].total_count, none.rates.response_rate], [0, 0]);
  assert.equal((await app.api('GET', `/surveys/${survey.id}/stats/?date_from=soon`)).status, 400);
});

test('a survey that has the answers it wanted ends by itself, once', async () => {
  const start_date = new Date(Date.now() - 86_400_000).toISOString();
  const enough = await create({ name: 'Enough', questions: [question], start_date, responses_limit: 2 });
  const wanting = await create({ name: 'Wanting', questions: [question], start_date, responses_limit: 3 });
  const sent = (n: number, $survey_id: string) =>
    makeEvent(1_000 + n, {
      team_id: app.project.id,
      event: 'survey sent',
      properties: JSON.stringify({ $survey_id, $survey_submission_id: `answer ${n}` }),
    });
  const answers = [enough.id, enough.id, wanting.id, wanting.id].map((id, n) => sent(n, id));
  await insertEvents(tables.client, answers, 'limited');

  await endAnswered({ db: app.db, store: tables.store });

  const read = async ({ id }: { id: string }) => (await app.api('GET', `/surveys/${id}/`)).body;
  const [ended, running] = [await read(enough), await read(wanting)];
  assert.deepEqual([ended.end_date !== null, ended.responses_limit], [true, null]);
  assert.equal(ended.internal_targeting_flag.active, false);
  assert.deepEqual([running.end_date, running.responses_limit], [null, 3]);
  await app.api('PATCH', `/surveys/${enough.id}/`, { end_date: null });
  await endAnswered({ db: app.db, store: tables.store });
  assert.equal((await read(enough)).end_date, null);
});

test('answers that are spread over days: only a part of the people is asked, and nobody else when a day has enough', async () => {
  const spread = {
    response_sampling_start_date: new Date().toISOString(),
    response_sampling_interval_type: 'day',
    response_sampling_interval: 2,
    response_sampling_limit: 2,
  };
  const survey = await create({ name: 'Spread', questions: [question], start_date: '2026-01-02T03:04:05Z', ...spread });
  const { value: key } = survey.feature_flag_keys[3];
  const isAsked = async () => {
    const asked = await Promise.all(Array.from({ length: 40 }, (_, at) => flagsOf(`somebody-${at}`)));
    return asked.filter((flags) => flags[key].enabled).length;
  };
  const toldToSdks = async () => (await publicList()).surveys.find(({ id }: { id: string }) => id === survey.id);

  assert.match(key, /^survey-targeting-[0-9a-f]{10}-sampling$/);
  assert.equal(survey.response_sampling_daily_limits.length, 2);
  assert.deepEqual((await toldToSdks()).feature_flag_keys, [
    { key: 'internal_response_sampling_flag_key', value: key },
  ]);
  const part = await isAsked();
  assert.ok(part > 5 && part < 35, `${part} of 40`);

  const properties = JSON.stringify({ $survey_id: survey.id });
  const answer = makeEvent(2_000, { team_id: app.project.id, event: 'survey sent', properties });
  await insertEvents(tables.client, [answer], 'spread');
  await spreadAnswers({ db: app.db, store: tables.store });
  await app.definitions.refresh(app.project.id);
  assert.equal(await isAsked(), 0);

  await app.api('PATCH', `/surveys/${survey.id}/`, { name: 'Spread thin' });
  assert.equal(await isAsked(), 0, 'what does not concern the plan leaves its flag alone');
  const { body: open } = await app.api('PATCH', `/surveys/${survey.id}/`, { response_sampling_limit: null });
  assert.equal(open.feature_flag_keys[3].value, null);
  assert.equal((await toldToSdks()).feature_flag_keys, undefined);
});
