// What the navigation and the command palette offer, in the order of the data's way.
import {
  IconBolt,
  IconChartLine,
  IconDatabaseExport,
  IconFlag,
  IconHeartbeat,
  IconLayoutDashboard,
  IconMessageQuestion,
  IconRocket,
  IconSettings,
  IconSparkles,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';

export interface Destination {
  label: string;
  /** Words that find it in the command palette beside its label. */
  about: string;
  /** Below `/project/<id>`. */
  path: string;
  icon: TablerIcon;
  /** `g` and then this key goes there. */
  key: string;
  /** Other paths that belong to it. */
  covers?: readonly string[];
}

export const destinations: readonly Destination[] = [
  {
    label: 'Dashboards',
    about: 'Charts side by side, shared with others',
    path: '/dashboards',
    icon: IconLayoutDashboard,
    key: 'd',
  },
  {
    label: 'Insights',
    about: 'Questions: trends, funnels, retention, paths, SQL',
    path: '/insights',
    icon: IconChartLine,
    key: 'i',
  },
  {
    label: 'Events',
    about: 'What happened: explorer, live feed, names and properties',
    path: '/events',
    covers: ['/definitions'],
    icon: IconBolt,
    key: 'e',
  },
  {
    label: 'People',
    about: 'Persons, groups and cohorts',
    path: '/persons',
    covers: ['/person', '/groups', '/cohorts'],
    icon: IconUsers,
    key: 'p',
  },
  {
    label: 'Feature flags',
    about: 'Switches in your code, for some people or for all',
    path: '/flags',
    icon: IconFlag,
    key: 'f',
  },
  {
    label: 'Early access',
    about: 'Features that people choose to try',
    path: '/early-access',
    icon: IconSparkles,
    key: 'a',
  },
  {
    label: 'Surveys',
    about: 'Ask people in your app, and read the answers',
    path: '/surveys',
    icon: IconMessageQuestion,
    key: 's',
  },
  {
    label: 'Batch exports',
    about: 'Everything that arrives, shipped to buckets and databases',
    path: '/exports',
    icon: IconDatabaseExport,
    key: 'x',
  },
  {
    label: 'Health',
    about: 'What became of events, warnings, sizes and disk',
    path: '/health',
    icon: IconHeartbeat,
    key: 'h',
  },
  {
    label: 'Send events',
    about: 'Snippets with your key, and the first event as it arrives',
    path: '/welcome',
    icon: IconRocket,
    key: 'w',
  },
  {
    label: 'Settings',
    about: 'Name, time zone, key, test accounts, what is taken in',
    path: '/settings',
    icon: IconSettings,
    key: 't',
  },
];
