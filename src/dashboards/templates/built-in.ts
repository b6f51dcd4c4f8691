// The templates that come with the program: what a product team looks at in its first weeks.
import type { Dict } from '../shapes.ts';
import type { DashboardTemplate } from './wire.ts';

/** The oldest of them; the others may be chosen by `template_name` like it. */
export const DEFAULT_APP = 'DEFAULT_APP';

// Questions

interface Series {
  event: string | null;
  name?: string;
  math?: 'dau' | 'monthly_active' | 'total' | 'unique_session' | 'first_time_for_user';
}

/** A place for an event that whoever uses the template chooses. */
type Chosen = `{${string}}`;
type Entry = Series | Chosen;

const series = ({ event, name = event ?? 'All events', math }: Series): Dict => ({
  kind: 'EventsNode',
  event,
  name,
  ...(math && { math }),
});
const entry = (given: Entry) => (typeof given === 'string' ? given : series(given));
const shown = (source: Dict): Dict => ({ kind: 'InsightVizNode', source });

interface Trend {
  interval?: 'hour' | 'day' | 'week' | 'month';
  date_from: string;
  display?: string;
  /** The event property that splits the numbers. */
  by?: string;
  formula?: string;
}

const trend = (of: readonly Entry[], { interval = 'day', date_from, display, by, formula }: Trend): Dict =>
  shown({
    kind: 'TrendsQuery',
    series: of.map(entry),
    interval,
    dateRange: { date_from },
    trendsFilter: { ...(display && { display }), ...(formula && { formula }) },
    ...(by && { breakdownFilter: { breakdown: by, breakdown_type: 'event' } }),
  });

const funnel = (steps: readonly Entry[], { by, date_from = '-30d' }: { by?: string; date_from?: string } = {}): Dict =>
  shown({
    kind: 'FunnelsQuery',
    series: steps.map(entry),
    dateRange: { date_from },
    funnelsFilter: { funnelVizType: 'steps', funnelOrderType: 'ordered' },
    ...(by && { breakdownFilter: { breakdown: by, breakdown_type: 'event' } }),
  });

const retention = (first: string, then: string, period: 'Day' | 'Week' | 'Month', firstTime = true): Dict =>
  shown({
    kind: 'RetentionQuery',
    retentionFilter: {
      period,
      totalIntervals: 8,
      retentionType: firstTime ? 'retention_first_time' : 'retention_recurring',
      targetEntity: { id: first, name: first, type: 'events' },
      returningEntity: { id: then, name: then, type: 'events' },
    },
  });

const lifecycle = (event: string, interval: 'day' | 'week' | 'month', date_from: string): Dict =>
  shown({ kind: 'LifecycleQuery', series: [series({ event })], interval, dateRange: { date_from } });

const stickiness = (event: string, date_from: string): Dict =>
  shown({
    kind: 'StickinessQuery',
    series: [series({ event, math: 'dau' })],
    interval: 'day',
    dateRange: { date_from },
  });

// Tiles

type Color = 'blue' | 'green' | 'purple' | 'black' | 'white';
interface Asked {
  name: string;
  description: string;
  color: Color;
  query: Dict;
}

const COLUMNS = 2;

/** Two beside each other on a wide screen, one below the other on a narrow one. */
const layoutAt = (index: number): Dict => ({
  sm: { x: (index % COLUMNS) * 6, y: Math.floor(index / COLUMNS) * 5, w: 6, h: 5, minW: 3, minH: 5 },
  xs: { x: 0, y: index * 5, w: 1, h: 5, minW: 1, minH: 5 },
});

const toTile = (tile: Asked, index: number): Dict => ({ type: 'INSIGHT', ...tile, layouts: layoutAt(index) });
const ask = (name: string, description: string, color: Color, query: Dict): Asked => ({
  name,
  description,
  color,
  query,
});

interface Placeholder {
  id: string;
  name: string;
  event: string;
  description: string;
}

/** What whoever uses the template chooses; its default stands there until then. */
const variable = ({ id, name, event, description }: Placeholder): Dict => ({
  id,
  name,
  type: 'event',
  default: series({ event, math: 'dau' }),
  description,
  required: true,
});

function builtIn(
  id: string,
  template_name: string,
  dashboard_description: string,
  tags: string[],
  asked: readonly Asked[],
  placeholders: readonly Placeholder[] = [],
): DashboardTemplate {
  return {
    id,
    template_name,
    dashboard_description,
    dashboard_filters: {},
    tags,
    tiles: asked.map(toTile),
    variables: placeholders.map(variable),
    deleted: false,
    created_at: '2025-01-01T00:00:00Z',
    created_by: null,
    image_url: null,
    team_id: null,
    scope: 'global',
  };
}

