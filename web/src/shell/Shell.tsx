// The frame around every page: navigation on the left, search, project and person on top.
import {
  Anchor,
  AppShell,
  Burger,
  Group,
  NavLink,
  Skeleton,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { IconClock, IconSearch } from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMe } from '../api/use-me.ts';
import { useProject } from '../api/use-project.ts';
import { destinations } from './navigation.ts';
import { ProjectSwitcher } from './ProjectSwitcher.tsx';
import classes from './Shell.module.css';
import { UserMenu } from './UserMenu.tsx';
import { useGoKeys } from './use-go-keys.ts';

const CommandPalette = lazy(() => import('./CommandPalette.tsx'));

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isPaletteWanted, setPaletteWanted] = useState(false);
  const me = useMe();
  const project = useProject() ?? me.team ?? undefined;
  const { pathname } = useLocation();
  const openPalette = () => {
    setPaletteWanted(true);
    spotlight.open();
  };
  useHotkeys([['mod+K', openPalette]]);
  useGoKeys(project?.id);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      classNames={{ main: classes.main }}
    >
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Anchor component={Link} to="/" className={classes.brand} aria-label="Tenrec, to the start">
              <img src={`${import.meta.env.BASE_URL}mark.svg`} alt="" width={28} height={28} />
              <Text fw={700} visibleFrom="sm" c="var(--mantine-color-text)">
                Tenrec
              </Text>
            </Anchor>
            <ProjectSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <UnstyledButton className={classes.search} onClick={openPalette}>
              <IconSearch size={16} />
              <VisuallyHidden hiddenFrom="sm">Search</VisuallyHidden>
              <Text size="sm" visibleFrom="sm">
                Search
              </Text>
              <Text size="xs" visibleFrom="sm" component="kbd">
                Ctrl K
              </Text>
            </UnstyledButton>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Main">
        <Stack gap={2} flex={1} className={classes.links}>
          {project &&
            destinations.map(({ label, path, covers = [], icon: Icon }) => {
              const home = `/project/${project.id}`;
              const href = home + path;
              const isHere = [path, ...covers].some((each) => `${pathname}/`.startsWith(`${home}${each}/`));
              return (
                <NavLink
                  key={path}
                  component={Link}
                  to={href}
                  label={label}
                  leftSection={<Icon size={18} stroke={1.75} />}
                  active={isHere}
                  aria-current={isHere ? 'page' : undefined}
                  onClick={close}
                />
              );
            })}
        </Stack>
        {project && (
          <Tooltip label="Days begin and end in this time zone; every time is shown in it" withArrow>
            <Group gap={6} p="xs" c="dimmed" tabIndex={0}>
              <IconClock size={14} />
              <Text size="xs">{project.timezone}</Text>
            </Group>
          </Tooltip>
        )}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense fallback={<Skeleton height={200} />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      {isPaletteWanted && (
        <Suspense>
          <CommandPalette projectId={project?.id} />
        </Suspense>
      )}
    </AppShell>
  );
}
