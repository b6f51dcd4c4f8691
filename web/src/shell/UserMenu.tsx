import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconApi,
  IconBuilding,
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useChangeMe, useMe, useSignOut } from '../api/use-me.ts';
import { LateMenu } from '../ui/LateMenu.tsx';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: IconSun, mode: 'light' },
  { value: 'dark', label: 'Dark', icon: IconMoon, mode: 'dark' },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop, mode: 'system' },
] as const;

export function UserMenu() {
  const { email } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const change = useChangeMe();
  const signOut = useSignOut();

  return (
    <LateMenu
      width={230}
      button={
        <ActionIcon variant="subtle" size="lg" radius="xl" aria-label="Your account">
          <IconUserCircle size={26} stroke={1.5} />
        </ActionIcon>
      }
    >
      <Menu.Label>
        <Text size="xs" truncate>
          {email}
        </Text>
      </Menu.Label>
      <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
        Profile and password
      </Menu.Item>
      <Menu.Item component={Link} to="/account/keys" leftSection={<IconKey size={16} />}>
        Personal API keys
      </Menu.Item>
      <Menu.Item component={Link} to="/account/members" leftSection={<IconUsers size={16} />}>
        Members and invites
      </Menu.Item>
      <Menu.Item component={Link} to="/account/organization" leftSection={<IconBuilding size={16} />}>
        Organization
      </Menu.Item>
      <Menu.Item component="a" href="/api/docs/" leftSection={<IconApi size={16} />}>
        API
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Colours</Menu.Label>
      {SCHEMES.map(({ value, label, icon: Icon, mode }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={16} />}
          aria-current={colorScheme === value}
          fw={colorScheme === value ? 600 : undefined}
          onClick={() => {
            setColorScheme(value);
            change.mutate({ theme_mode: mode });
          }}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut.mutate()}>
        Sign out
      </Menu.Item>
    </LateMenu>
  );
}