const PAGEVIEW = '$pageview';
const CALLED = '$feature_flag_called';
const visitors: Series = { event: PAGEVIEW, math: 'dau' };
const viewed: Series = { event: PAGEVIEW };

export const builtInTemplates: readonly DashboardTemplate[] = [
  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0001',
    DEFAULT_APP,
    'The first numbers of a product.',
    [],
    [
      ask(
        'Daily active users (DAUs)',
        'How many people use the product every day.',
        'blue',
        trend([visitors], { date_from: '-30d' }),
      ),
      ask(
        'Weekly active users (WAUs)',
        'How many people use the product every week.',
        'green',
        trend([visitors], { interval: 'week', date_from: '-90d' }),
      ),
      ask(
        'Retention',
        'How many people come back in the weeks after their first.',
        'blue',
        retention(PAGEVIEW, PAGEVIEW, 'Week'),
      ),
      ask(
        'Growth accounting',
        'How many people are new, returning, resurrecting and dormant each week.',
        'purple',
        lifecycle(PAGEVIEW, 'week', '-30d'),
      ),
      ask(
        'Referring domain (last 14 days)',
        'Where people come from.',
        'black',
        trend([visitors], { date_from: '-14d', display: 'ActionsBarValue', by: '$referring_domain' }),
      ),
      ask(
        'Pageview funnel, by browser',
        'How many people look at a second and a third page.',
        'green',
        funnel([viewed, viewed, viewed], { by: '$browser' }),
      ),
    ],
  ),

  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0002',
    'Activation funnel',
    'How newcomers get to the moment the product is for.',
    ['activation'],
    [
      ask(
        'From sign-up to activation',
        'How many of those who sign up reach the moment that matters.',
        'blue',
        funnel(['{SIGN_UP}', '{ACTIVATION}']),
      ),
      ask(
        'Activation by browser',
        'Where newcomers get stuck.',
        'green',
        funnel(['{SIGN_UP}', '{ACTIVATION}'], { by: '$browser' }),
      ),
      ask('Sign-ups', 'New people every day.', 'purple', trend(['{SIGN_UP}'], { date_from: '-30d' })),
      ask(
        'Activated people',
        'People who reach the moment that matters, every day.',
        'green',
        trend(['{ACTIVATION}'], { date_from: '-30d' }),
      ),
      ask(
        'Activation rate by week',
        'Activated people as a share of sign-ups.',
        'black',
        trend(['{ACTIVATION}', '{SIGN_UP}'], { interval: 'week', date_from: '-90d', formula: 'A/B' }),
      ),
      ask(
        'Activated people who stay',
        'Whether activation predicts coming back.',
        'blue',
        retention('activated', PAGEVIEW, 'Week'),
      ),
    ],
    [
      { id: 'SIGN_UP', name: 'Sign-up', event: 'signed up', description: 'The event of somebody signing up.' },
      {
        id: 'ACTIVATION',
        name: 'Activation',
        event: 'activated',
        description: 'The event of somebody getting what the product is for.',
      },
    ],
  ),

  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0003',
    'Retention',
    'Who comes back, how soon and how often.',
    ['retention'],
    [
      ask('Daily retention of newcomers', 'The days after the first.', 'blue', retention(PAGEVIEW, PAGEVIEW, 'Day')),
      ask(
        'Weekly retention of newcomers',
        'The weeks after the first.',
        'green',
        retention(PAGEVIEW, PAGEVIEW, 'Week'),
      ),
      ask(
        'Monthly retention of everyone',
        'The months after any visit.',
        'purple',
        retention(PAGEVIEW, PAGEVIEW, 'Month', false),
      ),
      ask('Stickiness', 'On how many days of the last 30 people come.', 'black', stickiness(PAGEVIEW, '-30d')),
      ask(
        'Daily over monthly active people',
        'How much of the month people are here: higher is stickier.',
        'green',
        trend([visitors, { event: PAGEVIEW, math: 'monthly_active' }], { date_from: '-30d', formula: 'A/B' }),
      ),
    ],
  ),

  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0004',
    'Growth accounting',
    'Where growth comes from, and where people are lost.',
    ['growth'],
    [
      ask(
        'Weekly growth accounting',
        'New, returning, resurrecting and dormant people.',
        'purple',
        lifecycle(PAGEVIEW, 'week', '-90d'),
      ),
      ask('Daily growth accounting', 'The same for every day.', 'blue', lifecycle(PAGEVIEW, 'day', '-30d')),
      ask(
        'First visits',
        'People who have never been here before.',
        'green',
        trend([{ event: PAGEVIEW, math: 'first_time_for_user' }], { interval: 'week', date_from: '-90d' }),
      ),
      ask(
        'Monthly active people',
        'How large the product is.',
        'black',
        trend([visitors], { interval: 'month', date_from: '-12m', display: 'ActionsBar' }),
      ),
    ],
  ),

  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0005',
    'Feature usage',
    'Who uses a feature, how much, and whether they stay with it.',
    ['features'],
    [
      ask('People who use it', 'Every day.', 'blue', trend(['{FEATURE}'], { date_from: '-30d' })),
      ask(
        'Times it is used',
        'Every day.',
        'green',
        trend([{ event: 'feature used', math: 'total' }], { date_from: '-30d', display: 'ActionsBar' }),
      ),
      ask(
        'Share of active people who use it',
        'Adoption by week.',
        'purple',
        trend(['{FEATURE}', visitors], { interval: 'week', date_from: '-90d', formula: 'A/B' }),
      ),
      ask(
        'People who use it again',
        'The weeks after the first time.',
        'blue',
        retention('feature used', 'feature used', 'Week'),
      ),
      ask('From visit to use', 'How many of those who come find it.', 'black', funnel([viewed, '{FEATURE}'])),
    ],
    [
      {
        id: 'FEATURE',
        name: 'Feature',
        event: 'feature used',
        description: 'The event of somebody using the feature.',
      },
    ],
  ),

  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0006',
    'Web traffic',
    'Who visits, from where, and what they look at.',
    ['web'],
    [
      ask('Visitors', 'Every day.', 'blue', trend([visitors], { date_from: '-30d' })),
      ask('Page views', 'Every day.', 'green', trend([{ event: PAGEVIEW, math: 'total' }], { date_from: '-30d' })),
      ask(
        'Sessions',
        'Every day.',
        'purple',
        trend([{ event: PAGEVIEW, math: 'unique_session' }], { date_from: '-30d' }),
      ),
      ask(
        'Pages',
        'What people look at most.',
        'black',
        trend([visitors], { date_from: '-14d', display: 'ActionsBarValue', by: '$pathname' }),
      ),
      ask(
        'Sources',
        'Where people come from.',
        'blue',
        trend([visitors], { date_from: '-14d', display: 'ActionsBarValue', by: '$referring_domain' }),
      ),
      ask(
        'Countries',
        'Where people are.',
        'green',
        trend([visitors], { date_from: '-14d', display: 'WorldMap', by: '$geoip_country_code' }),
      ),
      ask(
        'Devices',
        'What people look with.',
        'purple',
        trend([visitors], { date_from: '-14d', display: 'ActionsPie', by: '$device_type' }),
      ),
      ask('Visits by hour', 'When people come.', 'black', trend([visitors], { interval: 'hour', date_from: '-48h' })),
    ],
  ),

  builtIn(
    'a5d2f7a2-3c0e-4a51-9a53-0d6d3c1f0007',
    'Flags rollout',
    'How a feature flag reaches people, and what it does to them.',
    ['feature flags'],
    [
      ask(
        'People who were asked',
        'Every day, by flag.',
        'blue',
        trend([{ event: CALLED, math: 'dau' }], { date_from: '-30d', by: '$feature_flag' }),
      ),
      ask(
        'What they were answered',
        'People by variant.',
        'green',
        trend([{ event: CALLED, math: 'dau' }], {
          date_from: '-14d',
          display: 'ActionsBarValue',
          by: '$feature_flag_response',
        }),
      ),
      ask(
        'Calls',
        'How often flags are checked.',
        'purple',
        trend([{ event: CALLED, math: 'total' }], { date_from: '-14d' }),
      ),
      ask(
        'From flag to goal, by variant',
        'Whether a variant leads more people to what it is for.',
        'black',
        funnel([{ event: CALLED }, '{GOAL}'], { by: '$feature_flag_response' }),
      ),
    ],
    [{ id: 'GOAL', name: 'Goal', event: 'activated', description: 'The event that the flag should make more likely.' }],
  ),
];

export const findBuiltIn = (template_name: string) =>
  builtInTemplates.find((template) => template.template_name === template_name);
